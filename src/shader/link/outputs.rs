//! Fragment outputs: colour numbers and dual-source indices (OpenGL ES 3.0 §3.9.2).

use super::LinkOptions;
use super::types::{scalar_of, split_array, variable_type};
use crate::shader::error::InfoLog;
use crate::shader::hir::{BuiltinVariable, Dialect, GlobalId, Scalar, Shader, Storage};
use crate::shader::program::{FragmentOutput, OutputSlot};

/// One colour the shader writes: from which variable (or element) and where to.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputLink {
    pub global: GlobalId,
    /// Element of an array output.
    pub element: Option<u32>,
    pub location: u32,
    pub index: u32,
    pub kind: Scalar,
    pub components: u8,
}

#[derive(Debug, Default)]
pub struct Outputs {
    pub links: Vec<OutputLink>,
    pub active: Vec<FragmentOutput>,
    pub slots: Vec<OutputSlot>,
}

pub fn link(shader: &Shader, options: &LinkOptions, log: &mut InfoLog) -> Outputs {
    let mut outputs = Outputs::default();
    match shader.dialect {
        Dialect::Essl100 => essl100(shader, options, &mut outputs),
        Dialect::Essl300 => essl300(shader, options, &mut outputs, log),
    }
    for link in &outputs.links {
        if !outputs.slots.iter().any(|slot| slot.location == link.location) {
            outputs.slots.push(OutputSlot { location: link.location, kind: link.kind });
        }
    }
    outputs.slots.sort_by_key(|slot| slot.location);
    outputs
}

fn essl100(shader: &Shader, options: &LinkOptions, outputs: &mut Outputs) {
    let max = options.limits.max_draw_buffers;
    for (index, global) in shader.globals.iter().enumerate().filter(|(_, g)| g.used) {
        let global_id = GlobalId(index as u32);
        match global.storage {
            // EXT_draw_buffers: gl_FragColor goes to every target.
            Storage::Builtin(BuiltinVariable::FragColor) => {
                let targets = if shader.draw_buffers { max } else { 1 };
                outputs.links.extend((0..targets).map(|location| OutputLink {
                    global: global_id,
                    element: None,
                    location,
                    index: 0,
                    kind: Scalar::Float,
                    components: 4,
                }));
            }
            Storage::Builtin(BuiltinVariable::FragData) => {
                let targets = if shader.draw_buffers { shader.frag_data_len.clamp(1, max) } else { 1 };
                outputs.links.extend((0..targets).map(|location| OutputLink {
                    global: global_id,
                    element: Some(location),
                    location,
                    index: 0,
                    kind: Scalar::Float,
                    components: 4,
                }));
            }
            _ => {}
        }
    }
}

fn essl300(shader: &Shader, options: &LinkOptions, outputs: &mut Outputs, log: &mut InfoLog) {
    let max = options.limits.max_draw_buffers;
    let declared: Vec<_> = shader
        .globals
        .iter()
        .enumerate()
        .filter_map(|(index, global)| match &global.storage {
            Storage::Out(interface) => Some((GlobalId(index as u32), global, *interface)),
            _ => None,
        })
        .collect();
    let alone = declared.len() == 1;
    // (location, index) → taken by
    let mut taken = std::collections::BTreeMap::new();
    for (id, global, interface) in declared {
        let location = match interface.location {
            Some(location) => location,
            None if alone => 0,
            None => {
                log.line(format_args!(
                    "must explicitly specify all locations when using multiple fragment outputs ({})",
                    global.name
                ));
                continue;
            }
        };
        let (element, len) = split_array(&global.ty);
        let Some(ty) = variable_type(element) else { continue };
        let count = len.unwrap_or(1);
        if location.saturating_add(count) > max {
            log.line(format_args!("Fragment output '{}' exceeds MAX_DRAW_BUFFERS ({max})", global.name));
            continue;
        }
        let kind = scalar_of(ty);
        let components = match *element {
            crate::shader::hir::Type::Vector(_, size) => size,
            _ => 1,
        };
        outputs.active.push(FragmentOutput {
            name: global.name.clone(),
            location,
            index: interface.index,
            array_len: count,
            kind,
        });
        for i in 0..count {
            let key = (location + i, interface.index);
            if let Some(other) = taken.insert(key, global.name.clone()) {
                log.line(format_args!(
                    "conflicting output locations with previously defined output '{other}' ('{}')",
                    global.name
                ));
            }
            outputs.links.push(OutputLink {
                global: id,
                element: len.map(|_| i),
                location: location + i,
                index: interface.index,
                kind,
                components,
            });
        }
    }
}
