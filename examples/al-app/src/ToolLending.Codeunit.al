namespace Candor.Examples.ToolLibrary;

/// <summary>Lends tools and takes them back.</summary>
codeunit 50100 "Tool Lending"
{
    // FC0006: the letters of a Permissions property are written in lower case.
    Permissions = tabledata Tool = RM;

    var
        // AC0020: a token is not a text for people, so it is locked.
        LentTok: Label 'LENT-%1';
        // The old reports search for this token in whatever language the user has,
        // and translators have been told about it.
#pragma warning disable AC0020
        OverdueTok: Label 'OVERDUE';
#pragma warning restore AC0020
        AlreadyLentErr: Label 'Tool %1 is lent to %2 until %3.', Comment = '%1 = number, %2 = person, %3 = date';

    /// <summary>Hands a tool over.</summary>
    /// <param name="Tool">The tool; it is changed and written.</param>
    /// <param name="Borrower">Who takes it.</param>
    /// <param name="Policy">Says when it is due.</param>
    /// <param name="Silent">LC0095: nobody asks whether to be silent.</param>
    procedure Lend(var Tool: Record Tool; Borrower: Text[100]; Policy: Interface "Lending Policy"; Silent: Boolean)
    begin
        if Tool."Lent To" <> '' then
            Error(AlreadyLentErr, Tool."No.", Tool."Lent To", Tool."Due Date");

        Tool."Lent To" := Borrower;
        Tool."Due Date" := Policy.DueDate(Tool, Today());
        Tool."Row Style" := 'Attention';
        Tool.Modify(true);
        OnAfterLend(Tool);
    end;

    /// <summary>Puts a tool back on its shelf.</summary>
    /// <param name="Tool">The tool; it is changed and written.</param>
    procedure TakeBack(var Tool: Record Tool)
    begin
        Clear(Tool."Lent To");
        Clear(Tool."Due Date");
        Clear(Tool."Row Style");
        Tool.Modify(true);
    end;

    /// <summary>The mark on a tool's card.</summary>
    /// <param name="Tool">The tool.</param>
    /// <returns>Empty when the tool is on its shelf.</returns>
    procedure Mark(Tool: Record Tool): Text
    begin
        if Tool."Lent To" = '' then
            exit('');
        if Tool."Due Date" < Today() then
            exit(OverdueTok);
        exit(StrSubstNo(LentTok, Tool."No."));
    end;

    // AC0024: anybody may call this, so anybody may pretend that a tool was lent.
    [IntegrationEvent(false, false)]
    procedure OnAfterLend(Tool: Record Tool)
    begin
    end;
}
