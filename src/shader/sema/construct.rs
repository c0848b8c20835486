//! Constructors (GLSL ES 3.00 §5.4).

use super::{Analyzer, constant_values, fold, types};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Constant, Expr, ExprKind, Span, Type};

impl Analyzer<'_> {
    /// `ty(arguments…)`.
    pub fn construct(&mut self, ty: Type, arguments: Vec<Expr>, span: Span) -> Checked<Expr> {
        let name = self.spell(&ty);
        if arguments.is_empty() {
            return Err(Diagnostic::new(span, name, "constructor does not have any arguments"));
        }
        for argument in &arguments {
            if argument.ty == Type::Void {
                return Err(Diagnostic::new(span, name, "cannot convert a void"));
            }
            if types::contains_sampler(&argument.ty, &self.structs) {
                return Err(Diagnostic::new(span, name, "cannot convert a sampler"));
            }
        }
        let checked = match &ty {
            Type::Scalar(_) => self.check_scalar(&arguments),
            Type::Vector(_, size) => self.check_components(u64::from(*size), &arguments),
            Type::Matrix { columns, rows } => self.check_matrix(u64::from(*columns * *rows), &arguments),
            Type::Struct(id) => {
                let fields = self.structs.get(id.0 as usize).map_or(&[][..], |definition| &definition.fields);
                let same = fields.len() == arguments.len()
                    && fields.iter().zip(&arguments).all(|(field, argument)| field.ty == argument.ty);
                if same { Ok(()) } else { Err("Structure constructor arguments do not match structure fields") }
            }
            Type::Array(element, length) => {
                if u32::try_from(arguments.len()) != Ok(*length) {
                    Err("array constructor must have one argument per array element")
                } else if arguments.iter().any(|argument| argument.ty != **element) {
                    Err("Array constructor argument has an incorrect type")
                } else {
                    Ok(())
                }
            }
            Type::Void | Type::Sampler(_) => Err("cannot construct this type"),
        };
        if let Err(message) = checked {
            return Err(Diagnostic::new(span, name, message));
        }
        self.fold_construct(ty, arguments, span)
    }

    fn fold_construct(&mut self, ty: Type, arguments: Vec<Expr>, span: Span) -> Checked<Expr> {
        let constants: Option<Vec<(&Type, &[Constant])>> =
            arguments.iter().map(|argument| Some((&argument.ty, constant_values(argument)?))).collect();
        if let Some(values) = constants.and_then(|constants| fold::construct(&ty, &constants)) {
            return self.constant(values, ty, span);
        }
        Ok(Expr { kind: ExprKind::Construct(arguments), ty, span })
    }

    /// Scalars of an argument that may go into a scalar, vector or matrix.
    fn plain_components(&self, argument: &Expr) -> Result<u64, &'static str> {
        match argument.ty {
            Type::Scalar(_) | Type::Vector(..) | Type::Matrix { .. } => {
                Ok(types::components(&argument.ty, &self.structs))
            }
            _ => Err("cannot convert a structure or array"),
        }
    }

    fn check_scalar(&self, arguments: &[Expr]) -> Result<(), &'static str> {
        match arguments {
            [argument] => self.plain_components(argument).map(|_| ()),
            _ => Err("too many arguments"),
        }
    }

    /// Enough components, and no argument wholly unused.
    fn check_components(&self, wanted: u64, arguments: &[Expr]) -> Result<(), &'static str> {
        if let [argument] = arguments
            && matches!(argument.ty, Type::Scalar(_))
        {
            return Ok(());
        }
        let mut sum = 0;
        for argument in arguments {
            if sum >= wanted {
                return Err("too many arguments");
            }
            sum += self.plain_components(argument)?;
        }
        if sum < wanted { Err("not enough data provided for construction") } else { Ok(()) }
    }

    fn check_matrix(&self, wanted: u64, arguments: &[Expr]) -> Result<(), &'static str> {
        if let [argument] = arguments
            && matches!(argument.ty, Type::Matrix { .. })
        {
            return Ok(());
        }
        if arguments.iter().any(|argument| matches!(argument.ty, Type::Matrix { .. })) {
            return Err("constructing matrix from matrix and other arguments");
        }
        self.check_components(wanted, arguments)
    }
}
