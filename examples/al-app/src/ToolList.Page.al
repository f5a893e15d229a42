namespace Candor.Examples.ToolLibrary;

/// <summary>All tools, with the ones that are out.</summary>
page 50100 "Tool List"
{
    ApplicationArea = All;
    Caption = 'Tools';
    Editable = false;
    PageType = List;
    SourceTable = Tool;
    UsageCategory = Lists;

    layout
    {
        area(Content)
        {
            repeater(Tools)
            {
                field("No."; Rec."No.")
                {
                    // LC0020: the page has said so already.
                    ApplicationArea = All;
                }
                field(Description; Rec.Description)
                {
                    StyleExpr = Rec."Row Style";
                }
                field("Daily Fee"; Rec."Daily Fee")
                {
                }
                field("Lent To"; Rec."Lent To")
                {
                }
                field("Due Date"; Rec."Due Date")
                {
                }
            }
        }
    }

    actions
    {
        area(Processing)
        {
            action(TakeBack)
            {
                Caption = 'Take Back';
                Enabled = Rec."Lent To" <> '';
                Image = Return;
                ToolTip = 'Records that the tool is on its shelf again.';

                trigger OnAction()
                var
                    ToolLending: Codeunit "Tool Lending";
                begin
                    ToolLending.TakeBack(Rec);
                end;
            }
        }
        area(Promoted)
        {
            actionref(TakeBackPromoted; TakeBack)
            {
            }
        }
    }
}
