//! Program objects: what is attached, what linked, and the CPU copy of its uniforms.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::gl::command::ProgramId;
use crate::gl::compiler::LinkedCode;
use crate::gl::draw::resources::PushedBlock;
use crate::shader::hir::Scalar;
use crate::shader::{ActiveUniform, BlockPlace, ProgramCode, VariableType, Variant};

/// Bits of a uniform location that count links, so that locations of an older link are refused.
const GENERATION_SHIFT: u32 = 20;
const GENERATION_MASK: u32 = 0x7ff;

#[derive(Default)]
pub struct Program {
    /// Attached shader names, 0 = none.
    pub vertex: u32,
    pub fragment: u32,
    pub attribute_bindings: BTreeMap<String, u32>,
    pub feedback_varyings: Vec<String>,
    pub feedback_separate: bool,
    /// The executable of the last successful link.
    pub linked: Option<Box<Linked>>,
    pub link_status: bool,
    pub validate_status: bool,
    pub info_log: String,
    pub generation: u32,
    /// Current program or used by an active transform feedback.
    pub refs: u32,
    pub deleted: bool,
}

impl Program {
    /// The executable, if the last link succeeded (what the getters need).
    pub fn executable(&self) -> Option<&Linked> {
        if self.link_status { self.linked.as_deref() } else { None }
    }

    /// The location script sees.
    pub fn public_location(&self, location: u32) -> i32 {
        (location | (self.generation & GENERATION_MASK) << GENERATION_SHIFT) as i32
    }

    /// Index into `Linked::slots`, if the location stems from the present link.
    #[inline]
    pub fn internal_location(&self, location: i32) -> Option<usize> {
        let location = location as u32;
        (location >> GENERATION_SHIFT == self.generation & GENERATION_MASK)
            .then_some((location & ((1 << GENERATION_SHIFT) - 1)) as usize)
    }
}

/// One stage's default block as the CPU knows it.
#[derive(Clone, Debug)]
pub struct UniformBlockData {
    pub words: Vec<u32>,
    /// Goes up with each change; starts at 1 so that a fresh program is sent.
    pub version: u64,
}

/// Where in a stage one location writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotPlace {
    /// In words.
    pub offset: u32,
    pub array_stride: u32,
    pub matrix_stride: u32,
}

/// What one uniform location stands for.
#[derive(Clone, Copy, Debug)]
pub struct LocationSlot {
    pub ty: VariableType,
    /// Elements from this one to the end of the array.
    pub remaining: u32,
    pub is_array: bool,
    /// By stage: vertex, fragment.
    pub places: [Option<SlotPlace>; 2],
    /// Samplers: texture slot of this element.
    pub texture_slot: Option<u32>,
}

/// An emitted variant the back end has been told of.
#[derive(Clone, Debug)]
pub struct EmittedVariant {
    pub id: ProgramId,
    pub code: Arc<ProgramCode>,
}

/// The executable of a program.
pub struct Linked {
    pub code: Box<dyn LinkedCode>,
    /// By internal location; holes are `None`.
    pub slots: Vec<Option<LocationSlot>>,
    /// Vertex, fragment.
    pub blocks: [UniformBlockData; 2],
    /// Texture unit by texture slot.
    pub sampler_units: Vec<u32>,
    /// `uniformBlockBinding` by block index.
    pub block_bindings: Vec<u32>,
    pub variants: BTreeMap<Variant, EmittedVariant>,
    /// The feedback setting at link.
    pub feedback_separate: bool,
    /// Bytes per vertex in each feedback buffer.
    pub feedback_strides: Vec<u32>,
    /// Bit per attribute location the program reads; kind by location.
    pub attribute_mask: u32,
    pub attribute_kinds: [Option<Scalar>; 16],
    /// Distinguishes executables; never reused.
    pub serial: u64,
    /// By stage: where the stream's arena holds the block.
    pub pushed: [PushedBlock; 2],
}

impl Linked {
    pub fn new(code: Box<dyn LinkedCode>, feedback_separate: bool, serial: u64) -> Self {
        let reflection = code.reflection();
        let mut sizes = [0u32; 2];
        let mut slots = Vec::new();
        let mut texture_slots = 0;
        for uniform in &reflection.uniforms {
            for (size, place) in sizes.iter_mut().zip([uniform.vertex, uniform.fragment]) {
                if let Some(place) = place {
                    *size = (*size).max(place.offset / 4 + words_of(uniform, place));
                }
            }
            if let Some(slot) = uniform.texture_slot {
                texture_slots = texture_slots.max(slot + uniform.size);
            }
            let end = uniform.location as usize + uniform.size as usize;
            if slots.len() < end {
                slots.resize(end, None);
            }
            for element in 0..uniform.size {
                if let Some(slot) = slots.get_mut((uniform.location + element) as usize) {
                    *slot = Some(location_slot(uniform, element));
                }
            }
        }
        let block = |words: u32| UniformBlockData { words: vec![0; words.next_multiple_of(4) as usize], version: 1 };
        let mut attribute_mask = 0;
        let mut attribute_kinds = [None; 16];
        for attribute in reflection.attributes.iter().filter(|attribute| attribute.location >= 0) {
            let (kind, columns) = match attribute.ty {
                VariableType::Scalar(kind) | VariableType::Vector(kind, _) => (kind, 1),
                VariableType::Matrix { columns, .. } => (Scalar::Float, u32::from(columns)),
                VariableType::Sampler(_) => continue,
            };
            let first = attribute.location as u32;
            for location in first..(first + columns * attribute.size).min(16) {
                attribute_mask |= 1 << location;
                if let Some(slot) = attribute_kinds.get_mut(location as usize) {
                    *slot = Some(kind);
                }
            }
        }
        let varying_bytes = |varying: &crate::shader::FeedbackVarying| components_of(varying.ty) * varying.size * 4;
        let feedback_strides = if reflection.feedback_varyings.is_empty() {
            Vec::new()
        } else if feedback_separate {
            reflection.feedback_varyings.iter().map(varying_bytes).collect()
        } else {
            vec![reflection.feedback_varyings.iter().map(varying_bytes).sum()]
        };
        let block_bindings = vec![0; reflection.uniform_blocks.len()];
        Self {
            slots,
            blocks: sizes.map(block),
            sampler_units: vec![0; texture_slots as usize],
            block_bindings,
            variants: BTreeMap::new(),
            feedback_separate,
            feedback_strides,
            attribute_mask,
            attribute_kinds,
            serial,
            pushed: [None; 2],
            code,
        }
    }

    /// Gives the blocks the size that emitted code declares.
    pub fn fit_blocks(&mut self, code: &ProgramCode) {
        for (block, size) in self.blocks.iter_mut().zip([code.layout.vertex_block, code.layout.fragment_block]) {
            let words = size.div_ceil(4) as usize;
            if block.words.len() != words {
                block.words.resize(words, 0);
                block.version += 1;
            }
        }
    }
}

/// Components of a value of that type.
pub fn components_of(ty: VariableType) -> u32 {
    match ty {
        VariableType::Scalar(_) | VariableType::Sampler(_) => 1,
        VariableType::Vector(_, n) => u32::from(n),
        VariableType::Matrix { columns, rows } => u32::from(columns) * u32::from(rows),
    }
}

/// Words one uniform takes from its offset on, with array and matrix padding.
fn words_of(uniform: &ActiveUniform, place: BlockPlace) -> u32 {
    let element = match uniform.ty {
        VariableType::Scalar(_) | VariableType::Sampler(_) => 1,
        VariableType::Vector(_, n) => u32::from(n),
        VariableType::Matrix { columns, .. } => u32::from(columns) * (place.matrix_stride / 4).max(4),
    };
    (uniform.size.saturating_sub(1)) * (place.array_stride / 4) + element
}

fn location_slot(uniform: &ActiveUniform, element: u32) -> LocationSlot {
    let place = |place: Option<BlockPlace>| {
        place.map(|place| SlotPlace {
            offset: (place.offset + element * place.array_stride) / 4,
            array_stride: place.array_stride / 4,
            matrix_stride: place.matrix_stride / 4,
        })
    };
    LocationSlot {
        ty: uniform.ty,
        remaining: uniform.size - element,
        is_array: uniform.is_array,
        places: [place(uniform.vertex), place(uniform.fragment)],
        texture_slot: uniform.texture_slot.map(|slot| slot + element),
    }
}
