namespace Candor.Examples.ToolLibrary;

/// <summary>Decides how long a tool may stay away.</summary>
interface "Lending Policy"
{
    /// <summary>Tells when a tool lent on a day is due.</summary>
    /// <param name="Tool">The tool.</param>
    /// <param name="LentOn">The day it leaves its shelf.</param>
    /// <returns>The day it is expected back.</returns>
    procedure DueDate(Tool: Record Tool; LentOn: Date): Date;
}
