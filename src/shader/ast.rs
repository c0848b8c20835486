//! Syntax tree of one shader: what `parse` gives to `sema`. Nothing here is resolved or checked.

use super::hir::{BinaryOp, Direction, Precision, Span, UnaryOp};
use super::names::Symbol;
use super::token::BasicType;

/// A whole shader.
pub type Tree = Vec<External>;

#[derive(Debug)]
pub enum External {
    Declaration(Declaration),
    Function {
        prototype: Prototype,
        body: Vec<Stmt>,
    },
    /// A lone `;`.
    Empty,
}

#[derive(Debug)]
pub enum Declaration {
    /// `precision mediump float;`
    Precision {
        precision: Precision,
        ty: TypeName,
        span: Span,
    },
    /// `invariant a, b;`
    Invariant {
        names: Vec<Name>,
        span: Span,
    },
    /// `layout(std140) uniform;`
    Defaults {
        qualifiers: Qualifiers,
        span: Span,
    },
    Block(Block),
    Variables {
        ty: FullType,
        declarators: Vec<Declarator>,
    },
    Prototype(Prototype),
}

#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub symbol: Symbol,
    pub span: Span,
}

#[derive(Debug)]
pub struct Declarator {
    pub name: Name,
    /// `[3]` after the name.
    pub array: Option<ArraySize>,
    pub init: Option<Expr>,
}

/// One `[…]`; `None` inside for `[]`.
#[derive(Debug)]
pub struct ArraySize {
    pub size: Option<Expr>,
    pub span: Span,
}

/// Qualifiers as written, in order, so that their order can be checked.
#[derive(Debug, Default)]
pub struct Qualifiers {
    pub list: Vec<(Qualifier, Span)>,
    pub layout: Vec<LayoutId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    Invariant,
    Flat,
    Smooth,
    Centroid,
    Const,
    Attribute,
    Varying,
    Uniform,
    In,
    Out,
    InOut,
    /// Its identifiers are in `Qualifiers::layout`.
    Layout,
    Precision(Precision),
}

/// `location = 3`, `std140`.
#[derive(Debug)]
pub struct LayoutId {
    pub name: Name,
    /// Parsed only as an integer literal, as both the grammar and ANGLE have it.
    pub value: Option<u32>,
}

/// Qualifiers, type and the `[…]` that follows a type.
#[derive(Debug)]
pub struct FullType {
    pub qualifiers: Qualifiers,
    pub name: TypeName,
    pub array: Option<ArraySize>,
    pub span: Span,
}

#[derive(Debug)]
pub enum TypeName {
    Basic(BasicType),
    Named(Name),
    Struct(StructDefinition),
}

#[derive(Debug)]
pub struct StructDefinition {
    pub name: Option<Name>,
    pub fields: Vec<Member>,
    pub span: Span,
}

/// One declaration inside a struct or block.
#[derive(Debug)]
pub struct Member {
    pub ty: FullType,
    pub declarators: Vec<Declarator>,
}

#[derive(Debug)]
pub struct Block {
    pub qualifiers: Qualifiers,
    pub name: Name,
    pub members: Vec<Member>,
    pub instance: Option<(Name, Option<ArraySize>)>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Prototype {
    pub result: FullType,
    pub name: Name,
    pub parameters: Vec<Parameter>,
}

#[derive(Debug)]
pub struct Parameter {
    pub ty: FullType,
    pub direction: Direction,
    pub is_const: bool,
    pub name: Option<Name>,
    pub array: Option<ArraySize>,
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Declaration(Declaration),
    Block(Vec<Stmt>),
    If { condition: Expr, accept: Box<Stmt>, reject: Option<Box<Stmt>> },
    For { init: Option<Box<Stmt>>, condition: Option<Condition>, step: Option<Expr>, body: Box<Stmt> },
    While { condition: Condition, body: Box<Stmt> },
    DoWhile { body: Box<Stmt>, condition: Expr },
    Switch { selector: Expr, body: Vec<Stmt> },
    Case(Expr),
    Default,
    Break,
    Continue,
    Discard,
    Return(Option<Expr>),
}

/// `while (bool x = f())` declares a variable.
#[derive(Debug)]
pub enum Condition {
    Expr(Expr),
    Declaration { ty: FullType, name: Name, init: Expr },
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// Height of the tree, bounded by the parser.
    pub height: u16,
}

#[derive(Debug)]
pub enum ExprKind {
    Int(i32),
    Uint(u32),
    Float(f32),
    Bool(bool),
    Name(Symbol),
    /// A type in front of `(`: `vec3`, `float[2]`, `S[]`.
    Type(Box<(TypeName, Option<ArraySize>)>),
    Call {
        callee: Box<Expr>,
        arguments: Vec<Expr>,
    },
    /// `.x`, `.field`, or `.length` before a call.
    Member {
        base: Box<Expr>,
        name: Name,
    },
    /// `a[i]`; without index only as a constructor's type.
    Index {
        base: Box<Expr>,
        index: Option<Box<Expr>>,
    },
    Unary(UnaryOp, Box<Expr>),
    /// Unary `+`.
    Plus(Box<Expr>),
    Increment {
        target: Box<Expr>,
        decrement: bool,
        prefix: bool,
    },
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Assign {
        op: Option<BinaryOp>,
        target: Box<Expr>,
        value: Box<Expr>,
    },
    Select {
        condition: Box<Expr>,
        accept: Box<Expr>,
        reject: Box<Expr>,
    },
    Sequence(Box<Expr>, Box<Expr>),
}
