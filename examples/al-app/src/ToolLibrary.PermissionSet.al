namespace Candor.Examples.ToolLibrary;

/// <summary>All that a librarian needs.</summary>
permissionset 50100 "Tool Library"
{
    Assignable = true;
    // AC0009: a translation may be longer than the 30 characters there is room for.
    Caption = 'Tool Library';
    Permissions =
        table Tool = X,
        tabledata Tool = RIMD,
        codeunit "Overdue Check" = X,
        codeunit "Tool Lending" = X,
        codeunit "Two Weeks Policy" = X,
        page "Tool List" = X;
}
