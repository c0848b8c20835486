//! Qualifiers: order, repetition, precision, layout (GLSL ES 3.00 §4.3–4.7).

use super::{Analyzer, types};
use crate::shader::ast::{self, Qualifier};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Precision, Span, Type};
use crate::shader::token::BasicType;

/// A declaration's qualifiers, checked among themselves.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// `const`, `attribute`, `varying`, `uniform`, `in` or `out`.
    pub storage: Option<Qualifier>,
    pub invariant: bool,
    pub flat: bool,
    pub smooth: bool,
    pub centroid: bool,
    pub precision: Option<Precision>,
    pub layout: Layout,
    pub has_layout: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    pub location: Option<u32>,
    pub index: Option<u32>,
    pub std140: bool,
    pub row_major: Option<bool>,
}

/// GLSL ES 3.00 §4.7: invariant, interpolation, layout, storage, precision.
fn rank(qualifier: Qualifier) -> u8 {
    match qualifier {
        Qualifier::Invariant => 0,
        Qualifier::Flat | Qualifier::Smooth => 1,
        Qualifier::Layout => 2,
        Qualifier::Centroid => 3,
        Qualifier::Precision(_) => 5,
        _ => 4,
    }
}

fn spell(qualifier: Qualifier) -> &'static str {
    match qualifier {
        Qualifier::Invariant => "invariant",
        Qualifier::Flat => "flat",
        Qualifier::Smooth => "smooth",
        Qualifier::Centroid => "centroid",
        Qualifier::Const => "const",
        Qualifier::Attribute => "attribute",
        Qualifier::Varying => "varying",
        Qualifier::Uniform => "uniform",
        Qualifier::In => "in",
        Qualifier::Out => "out",
        Qualifier::InOut => "inout",
        Qualifier::Layout => "layout",
        Qualifier::Precision(Precision::High) => "highp",
        Qualifier::Precision(Precision::Medium) => "mediump",
        Qualifier::Precision(Precision::Low) => "lowp",
    }
}

impl Analyzer<'_> {
    pub fn resolve_qualifiers(&self, qualifiers: &ast::Qualifiers) -> Checked<Resolved> {
        let mut resolved = Resolved::default();
        let mut last = None;
        for &(qualifier, span) in &qualifiers.list {
            let rank = rank(qualifier);
            if last == Some(rank) {
                return Err(Diagnostic::new(span, spell(qualifier), "qualifier repeated or in conflict with another"));
            }
            if last.is_some_and(|last| last > rank) {
                let message = "invalid qualifier order: invariant, interpolation, layout, storage, precision";
                return Err(Diagnostic::new(span, spell(qualifier), message));
            }
            last = Some(rank);
            match qualifier {
                Qualifier::Invariant => resolved.invariant = true,
                Qualifier::Flat => resolved.flat = true,
                Qualifier::Smooth => resolved.smooth = true,
                Qualifier::Centroid => resolved.centroid = true,
                Qualifier::Layout => resolved.has_layout = true,
                Qualifier::Precision(precision) => resolved.precision = Some(precision),
                storage => resolved.storage = Some(storage),
            }
        }
        if let Some(&(_, span)) = qualifiers.list.first() {
            if resolved.centroid && !matches!(resolved.storage, Some(Qualifier::In | Qualifier::Out)) {
                return Err(Diagnostic::new(span, "centroid", "must be followed by 'in' or 'out'"));
            }
            let interpolated = resolved.flat || resolved.smooth;
            if interpolated && !matches!(resolved.storage, Some(Qualifier::In | Qualifier::Out)) {
                return Err(Diagnostic::new(span, "", "interpolation qualifiers need 'in' or 'out'"));
            }
        }
        resolved.layout = self.layout(&qualifiers.layout)?;
        Ok(resolved)
    }

    fn layout(&self, ids: &[ast::LayoutId]) -> Checked<Layout> {
        let mut layout = Layout::default();
        for id in ids {
            let ast::Name { symbol, span } = id.name;
            match (self.text(symbol), id.value) {
                ("location", Some(value)) => {
                    if value > i32::MAX as u32 {
                        return Err(self.error(span, symbol, "location out of range"));
                    }
                    layout.location = Some(value);
                }
                ("index", Some(value))
                    if self.extensions.contains(crate::shader::compile::ExtensionSet::EXT_BLEND_FUNC_EXTENDED) =>
                {
                    layout.index = Some(value);
                }
                ("location" | "index", None) => return Err(self.error(span, symbol, "layout qualifier needs a value")),
                // WebGL 2.0 §5.20.
                ("shared" | "packed", None) => {
                    return Err(self.error(span, symbol, "Only std140 layout is allowed in WebGL"));
                }
                ("std140", None) => layout.std140 = true,
                ("row_major", None) => layout.row_major = Some(true),
                ("column_major", None) => layout.row_major = Some(false),
                _ => return Err(self.error(span, symbol, "invalid layout qualifier")),
            }
        }
        Ok(layout)
    }

    /// Qualifiers of a place where only precision may stand.
    pub fn precision_only(&self, qualifiers: &ast::Qualifiers) -> Checked<Option<Precision>> {
        for &(qualifier, span) in &qualifiers.list {
            if !matches!(qualifier, Qualifier::Precision(_)) {
                return Err(Diagnostic::new(span, spell(qualifier), "qualifier not allowed here"));
            }
        }
        if let [_, (qualifier, span), ..] = qualifiers.list.as_slice() {
            return Err(Diagnostic::new(*span, spell(*qualifier), "qualifier repeated"));
        }
        Ok(self.precision_of(qualifiers))
    }

    pub fn precision_of(&self, qualifiers: &ast::Qualifiers) -> Option<Precision> {
        qualifiers.list.iter().find_map(|&(qualifier, _)| match qualifier {
            Qualifier::Precision(precision) => Some(precision),
            _ => None,
        })
    }

    /// The precision a declaration ends up with; an error where neither it nor a default gives one.
    pub fn check_precision(&self, ty: &Type, written: Option<Precision>, span: Span) -> Checked<Option<Precision>> {
        let mut element = ty;
        while let Type::Array(inner, _) = element {
            element = inner;
        }
        let takes = match element {
            Type::Sampler(_) => true,
            _ => types::scalar_of(element).is_some_and(|scalar| scalar != crate::shader::hir::Scalar::Bool),
        };
        if !takes {
            return match written {
                Some(_) => Err(Diagnostic::new(span, self.spell(element), "illegal type for precision qualifier")),
                None => Ok(None),
            };
        }
        match written.or_else(|| self.scopes.default_precision(element)) {
            Some(precision) => Ok(Some(precision)),
            None => {
                let ty = self.spell(element);
                Err(Diagnostic::new(span, ty.clone(), format!("No precision specified for ({ty})")))
            }
        }
    }

    /// `precision mediump float;` (GLSL ES 3.00 §4.5.4).
    pub fn precision_statement(&mut self, precision: Precision, ty: &ast::TypeName, span: Span) -> Checked<()> {
        let ast::TypeName::Basic(basic) = ty else {
            return Err(Diagnostic::new(span, "precision", "illegal type for default precision qualifier"));
        };
        let allowed = match basic {
            BasicType::Scalar(scalar) => {
                matches!(scalar, crate::shader::hir::Scalar::Float | crate::shader::hir::Scalar::Int)
            }
            BasicType::Sampler(_) => true,
            _ => false,
        };
        if !allowed {
            return Err(Diagnostic::new(span, "precision", "illegal type for default precision qualifier"));
        }
        self.scopes.set_precision((*basic).into(), precision);
        Ok(())
    }
}
