//! Operators. Our own names, since the parser's may change; what the planner does not know is refused here.

use sqlparser::ast::{BinaryOperator, UnaryOperator};

use super::Walk;
use crate::error::Result;

impl Walk {
    pub(super) fn binary_operator(&mut self, operator: &BinaryOperator) -> Result<()> {
        let tag = match operator {
            BinaryOperator::Plus => "plus",
            BinaryOperator::Minus => "minus",
            BinaryOperator::Multiply => "times",
            BinaryOperator::Divide => "divide",
            BinaryOperator::Modulo => "modulo",
            BinaryOperator::StringConcat => "concat",
            BinaryOperator::Gt => "gt",
            BinaryOperator::Lt => "lt",
            BinaryOperator::GtEq => "ge",
            BinaryOperator::LtEq => "le",
            BinaryOperator::Spaceship => "same",
            BinaryOperator::Eq => "eq",
            BinaryOperator::NotEq => "ne",
            BinaryOperator::And => "and",
            BinaryOperator::Or => "or",
            BinaryOperator::Xor => "xor",
            BinaryOperator::BitwiseOr => "bit-or",
            BinaryOperator::BitwiseAnd => "bit-and",
            BinaryOperator::BitwiseXor => "bit-xor",
            BinaryOperator::PGBitwiseXor => "pg-bit-xor",
            BinaryOperator::PGBitwiseShiftLeft => "shift-left",
            BinaryOperator::PGBitwiseShiftRight => "shift-right",
            BinaryOperator::PGExp => "power",
            BinaryOperator::DuckIntegerDivide => "integer-divide",
            BinaryOperator::MyIntegerDivide => "div",
            BinaryOperator::PGRegexMatch => "regex",
            BinaryOperator::PGRegexIMatch => "iregex",
            BinaryOperator::PGRegexNotMatch => "not-regex",
            BinaryOperator::PGRegexNotIMatch => "not-iregex",
            BinaryOperator::PGLikeMatch => "like-op",
            BinaryOperator::PGILikeMatch => "ilike-op",
            BinaryOperator::PGNotLikeMatch => "not-like-op",
            BinaryOperator::PGNotILikeMatch => "not-ilike-op",
            BinaryOperator::Arrow => "arrow",
            BinaryOperator::LongArrow => "long-arrow",
            BinaryOperator::AtArrow => "contains",
            BinaryOperator::ArrowAt => "contained",
            other => return Err(self.unsupported(&format!("the operator {other}"), "")),
        };
        self.leaf(tag);
        Ok(())
    }

    pub(super) fn unary_operator(&mut self, operator: UnaryOperator) -> Result<()> {
        let tag = match operator {
            UnaryOperator::Plus => "plus",
            UnaryOperator::Minus => "minus",
            UnaryOperator::Not => "not",
            other => return Err(self.unsupported(&format!("the operator {other} before a value"), "")),
        };
        self.leaf(tag);
        Ok(())
    }
}
