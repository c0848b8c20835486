//! Locations of vertex attributes (OpenGL ES 3.0 §2.12.5; WebGL 1 §6.9 forbids the aliasing ES 2.0 allows).

use super::LinkOptions;
use super::types::{register_shape, split_array, variable_type};
use crate::shader::error::InfoLog;
use crate::shader::hir::{BuiltinVariable, GlobalId, Scalar, Shader, Storage};
use crate::shader::program::{ActiveAttribute, VariableType};

/// An attribute the shader uses and where it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeLink {
    pub global: GlobalId,
    pub location: u32,
    pub ty: VariableType,
}

struct Pending<'a> {
    name: &'a str,
    global: GlobalId,
    ty: VariableType,
    slots: u32,
    fixed: Option<u32>,
}

pub fn assign(shader: &Shader, options: &LinkOptions, log: &mut InfoLog) -> (Vec<AttributeLink>, Vec<ActiveAttribute>) {
    let mut pending = Vec::new();
    let mut active_builtins = Vec::new();
    for (index, global) in shader.globals.iter().enumerate() {
        match &global.storage {
            Storage::In(interface) if global.used => {
                let (element, len) = split_array(&global.ty);
                let Some(ty) = variable_type(element) else { continue };
                pending.push(Pending {
                    name: &global.name,
                    global: GlobalId(index as u32),
                    ty,
                    slots: register_shape(ty).0 * len.unwrap_or(1),
                    // layout(location) wins over bindAttribLocation (ES 3.0 §2.12.5).
                    fixed: interface.location.or_else(|| options.attribute_bindings.get(&global.name).copied()),
                });
            }
            Storage::Builtin(BuiltinVariable::VertexId | BuiltinVariable::InstanceId) if global.used => {
                active_builtins.push(ActiveAttribute {
                    name: global.name.clone(),
                    ty: VariableType::Scalar(Scalar::Int),
                    size: 1,
                    location: -1,
                });
            }
            _ => {}
        }
    }
    let locations = locate(&pending, options, log);
    let mut links = Vec::new();
    let mut active = Vec::new();
    for (attribute, location) in pending.iter().zip(locations) {
        links.push(AttributeLink { global: attribute.global, location, ty: attribute.ty });
        active.push(ActiveAttribute {
            name: attribute.name.to_owned(),
            ty: attribute.ty,
            size: 1,
            location: location as i32,
        });
    }
    active.extend(active_builtins);
    (links, active)
}

/// Fixed locations first, then the widest of the rest at the first free place.
fn locate(pending: &[Pending<'_>], options: &LinkOptions, log: &mut InfoLog) -> Vec<u32> {
    let max = options.limits.max_vertex_attribs.min(64);
    let mut owner: Vec<Option<&str>> = vec![None; max as usize];
    let mut locations = vec![0; pending.len()];
    for (attribute, location) in pending.iter().zip(&mut locations) {
        let Some(fixed) = attribute.fixed else { continue };
        *location = fixed;
        if fixed.saturating_add(attribute.slots) > max {
            log.line(format_args!("Active attribute ({}) at location {fixed} is too big to fit", attribute.name));
            continue;
        }
        for slot in fixed..fixed + attribute.slots {
            let Some(place) = owner.get_mut(slot as usize) else { continue };
            if let Some(other) = *place {
                log.line(format_args!("Attribute '{}' aliases attribute '{other}' at location {slot}", attribute.name));
            }
            *place = Some(attribute.name);
        }
    }
    let mut order: Vec<usize> = (0..pending.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(pending.get(*i).map_or(0, |a| a.slots)));
    for index in order {
        let (Some(attribute), Some(location)) = (pending.get(index), locations.get_mut(index)) else {
            continue;
        };
        if attribute.fixed.is_some() {
            continue;
        }
        let free = (0..max).find(|start| {
            (*start..start + attribute.slots).all(|slot| owner.get(slot as usize).is_some_and(|place| place.is_none()))
        });
        match free {
            Some(start) => {
                *location = start;
                for place in owner.iter_mut().skip(start as usize).take(attribute.slots as usize) {
                    *place = Some(attribute.name);
                }
            }
            None => log.line(format_args!("Too many attributes ({})", attribute.name)),
        }
    }
    locations
}
