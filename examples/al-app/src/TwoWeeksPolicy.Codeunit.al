namespace Candor.Examples.ToolLibrary;

/// <summary>Two weeks for every tool.</summary>
codeunit 50101 "Two Weeks Policy" implements "Lending Policy"
{
    // `Tool` is not used, and LC0095 says nothing: the interface asks for it.
    procedure DueDate(Tool: Record Tool; LentOn: Date): Date
    begin
        exit(CalcDate('<+2W>', LentOn));
    end;
}
