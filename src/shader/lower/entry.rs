//! What both entry points share: initialisers, the call of `main`, and results.

use naga::{
    Binding, BuiltIn, EntryPoint, Expression, FunctionArgument, FunctionResult, Handle, ShaderStage, Statement,
    StructMember,
};

use super::function::FunctionBuilder;
use super::globals::{DriverMember, GlobalHome};
use super::{Result, StageLowering, internal};
use crate::shader::hir::{BuiltinVariable, ExprKind, Scalar, Type};

/// Results of an entry point: values with bindings.
#[derive(Default)]
pub(super) struct Results {
    pub members: Vec<StructMember>,
    pub values: Vec<Handle<Expression>>,
}

/// Bytes between results. No one lays them out in memory; naga only wants them apart (8 clip distances are 32).
const RESULT_STRIDE: u32 = 32;

impl Results {
    pub(super) fn push(&mut self, name: &str, ty: Handle<naga::Type>, binding: Binding, value: Handle<Expression>) {
        self.members.push(StructMember {
            name: Some(name.to_owned()),
            ty,
            binding: Some(binding),
            offset: RESULT_STRIDE * self.members.len() as u32,
        });
        self.values.push(value);
    }
}

pub(super) fn location(location: u32) -> Binding {
    Binding::Location { location, interpolation: None, sampling: None, blend_src: None, per_primitive: false }
}

impl FunctionBuilder<'_, '_> {
    /// Declares an argument of the entry point: its value.
    pub(super) fn argument(&mut self, name: &str, ty: Handle<naga::Type>, binding: Binding) -> Handle<Expression> {
        let index = self.function.arguments.len() as u32;
        self.function.arguments.push(FunctionArgument { name: Some(name.to_owned()), ty, binding: Some(binding) });
        self.pre(Expression::FunctionArgument(index))
    }

    pub(super) fn builtin_argument(
        &mut self,
        name: &str,
        scalar: naga::Scalar,
        size: u8,
        builtin: BuiltIn,
    ) -> Handle<Expression> {
        let ty = self.stage.vector_type(scalar, size);
        self.argument(name, ty, Binding::BuiltIn(builtin))
    }

    /// A pointer to what a path of fields, elements and columns leads to; its type besides.
    pub(super) fn walk(
        &mut self,
        global: crate::shader::hir::GlobalId,
        path: &[u32],
    ) -> Result<(Handle<Expression>, Type)> {
        let Some(GlobalHome::Private(variable)) = self.stage.globals.get(global.0 as usize) else {
            return Err(internal("interface variable is not declared"));
        };
        let variable = *variable;
        let mut ty = self.stage.global_type(global)?.clone();
        let mut pointer = self.global(variable);
        for &step in path {
            let (index, inner) = match &ty {
                Type::Struct(id) => {
                    let field = crate::shader::link::types::fields(self.stage.shader, *id)
                        .get(step as usize)
                        .ok_or_else(|| internal("unknown field in a path"))?;
                    (self.stage.member_index(*id, step), field.ty.clone())
                }
                Type::Array(element, _) => (step, (**element).clone()),
                Type::Matrix { rows, .. } => (step, Type::Vector(Scalar::Float, *rows)),
                _ => return Err(internal("path through something that has no parts")),
            };
            pointer = self.add(Expression::AccessIndex { base: pointer, index });
            ty = inner;
        }
        Ok((pointer, ty))
    }

    /// A member of the driver block.
    pub(super) fn driver(&mut self, member: DriverMember, offset: u32) -> Result<Handle<Expression>> {
        let driver = self.stage.driver.ok_or_else(|| internal("driver block is not declared"))?;
        let base = self.global(driver);
        let pointer = self.add(Expression::AccessIndex { base, index: member as u32 + offset });
        Ok(self.load(pointer))
    }

    /// Fills the built-ins that come from the driver block.
    pub(super) fn load_driver_builtins(&mut self) -> Result<()> {
        for (builtin, member) in [
            (BuiltinVariable::DrawId, DriverMember::DrawId),
            (BuiltinVariable::BaseInstance, DriverMember::BaseInstance),
            (BuiltinVariable::BaseVertex, DriverMember::BaseVertex),
        ] {
            if let Some(variable) = self.stage.builtin(builtin) {
                let value = self.driver(member, 0)?;
                let pointer = self.global(variable);
                self.store(pointer, value);
            }
        }
        if let Some(variable) = self.stage.builtin(BuiltinVariable::DepthRange) {
            let value = self.driver(DriverMember::DepthRange, 0)?;
            let base = self.global(variable);
            for index in 0..3 {
                let part = self.add(Expression::AccessIndex { base: value, index });
                let pointer = self.add(Expression::AccessIndex { base, index });
                self.store(pointer, part);
            }
        }
        Ok(())
    }

    /// Initialisers naga cannot hold as constants, in order of declaration; then `main`.
    pub(super) fn run_main(&mut self) -> Result<()> {
        let shader = self.stage.shader;
        for (index, global) in shader.globals.iter().enumerate() {
            let (Some(init), Some(GlobalHome::Private(variable))) = (&global.init, self.stage.globals.get(index))
            else {
                continue;
            };
            let variable = *variable;
            let done = matches!(init.kind, ExprKind::Constant(_))
                && self.stage.module.global_variables[variable].init.is_some();
            if !done {
                let value = self.value(init)?;
                let pointer = self.global(variable);
                self.store(pointer, value);
            }
        }
        let function = self.stage.instance(shader.main, Vec::new())?;
        self.push(Statement::Call { function, arguments: Vec::new(), result: None });
        self.raise_flag()
    }

    /// Returns the results and makes the function the entry point.
    pub(super) fn return_results(&mut self, results: Results) {
        let value = if results.members.is_empty() {
            None
        } else {
            let span = RESULT_STRIDE * results.members.len() as u32;
            let ty = self.stage.struct_type("Results", results.members, span);
            self.function.result = Some(FunctionResult { ty, binding: None });
            Some(self.add(Expression::Compose { ty, components: results.values }))
        };
        self.push(Statement::Return { value });
    }
}

impl StageLowering<'_> {
    pub(super) fn add_entry(&mut self, stage: ShaderStage, function: naga::Function) {
        self.module.entry_points.push(EntryPoint {
            name: "main".to_owned(),
            stage,
            early_depth_test: None,
            workgroup_size: [0, 0, 0],
            workgroup_size_overrides: None,
            function,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        });
    }
}
