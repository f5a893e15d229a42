namespace Candor.Examples.ToolLibrary;

/// <summary>A tool that neighbours may borrow.</summary>
table 50100 Tool
{
    Caption = 'Tool';
    DataClassification = CustomerContent;
    LookupPageId = "Tool List";
    DrillDownPageId = "Tool List";

    fields
    {
        field(1; "No."; Code[20])
        {
            Caption = 'No.';
            ToolTip = 'Specifies the number on the tool''s label.';
            NotBlank = true;
        }
        field(2; Description; Text[100])
        {
            Caption = 'Description';
            ToolTip = 'Specifies what the tool is.';
        }
        field(3; "Daily Fee"; Decimal)
        {
            Caption = 'Daily Fee';
            ToolTip = 'Specifies what a day with the tool costs.';
            AutoFormatType = 1;
            AutoFormatExpression = '';
            MinValue = 0;
        }
        field(4; "Lent To"; Text[100])
        {
            Caption = 'Lent To';
            ToolTip = 'Specifies who has the tool now.';
            Editable = false;
        }
        field(5; "Due Date"; Date)
        {
            Caption = 'Due Date';
            ToolTip = 'Specifies when the tool is expected back.';
            Editable = false;
        }
        field(6; "Row Style"; Text[30])
        {
            // AC0018: nothing to translate here, so translators should not see it.
            Caption = '';
            Editable = false;
        }
    }

    keys
    {
        key(PK; "No.")
        {
            Clustered = true;
        }
        key(DueDate; "Due Date")
        {
        }
    }

    fieldgroups
    {
        fieldgroup(DropDown; "No.", Description)
        {
        }
        fieldgroup(Brick; "No.", Description, "Due Date")
        {
        }
    }
}
