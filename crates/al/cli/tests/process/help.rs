//! What the program says about itself.

use insta::assert_snapshot;

use crate::place::Place;

#[test]
fn it_has_a_version() {
    let output = Place::empty().output(&["--version"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("candor-al {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn help_has_examples() {
    assert_snapshot!(Place::empty().run(&["--help"]), @r"
        exit code 0
        -- stdout
        Analyse and fix AL code, without Microsoft's compiler

        Usage: candor-al <COMMAND>

        Commands:
          check   Look for findings, and fix them
          rules   List the rules by cop
          rule    Show the page of a rule: what it flags, why, and what its fix does
          errors  Show what went wrong lately: rules that failed, files that could not be read or written
          mcp     Serve five tools to an agent, over standard input and output (MCP)
          help    Print this message or the help of the given subcommand(s)

        Options:
          -h, --help     Print help
          -V, --version  Print version

        Examples:
          candor-al check                       the project in this folder, or all below it
          candor-al check src/Tool.Table.al     one file, as part of its project
          candor-al check --diff                what the safe fixes would change
          candor-al check --fix                 make the safe fixes
          candor-al rule AC0018                 what a rule wants, and why
          candor-al mcp                         the same for an agent, over standard input and output
    ");
}

#[test]
fn help_of_check_has_the_exit_codes() {
    assert_snapshot!(Place::empty().run(&["check", "--help"]), @r"
        exit code 0
        -- stdout
        Look for findings, and fix them

        Usage: candor-al check [OPTIONS] [PATH]...

        Arguments:
          [PATH]...  Projects, folders of projects, or files [default: the current folder]

        Options:
              --select <RULES>       Run only these rules, whatever the settings and rulesets say: ids, cops
                                     or ALL
              --ignore <RULES>       Do not run these rules: ids, cops or ALL
              --symbols <SYMBOLS>    Define these preprocessor symbols in every project, besides its own
              --all-configurations   Check every combination of the preprocessor symbols that a file
                                     mentions
              --format <FORMAT>      How to write the result: for people, as one JSON document, or as
                                     another program wants it [default: human] [possible values: human,
                                     json, sarif, github, azure, errorlog]
              --fix                  Make the safe fixes; what is left is reported
              --unsafe-fixes         With --fix or --diff: also the fixes that may change behaviour or break
                                     a caller
              --fix-with <RULE=KEY>  With --fix or --diff: which fix to make where a rule offers several, by
                                     its key
              --diff                 Print what the fixes would change, and write nothing
              --statistics           Print sizes, times and numbers for each rule instead of the findings;
                                     with json, beside them
              --baseline <FILE>      Report only findings that this file does not know
              --write-baseline       With --baseline: write the file, so that it knows all findings of this
                                     run
              --show-suppressed      With --format sarif: also findings that a pragma, the ruleset or
                                     app.json suppresses, marked as such
          -w, --watch                Report again whenever something changes, until Ctrl-C
              --poll                 With --watch: look at the files every few seconds, where the system
                                     does not tell of changes (network drives)
              --fail-on <SEVERITY>   The least severity that makes the exit code 1 [default: warning]
                                     [possible values: error, warning, info, never]
          -q, --quiet                One line for each finding; no progress, no summary
          -h, --help                 Print help

        Exit codes:
          0  nothing at or above --fail-on
          1  findings at or above --fail-on; with --diff also: there is something to change
          2  the command line is wrong, or a file could not be read or written
          With --watch: that of the last report, once Ctrl-C ends it

        Examples:
          candor-al check apps --select LinterCop,AC0018
          candor-al check --select ALL --ignore FormattingCop --statistics
          candor-al check --fix --unsafe-fixes src/Tool.Table.al
          candor-al check --diff --unsafe-fixes | git apply
          candor-al check --format json --fail-on never > findings.json
          candor-al check --baseline candor.baseline.json --write-baseline
          candor-al check --watch
          candor-al check --format sarif > candor-al.sarif
    ");
}

#[test]
fn nothing_to_do_is_a_question_answered_with_help() {
    let output = Place::empty().output(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("Usage: candor-al <COMMAND>")
    );
}

#[test]
fn help_of_the_server_names_its_options() {
    let output = Place::empty().output(&["mcp", "--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().contains("--projects FOLDER"));
}
