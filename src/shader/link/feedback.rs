//! Transform feedback: what `transformFeedbackVaryings` names, checked and resolved (OpenGL ES 3.0 §2.15).

use super::LinkOptions;
use super::types::{fields, register_shape, split_array, variable_type};
use crate::shader::error::InfoLog;
use crate::shader::hir::{BuiltinVariable, GlobalId, Shader, Storage, Type};
use crate::shader::program::{FeedbackVarying, VariableType};

/// One captured variable: where it is and where its words go.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    pub global: GlobalId,
    /// Fields and elements from the variable to what is captured.
    pub path: Vec<u32>,
    pub ty: VariableType,
    pub size: u32,
    /// The captured thing is an array (all `size` elements are written).
    pub is_array: bool,
    pub buffer: u32,
    /// First word inside one vertex's record.
    pub word: u32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feedback {
    pub captures: Vec<Capture>,
    /// Words per vertex in each buffer.
    pub strides: Vec<u32>,
}

pub fn link(shader: &Shader, options: &LinkOptions, log: &mut InfoLog) -> (Feedback, Vec<FeedbackVarying>) {
    let mut feedback = Feedback::default();
    let mut active = Vec::new();
    let limits = &options.limits;
    let mut seen = std::collections::BTreeSet::new();
    if options.feedback_separate && options.feedback_varyings.len() > limits.max_feedback_separate_attribs as usize {
        log.line("Too many transform feedback varyings for SEPARATE_ATTRIBS.");
        return (feedback, active);
    }
    for name in &options.feedback_varyings {
        if !seen.insert(name.as_str()) {
            log.line(format_args!("Two transform feedback varyings specify the same output variable ({name})."));
            continue;
        }
        let Some(mut capture) = find(shader, name) else {
            log.line(format_args!("Transform feedback varying {name} does not exist in the vertex shader."));
            continue;
        };
        let (rows, components) = register_shape(capture.ty);
        let words = rows * components * capture.size;
        if options.feedback_separate {
            if words > limits.max_feedback_separate_components {
                log.line(format_args!(
                    "Transform feedback varying {name} components ({words}) exceed the maximum separate components ({}).",
                    limits.max_feedback_separate_components
                ));
            }
            capture.buffer = feedback.strides.len() as u32;
            feedback.strides.push(words);
        } else {
            if feedback.strides.is_empty() {
                feedback.strides.push(0);
            }
            if let Some(stride) = feedback.strides.first_mut() {
                capture.word = *stride;
                *stride += words;
            }
        }
        active.push(FeedbackVarying { name: name.clone(), ty: capture.ty, size: capture.size });
        feedback.captures.push(capture);
    }
    if let (false, Some(total)) = (options.feedback_separate, feedback.strides.first())
        && *total > limits.max_feedback_interleaved_components
    {
        log.line(format_args!(
            "Transform feedback varying total components ({total}) exceed the maximum interleaved components ({}).",
            limits.max_feedback_interleaved_components
        ));
    }
    (feedback, active)
}

/// `name`, `name[2]`, `name.field`, `name.field[1]` …
fn find(shader: &Shader, name: &str) -> Option<Capture> {
    let end = name.find(['[', '.']).unwrap_or(name.len());
    let (base, mut rest) = name.split_at(end);
    let (index, global) = shader.globals.iter().enumerate().find(|(_, g)| {
        g.name == base
            && matches!(
                g.storage,
                Storage::Out(_) | Storage::Builtin(BuiltinVariable::Position | BuiltinVariable::PointSize)
            )
    })?;
    let mut ty = &global.ty;
    let mut path = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (digits, after) = after.split_once(']')?;
            let element: u32 = digits.parse().ok()?;
            let Type::Array(inner, len) = ty else { return None };
            if element >= *len {
                return None;
            }
            path.push(element);
            ty = inner;
            rest = after;
        } else {
            let after = rest.strip_prefix('.')?;
            let end = after.find(['[', '.']).unwrap_or(after.len());
            let (field, after) = after.split_at(end);
            let Type::Struct(id) = ty else { return None };
            let (position, found) = fields(shader, *id).iter().enumerate().find(|(_, f)| f.name == field)?;
            path.push(position as u32);
            ty = &found.ty;
            rest = after;
        }
    }
    let (element, len) = split_array(ty);
    Some(Capture {
        global: GlobalId(index as u32),
        path,
        ty: variable_type(element)?,
        size: len.unwrap_or(1),
        is_array: len.is_some(),
        buffer: 0,
        word: 0,
    })
}
