namespace Candor.Examples.ToolLibrary;

/// <summary>Puts a first tool on the shelf.</summary>
codeunit 50103 "Tool Library Install" // AC0007: nobody else has to run this.
{
    Subtype = Install;

    trigger OnInstallAppPerCompany();  // FC0001: this semicolon ends nothing.
    var
        Tool: Record Tool;
    begin
        if not Tool.IsEmpty() then
            exit;

        Tool.Init();
        Tool."No." := 'HAMMER';
        Tool.Description := 'Claw hammer, 450 g';
        Tool.Insert(true);
    end;
}
