//! Settings of rules that are more than a number.

/// `StatementBlockSpacing` of `alcops.json`: where FC0007 demands blank lines between statements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own in the file")]
pub struct StatementBlockSpacing {
    /// `ControlFlowBefore`: before an `if`, a `case` or a loop. On unless set.
    pub control_flow_before: bool,
    /// `ControlFlowAfter`: behind one. On unless set.
    pub control_flow_after: bool,
    /// `ScopeLeavingMode`: before statements that leave the method.
    pub scope_leaving: ScopeLeaving,
    /// `ElseChainBeforeMode` is `RequireBlank`: before an `else` at the start of a line. Off unless set.
    pub else_chain_before: bool,
    /// `OneLinerMode` is `All`: around an `if`, a `case` or a loop on one line as well. Off unless set.
    pub one_liners: bool,
}

impl Default for StatementBlockSpacing {
    fn default() -> Self {
        Self {
            control_flow_before: true,
            control_flow_after: true,
            scope_leaving: ScopeLeaving::default(),
            else_chain_before: false,
            one_liners: false,
        }
    }
}

/// `ScopeLeavingMode`: which statements that leave the method need a blank line before them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ScopeLeaving {
    /// None.
    Off,
    /// `exit`.
    ExitOnly,
    /// Calls of `Error`.
    ErrorOnly,
    /// Both.
    #[default]
    ExitAndError,
}

impl ScopeLeaving {
    /// Whether an `exit` needs a blank line before it.
    pub(crate) fn includes_exit(self) -> bool {
        matches!(self, Self::ExitOnly | Self::ExitAndError)
    }

    /// Whether a call of `Error` needs a blank line before it.
    pub(crate) fn includes_error(self) -> bool {
        matches!(self, Self::ErrorOnly | Self::ExitAndError)
    }
}
