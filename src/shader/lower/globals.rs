//! Globals of a shader: private variables, the default uniform block, uniform blocks, the driver block.

use naga::{AddressSpace, GlobalVariable, Handle, ResourceBinding, Span, StorageAccess, StructMember};

use super::types::{F32, I32};
use super::{Result, StageLowering, internal, needs_driver_block};
use crate::shader::hir::{BuiltinVariable, Constant, ExprKind, Global, GlobalId, Scalar, Shader, Stage, Storage, Type};
use crate::shader::link::std140;
use crate::shader::link::types::contains_data;
use crate::shader::program::{GROUP_BLOCKS, GROUP_FEEDBACK, GROUP_UNIFORMS, Variant};

/// Where a global of the source is.
#[derive(Clone, Debug)]
pub(super) enum GlobalHome {
    /// Not used in this stage (or a sampler only).
    None,
    Private(Handle<GlobalVariable>),
    /// Member of the stage's default uniform block.
    Uniform {
        block: Handle<GlobalVariable>,
        member: u32,
    },
    /// A uniform block: one variable per instance.
    Block(Vec<Handle<GlobalVariable>>),
}

/// Members of the driver block, in order (see `DriverBlock`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum DriverMember {
    DepthRange = 0,
    DrawId = 1,
    BaseInstance = 2,
    BaseVertex = 3,
    FeedbackFirst = 4,
    FeedbackVertices = 5,
    FeedbackBase0 = 6,
}

/// Whether a shader reads the driver block.
pub(super) fn reads_driver(shader: &Shader, variant: Variant) -> bool {
    shader.globals.iter().any(|global| {
        global.used
            && match global.storage {
                Storage::Builtin(
                    BuiltinVariable::DrawId
                    | BuiltinVariable::BaseInstance
                    | BuiltinVariable::BaseVertex
                    | BuiltinVariable::DepthRange,
                ) => true,
                Storage::Builtin(BuiltinVariable::InstanceId) => variant.base_instance,
                _ => false,
            }
    })
}

impl StageLowering<'_> {
    /// Declares everything before any function is lowered.
    pub(super) fn declare_globals(&mut self) -> Result<()> {
        if needs_driver_block(self.linked, self.variant) {
            self.declare_driver();
        }
        let block = self.declare_default_block()?;
        let shader = self.shader;
        for (index, global) in shader.globals.iter().enumerate() {
            let home = self.declare(GlobalId(index as u32), global, block)?;
            self.globals.push(home);
        }
        Ok(())
    }

    fn declare(&mut self, id: GlobalId, global: &Global, block: Option<Handle<GlobalVariable>>) -> Result<GlobalHome> {
        let captured = self.captures(id);
        if !global.used && !captured {
            return Ok(GlobalHome::None);
        }
        match &global.storage {
            Storage::Uniform if self.shader.stage == Stage::Fragment && self.linked.flat.contains(id) => {
                let ty = self.value_type(&global.ty)?;
                Ok(GlobalHome::Private(self.private(&global.name, ty, None)))
            }
            Storage::Uniform if self.positions.is_some_and(|identities| identities.contains(&id)) => {
                let one = |at: usize| Constant::Float(if at.is_multiple_of(5) { 1.0 } else { 0.0 });
                let identity: Vec<Constant> = (0..16).map(one).collect();
                let init = self.global_constant(&global.ty, &identity)?;
                let ty = self.value_type(&global.ty)?;
                Ok(GlobalHome::Private(self.private(&global.name, ty, init)))
            }
            Storage::Uniform => {
                let home = self.uniforms.homes.get(id.0 as usize).copied().unwrap_or_default();
                Ok(match (block, home.member) {
                    (Some(block), Some(member)) => GlobalHome::Uniform { block, member },
                    _ => GlobalHome::None,
                })
            }
            Storage::Block(index) => self.declare_block(*index),
            Storage::Private | Storage::Const | Storage::In(_) | Storage::Out(_) | Storage::Builtin(_) => {
                if !contains_data(self.shader, &global.ty) {
                    return Ok(GlobalHome::None);
                }
                let init = match &global.init {
                    Some(init) => match &init.kind {
                        ExprKind::Constant(values) => self.global_constant(&global.ty, values)?,
                        _ => None,
                    },
                    None => None,
                };
                let ty = self.value_type(&global.ty)?;
                Ok(GlobalHome::Private(self.private(&global.name, ty, init)))
            }
        }
    }

    /// Transform feedback needs the variable although the shader may not write it.
    fn captures(&self, id: GlobalId) -> bool {
        self.shader.stage == Stage::Vertex
            && self.variant.capture_feedback
            && self.linked.feedback.captures.iter().any(|c| c.global == id)
    }

    pub(super) fn private(
        &mut self,
        name: &str,
        ty: Handle<naga::Type>,
        init: Option<Handle<naga::Expression>>,
    ) -> Handle<GlobalVariable> {
        self.module.global_variables.append(
            GlobalVariable {
                name: Some(name.to_owned()),
                space: AddressSpace::Private,
                binding: None,
                ty,
                init,
                memory_decorations: naga::MemoryDecorations::empty(),
            },
            Span::UNDEFINED,
        )
    }

    pub(super) fn resource(
        &mut self,
        name: &str,
        space: AddressSpace,
        (group, binding): (u32, u32),
        ty: Handle<naga::Type>,
    ) -> Handle<GlobalVariable> {
        self.module.global_variables.append(
            GlobalVariable {
                name: Some(name.to_owned()),
                space,
                binding: Some(ResourceBinding { group, binding }),
                ty,
                init: None,
                memory_decorations: naga::MemoryDecorations::empty(),
            },
            Span::UNDEFINED,
        )
    }

    /// A buffer of the feedback group that the stage writes.
    pub(super) fn writable(&mut self, name: &str, binding: u32, ty: Handle<naga::Type>) -> Handle<GlobalVariable> {
        let access = StorageAccess::LOAD | StorageAccess::STORE;
        self.resource(name, AddressSpace::Storage { access }, (GROUP_FEEDBACK, binding), ty)
    }

    /// Binding of the fragment stage's default block.
    pub(super) fn fragment_block_binding(&self) -> u32 {
        u32::from(self.linked.vertex_uniforms.size > 0)
    }

    /// Binding of the driver block: behind the default blocks that exist.
    fn driver_binding(&self) -> u32 {
        u32::from(self.linked.vertex_uniforms.size > 0) + u32::from(self.linked.fragment_uniforms.size > 0)
    }

    fn declare_driver(&mut self) {
        let float4 = self.vector_type(F32, 4);
        let int = self.scalar_type(I32);
        let mut members = vec![StructMember { name: Some("depth_range".into()), ty: float4, binding: None, offset: 0 }];
        let names = [
            "draw_id",
            "base_instance",
            "base_vertex",
            "feedback_first",
            "feedback_vertices",
            "feedback_base_0",
            "feedback_base_1",
            "feedback_base_2",
            "feedback_base_3",
        ];
        for (position, name) in names.iter().enumerate() {
            members.push(StructMember {
                name: Some((*name).into()),
                ty: int,
                binding: None,
                offset: 16 + 4 * position as u32,
            });
        }
        let span = std::mem::size_of::<crate::shader::program::DriverBlock>() as u32;
        let ty = self.struct_type("DriverBlock", members, span);
        let binding = (GROUP_UNIFORMS, self.driver_binding());
        self.driver = Some(self.resource("driver", AddressSpace::Uniform, binding, ty));
    }

    fn declare_default_block(&mut self) -> Result<Option<Handle<GlobalVariable>>> {
        if self.uniforms.members.is_empty() {
            return Ok(None);
        }
        let shader = self.shader;
        let mut members = Vec::new();
        for (id, offset) in &self.uniforms.members {
            let global = shader.globals.get(id.0 as usize).ok_or_else(|| internal("unknown uniform"))?;
            let ty = self.host_type(&global.ty, false)?;
            members.push(StructMember { name: Some(global.name.clone()), ty, binding: None, offset: *offset });
        }
        let ty = self.struct_type("DefaultBlock", members, self.uniforms.size);
        let binding = match self.shader.stage {
            Stage::Vertex => 0,
            Stage::Fragment => self.fragment_block_binding(),
        };
        Ok(Some(self.resource("uniforms", AddressSpace::Uniform, (GROUP_UNIFORMS, binding), ty)))
    }

    fn declare_block(&mut self, index: u32) -> Result<GlobalHome> {
        let shader = self.shader;
        let block = shader.blocks.get(index as usize).ok_or_else(|| internal("unknown uniform block"))?;
        let Some(base) = self.uniforms.block_bases.get(index as usize).copied().flatten() else {
            return Ok(GlobalHome::None);
        };
        let (offsets, span) = std140::struct_layout(shader, &block.fields, false);
        let mut members = Vec::new();
        for (field, offset) in block.fields.iter().zip(offsets) {
            let ty = self.host_type(&field.ty, field.row_major)?;
            members.push(StructMember { name: Some(field.name.clone()), ty, binding: None, offset });
        }
        let ty = self.struct_type(&block.name, members, span);
        Ok(GlobalHome::Block(
            (0..block.array.unwrap_or(1))
                .map(|i| self.resource(&block.name, AddressSpace::Uniform, (GROUP_BLOCKS, base + i), ty))
                .collect(),
        ))
    }

    /// The private variable of a built-in, if the shader uses it.
    pub(super) fn builtin(&self, which: BuiltinVariable) -> Option<Handle<GlobalVariable>> {
        self.shader.globals.iter().zip(&self.globals).find_map(|(global, home)| match (&global.storage, home) {
            (Storage::Builtin(builtin), GlobalHome::Private(variable)) if *builtin == which => Some(*variable),
            _ => None,
        })
    }

    pub(super) fn global_type(&self, id: GlobalId) -> Result<&Type> {
        self.shader.globals.get(id.0 as usize).map(|g| &g.ty).ok_or_else(|| internal("unknown global"))
    }
}

/// Component type and count of a vector or scalar.
pub(super) fn vector_of(ty: &Type) -> Option<(Scalar, u8)> {
    match ty {
        Type::Scalar(scalar) => Some((*scalar, 1)),
        Type::Vector(scalar, size) => Some((*scalar, *size)),
        _ => None,
    }
}
