namespace Candor.Examples.ToolLibrary;

/// <summary>Looks for tools that should be back.</summary>
codeunit 50102 "Overdue Check"
{
    Access = Internal;

    trigger OnRun()
    var
        Tool: Record Tool;
    begin
        Tool.SetFilter("Due Date", '>%1&<%2', 0D, Today());
        if Tool.FindSet() then
            repeat
                OnToolOverdue(Tool);
            until Tool.Next() = 0;
    end;

    // AC0012: no other app sees into an internal codeunit, so none can subscribe.
    [IntegrationEvent(false, false)]
    local procedure OnToolOverdue(Tool: Record Tool)
    begin
    end;
}
