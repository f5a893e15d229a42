//! The server as a program of its own, for tests that want a real process and real pipes.

use std::process::ExitCode;

use candor_al_mcp::ServerOptions;

fn main() -> ExitCode {
    let options = ServerOptions::from_arguments(std::env::args_os().skip(1));
    match candor_al_mcp::run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
