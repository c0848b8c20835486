//! Name spaces and default precisions, nested as the source nests them (GLSL ES 3.00 §4.2, §4.5.4).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::shader::hir::{Constant, GlobalId, LocalId, Precision, SamplerDimension, Scalar, Stage, StructId, Type};
use crate::shader::names::Symbol;

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Entry {
    Local(LocalId),
    Global(GlobalId),
    /// A `const` variable with its value.
    Constant {
        ty: Type,
        values: Rc<[Constant]>,
    },
    /// Member of a uniform block without instance name.
    BlockMember {
        global: GlobalId,
        field: u32,
    },
    Struct(StructId),
    /// The name of a uniform block: taken, and of no use in expressions.
    BlockName,
    /// At least one user function of this name is declared.
    Function,
}

#[derive(Debug, Default)]
struct Scope {
    entries: FxHashMap<Symbol, Entry>,
    precisions: FxHashMap<Type, Precision>,
}

/// The stack of scopes; the first is the global one.
#[derive(Debug)]
pub struct Scopes {
    stack: Vec<Scope>,
}

impl Scopes {
    pub fn new(stage: Stage) -> Self {
        let mut global = Scope::default();
        let int = if stage == Stage::Vertex { Precision::High } else { Precision::Medium };
        global.precisions.insert(Type::Scalar(Scalar::Int), int);
        if stage == Stage::Vertex {
            global.precisions.insert(Type::Scalar(Scalar::Float), Precision::High);
        }
        for dimension in [SamplerDimension::D2, SamplerDimension::Cube] {
            let sampler = crate::shader::hir::SamplerType { dimension, sampled: Scalar::Float, shadow: false };
            global.precisions.insert(Type::Sampler(sampler), Precision::Low);
        }
        Self { stack: vec![global] }
    }

    pub fn push(&mut self) {
        self.stack.push(Scope::default());
    }

    pub fn pop(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    /// The innermost meaning of a name.
    pub fn find(&self, name: Symbol) -> Option<&Entry> {
        self.stack.iter().rev().find_map(|scope| scope.entries.get(&name))
    }

    /// Meaning of a name in the innermost scope only.
    pub fn find_here(&self, name: Symbol) -> Option<&Entry> {
        self.stack.last().and_then(|scope| scope.entries.get(&name))
    }

    pub fn find_global(&self, name: Symbol) -> Option<&Entry> {
        self.stack.first().and_then(|scope| scope.entries.get(&name))
    }

    /// False if the innermost scope has the name already.
    pub fn insert(&mut self, name: Symbol, entry: Entry) -> bool {
        match self.stack.last_mut() {
            Some(scope) => scope.entries.insert(name, entry).is_none(),
            None => false,
        }
    }

    pub fn insert_global(&mut self, name: Symbol, entry: Entry) {
        if let Some(scope) = self.stack.first_mut() {
            scope.entries.insert(name, entry);
        }
    }

    /// `precision p t;` for float, int or a sampler type.
    pub fn set_precision(&mut self, ty: Type, precision: Precision) {
        if let Some(scope) = self.stack.last_mut() {
            scope.precisions.insert(ty, precision);
        }
    }

    /// Default precision of a scalar, vector, matrix or sampler type (`uint` follows `int`).
    pub fn default_precision(&self, ty: &Type) -> Option<Precision> {
        let key = match ty {
            Type::Sampler(_) => ty.clone(),
            _ => match super::types::scalar_of(ty)? {
                Scalar::Float => Type::Scalar(Scalar::Float),
                Scalar::Int | Scalar::Uint => Type::Scalar(Scalar::Int),
                Scalar::Bool => return None,
            },
        };
        self.stack.iter().rev().find_map(|scope| scope.precisions.get(&key)).copied()
    }
}
