//! Samplers. A sampler expression is never a value: it is a texture slot known at compile time, or one of several
//! chosen by an index, in which case the operation is written once per slot under a `switch`.

use naga::{
    AddressSpace, BinaryOperator, Expression, GlobalVariable, Handle, ImageClass, ImageDimension, Statement,
    SwitchCase, SwitchValue, Type as NagaType, TypeInner,
};

use super::access::known_index;
use super::function::FunctionBuilder;
use super::types::scalar;
use super::{Result, ShaderError, StageLowering, internal};
use crate::shader::hir::{Expr, ExprKind, SamplerDimension, SamplerType, Scalar, Type};
use crate::shader::link::types::{fields, sampler_count};
use crate::shader::program::GROUP_TEXTURES;

/// Writes one sampler operation, for a slot that is known.
type SlotBody<'a, Builder> = dyn FnMut(&mut Builder, u32) -> Result<Option<Handle<Expression>>> + 'a;

/// The slot (first slot, for arrays and structs) of something that is or holds samplers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opaque {
    base: u32,
    /// Indices known at run time only: index (u32), slots per step, number of elements.
    dynamic: Vec<(Handle<Expression>, u32, u32)>,
}

impl Opaque {
    pub(super) fn fixed(base: u32) -> Opaque {
        Opaque { base, dynamic: Vec::new() }
    }

    /// Every slot it may mean, with the value of the linear index that selects it.
    fn candidates(&self) -> Vec<u32> {
        let mut all = vec![0u32];
        for (_, stride, len) in &self.dynamic {
            all = all.iter().flat_map(|start| (0..*len).map(move |i| start + i * stride)).collect();
        }
        all
    }
}

/// The two variables of a texture slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextureVariables {
    pub image: Handle<GlobalVariable>,
    pub sampler: Handle<GlobalVariable>,
}

/// More alternatives than there are texture units cannot occur.
const MAX_CANDIDATES: usize = 64;

impl StageLowering<'_> {
    pub(super) fn slot_type(&self, slot: u32) -> Result<SamplerType> {
        self.linked.textures.get(slot as usize).map(|t| t.sampler).ok_or_else(|| internal("unknown texture slot"))
    }

    /// Image and sampler of a slot, declared at first use.
    pub(super) fn texture(&mut self, slot: u32) -> Result<TextureVariables> {
        if let Some(found) = self.textures.get(&slot) {
            return Ok(*found);
        }
        let ty = self.slot_type(slot)?;
        let (dim, arrayed) = match ty.dimension {
            SamplerDimension::D2 => (ImageDimension::D2, false),
            SamplerDimension::D3 => (ImageDimension::D3, false),
            SamplerDimension::Cube => (ImageDimension::Cube, false),
            SamplerDimension::D2Array => (ImageDimension::D2, true),
        };
        let class = if ty.shadow {
            ImageClass::Depth { multi: false }
        } else {
            ImageClass::Sampled { kind: scalar(ty.sampled).kind, multi: false }
        };
        let mut insert = |inner| self.module.types.insert(NagaType { name: None, inner }, naga::Span::UNDEFINED);
        let image_ty = insert(TypeInner::Image { dim, arrayed, class });
        let sampler_ty = insert(TypeInner::Sampler { comparison: ty.shadow });
        let made = TextureVariables {
            image: self.resource(
                &format!("texture_{slot}"),
                AddressSpace::Handle,
                (GROUP_TEXTURES, 2 * slot),
                image_ty,
            ),
            sampler: self.resource(
                &format!("sampler_{slot}"),
                AddressSpace::Handle,
                (GROUP_TEXTURES, 2 * slot + 1),
                sampler_ty,
            ),
        };
        self.textures.insert(slot, made);
        Ok(made)
    }
}

impl FunctionBuilder<'_, '_> {
    /// Resolves a sampler (or an array or struct of samplers).
    pub(super) fn opaque(&mut self, expr: &Expr) -> Result<Opaque> {
        match &expr.kind {
            ExprKind::Local(local) => self
                .opaques
                .get(local.0 as usize)
                .cloned()
                .flatten()
                .ok_or_else(|| internal("sampler local without a slot")),
            ExprKind::Global(global) => self
                .stage
                .uniforms
                .homes
                .get(global.0 as usize)
                .and_then(|home| home.texture_base)
                .map(Opaque::fixed)
                .ok_or_else(|| internal("sampler uniform without a slot")),
            ExprKind::Field { base, field } => {
                let Type::Struct(id) = &base.ty else { return Err(internal("field of something that is no struct")) };
                let mut opaque = self.opaque(base)?;
                let shader = self.stage.shader;
                opaque.base +=
                    fields(shader, *id).iter().take(*field as usize).map(|f| sampler_count(shader, &f.ty)).sum::<u32>();
                Ok(opaque)
            }
            ExprKind::Index { base, index } => {
                let Type::Array(element, len) = &base.ty else { return Err(internal("index of a single sampler")) };
                let mut opaque = self.opaque(base)?;
                let stride = sampler_count(self.stage.shader, element);
                match known_index(index, *len) {
                    Some(known) => opaque.base += known * stride,
                    None => {
                        let value = self.value(index)?;
                        let unsigned = if index.ty == Type::Scalar(Scalar::Uint) {
                            value
                        } else {
                            self.bitcast(value, naga::ScalarKind::Uint)
                        };
                        let last = self.uint(len.saturating_sub(1));
                        let clamped = self.math(naga::MathFunction::Min, &[unsigned, last]);
                        opaque.dynamic.push((clamped, stride, *len));
                    }
                }
                Ok(opaque)
            }
            _ => Err(internal("expression is no sampler")),
        }
    }

    /// Runs `body` for the slot `opaque` means; under a `switch` if only the run time knows it.
    pub(super) fn with_slot(
        &mut self,
        opaque: &Opaque,
        result: &Type,
        body: &mut SlotBody<'_, Self>,
    ) -> Result<Option<Handle<Expression>>> {
        if opaque.dynamic.is_empty() {
            return body(self, opaque.base);
        }
        let candidates = opaque.candidates();
        if candidates.len() > MAX_CANDIDATES {
            return Err(ShaderError::Unsupported("sampler arrays this large with dynamic indices".into()));
        }
        let mut selector = None;
        for (index, stride, _) in &opaque.dynamic {
            let stride = self.uint(*stride);
            let term = self.raw(BinaryOperator::Multiply, *index, stride);
            selector = Some(match selector {
                None => term,
                Some(sum) => self.raw(BinaryOperator::Add, sum, term),
            });
        }
        let selector = selector.ok_or_else(|| internal("dynamic sampler without index"))?;
        let target = match result {
            Type::Void => None,
            ty => Some(self.temporary(ty)?),
        };
        let mut cases = Vec::with_capacity(candidates.len());
        let last = candidates.len().saturating_sub(1);
        for (position, offset) in candidates.iter().enumerate() {
            let block = self.block(|b| {
                let value = body(b, opaque.base + offset)?;
                if let (Some(target), Some(value)) = (target, value) {
                    b.store(target, value);
                }
                b.push(Statement::Break);
                Ok(())
            })?;
            let value = if position == last { SwitchValue::Default } else { SwitchValue::U32(*offset) };
            cases.push(SwitchCase { value, body: block, fall_through: false });
        }
        self.push(Statement::Switch { selector, cases });
        Ok(target.map(|target| self.load(target)))
    }
}
