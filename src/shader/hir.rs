//! The typed, resolved form of one GLSL ES shader: what `sema` produces and `link`/`lower` consume.
//!
//! Names are resolved, overloads chosen, constants folded, implicit things made explicit, and every rule of
//! the language and of WebGL that concerns one shader alone has been checked. Macros and precision are gone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::builtins::BuiltinFunction;

/// 1-based line and column in the source the program gave to `shaderSource`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `#version 100` or none.
    Essl100,
    Essl300,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stage {
    Vertex,
    Fragment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scalar {
    Float,
    Int,
    Uint,
    Bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SamplerDimension {
    D2,
    D3,
    Cube,
    D2Array,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SamplerType {
    pub dimension: SamplerDimension,
    /// Float, Int or Uint.
    pub sampled: Scalar,
    /// `sampler*Shadow`.
    pub shadow: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StructId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlobalId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);
/// Index into the function's `locals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Scalar(Scalar),
    /// Component type and count (2–4).
    Vector(Scalar, u8),
    /// Columns and rows (2–4), always float.
    Matrix {
        columns: u8,
        rows: u8,
    },
    Sampler(SamplerType),
    Struct(StructId),
    Array(Box<Type>, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Precision {
    Low,
    Medium,
    High,
}

#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    pub precision: Option<Precision>,
    /// In interface blocks: `layout(row_major)`.
    pub row_major: bool,
}

/// One shader, checked.
#[derive(Clone, Debug)]
pub struct Shader {
    pub stage: Stage,
    pub dialect: Dialect,
    pub structs: Vec<Struct>,
    /// In order of declaration.
    pub globals: Vec<Global>,
    pub blocks: Vec<UniformBlock>,
    /// Callees before callers; only functions reachable from `main` or from initialisers.
    pub functions: Vec<Function>,
    pub main: FunctionId,
    /// EXT_draw_buffers was enabled (ESSL 1.00 `gl_FragData`).
    pub draw_buffers: bool,
    /// `gl_FragDepth`/`gl_FragDepthEXT` is written.
    pub writes_frag_depth: bool,
    /// Highest `gl_FragData` index used + 1, or 0.
    pub frag_data_len: u32,
    /// `#define SHADER_NAME`, by which three.js names its shaders.
    pub name: Option<String>,
    /// Text of the lines on which loops begin.
    pub loop_lines: BTreeMap<u32, String>,
}

/// A std140 uniform block (ESSL 3.00).
#[derive(Clone, Debug)]
pub struct UniformBlock {
    pub name: String,
    /// `Some` if members are reached through an instance name.
    pub instance: Option<String>,
    /// `Some(n)`: an array of n instances (n bindings).
    pub array: Option<u32>,
    pub fields: Vec<Field>,
    /// Statically used in this shader.
    pub used: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub ty: Type,
    pub storage: Storage,
    pub precision: Option<Precision>,
    /// Initialiser of `Private` and `Const` globals (not necessarily constant in ESSL 3.00).
    pub init: Option<Expr>,
    /// Statically used (GL's "active" is decided from it).
    pub used: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Storage {
    Private,
    /// Only those whose initialiser did not fold to a constant survive.
    Const,
    Uniform,
    /// Vertex `attribute`/`in`; fragment `varying`/`in`.
    In(Interface),
    /// Vertex `varying`/`out`; fragment `out`.
    Out(Interface),
    /// A whole uniform block, index into `Shader::blocks`; the global's type is `Void`, its members are reached
    /// through `ExprKind::BlockMember` only.
    Block(u32),
    /// `gl_Position`, `gl_FragColor`, …
    Builtin(BuiltinVariable),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interface {
    pub location: Option<u32>,
    /// Fragment output `layout(index = n)` (EXT_blend_func_extended).
    pub index: u32,
    pub flat: bool,
    pub centroid: bool,
    pub invariant: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinVariable {
    Position,
    PointSize,
    VertexId,
    InstanceId,
    DrawId,
    BaseVertex,
    BaseInstance,
    ClipDistance,
    FragCoord,
    FrontFacing,
    PointCoord,
    FragDepth,
    /// ESSL 1.00.
    FragColor,
    /// ESSL 1.00: array of MAX_DRAW_BUFFERS vec4.
    FragData,
    /// `gl_DepthRange` (struct near, far, diff).
    DepthRange,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub result: Type,
    /// Parameters come first, then variables in order of declaration.
    pub locals: Vec<Local>,
    pub body: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
    InOut,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub local: LocalId,
    pub direction: Direction,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Expr(Expr),
    /// Declaration; without initialiser the value is zero (WebGL).
    Declare {
        local: LocalId,
        init: Option<Expr>,
    },
    Block(Vec<Stmt>),
    If {
        condition: Expr,
        accept: Vec<Stmt>,
        reject: Vec<Stmt>,
    },
    Loop(Box<Loop>),
    Switch {
        selector: Expr,
        cases: Vec<Case>,
    },
    Return(Option<Expr>),
    Break,
    Continue,
    Discard,
}

#[derive(Clone, Debug)]
pub struct Loop {
    /// `for` initialisation, once.
    pub init: Vec<Stmt>,
    /// `while (bool x = f())` declares in the condition: `(local, expr)`.
    pub condition_local: Option<LocalId>,
    /// `None`: forever.
    pub condition: Option<Expr>,
    /// Runs after the body and on `continue`.
    pub step: Option<Expr>,
    pub body: Vec<Stmt>,
    /// `do … while`: the body runs before the first test; `continue` jumps to the test.
    pub test_after: bool,
    pub span: Span,
}

/// One run of labels; falls through to the next case unless its body leaves.
#[derive(Clone, Debug)]
pub struct Case {
    /// Empty and `default` false never happens.
    pub labels: Vec<i64>,
    pub default: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

impl Expr {
    /// Calls `visit` on every direct operand.
    pub fn each_child<'e>(&'e self, visit: &mut impl FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Constant(_) | ExprKind::Local(_) | ExprKind::Global(_) => {}
            ExprKind::BlockMember { element, .. } => {
                if let Some(element) = element {
                    visit(element);
                }
            }
            ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } | ExprKind::Unary(_, base) => visit(base),
            ExprKind::Index { base, index } => {
                visit(base);
                visit(index);
            }
            ExprKind::Binary(_, left, right) | ExprKind::Sequence(left, right) => {
                visit(left);
                visit(right);
            }
            ExprKind::Assign { target, value, .. } => {
                visit(target);
                visit(value);
            }
            ExprKind::Increment { target, .. } => visit(target),
            ExprKind::Select { condition, accept, reject } => {
                visit(condition);
                visit(accept);
                visit(reject);
            }
            ExprKind::Construct(arguments) | ExprKind::Call { arguments, .. } | ExprKind::Builtin { arguments, .. } => {
                arguments.iter().for_each(visit)
            }
        }
    }

    /// The local at the root of an access chain, if there is one.
    pub fn root_local(&self) -> Option<LocalId> {
        match &self.kind {
            ExprKind::Local(local) => Some(*local),
            ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } | ExprKind::Index { base, .. } => {
                base.root_local()
            }
            _ => None,
        }
    }
}

impl Stmt {
    /// Calls `visit` on the expressions of this statement alone and `nested` on each list of statements in it.
    pub fn each_part<'s>(&'s self, visit: &mut impl FnMut(&'s Expr), nested: &mut impl FnMut(&'s [Stmt])) {
        match self {
            Stmt::Expr(expr) => visit(expr),
            Stmt::Declare { init, .. } => init.iter().for_each(visit),
            Stmt::Block(body) => nested(body),
            Stmt::If { condition, accept, reject } => {
                visit(condition);
                nested(accept);
                nested(reject);
            }
            Stmt::Loop(repeat) => {
                nested(&repeat.init);
                repeat.condition.iter().chain(&repeat.step).for_each(visit);
                nested(&repeat.body);
            }
            Stmt::Switch { selector, cases } => {
                visit(selector);
                cases.iter().for_each(|case| nested(&case.body));
            }
            Stmt::Return(value) => value.iter().for_each(visit),
            Stmt::Break | Stmt::Continue | Stmt::Discard => {}
        }
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Any fully constant value: scalars in constructor order (column-major for matrices,
    /// element by element for arrays, field by field for structs).
    Constant(Vec<Constant>),
    Local(LocalId),
    Global(GlobalId),
    /// Member of a uniform block: global of storage `Block`, element of the instance array if any, field.
    BlockMember {
        global: GlobalId,
        element: Option<Box<Expr>>,
        field: u32,
    },
    Field {
        base: Box<Expr>,
        field: u32,
    },
    /// `components[i] < 4`; an l-value when `base` is and no component repeats. One component = scalar.
    Swizzle {
        base: Box<Expr>,
        components: Vec<u8>,
    },
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    Unary(UnaryOp, Box<Expr>),
    /// GLSL semantics incl. scalar/vector/matrix mixing, `*` linear algebra, `==` on any type.
    /// `And`, `Or` short-circuit.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `op` for compound assignment. Value is the target's new value.
    Assign {
        op: Option<BinaryOp>,
        target: Box<Expr>,
        value: Box<Expr>,
    },
    Increment {
        target: Box<Expr>,
        decrement: bool,
        prefix: bool,
    },
    /// Only the chosen side is evaluated.
    Select {
        condition: Box<Expr>,
        accept: Box<Expr>,
        reject: Box<Expr>,
    },
    Sequence(Box<Expr>, Box<Expr>),
    /// Constructor of `ty` (scalar, vector, matrix, struct or array), GLSL conversion rules.
    Construct(Vec<Expr>),
    Call {
        function: FunctionId,
        arguments: Vec<Expr>,
    },
    Builtin {
        function: BuiltinFunction,
        arguments: Vec<Expr>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    Float(f32),
    Int(i32),
    Uint(u32),
    Bool(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Negate,
    /// `!`
    Not,
    /// `~`
    BitNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    And,
    Or,
    Xor,
}
