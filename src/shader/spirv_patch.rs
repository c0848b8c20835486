//! Writes the bodies of texture intrinsics into SPIR-V (see `lower::texture_intrinsic`).
//!
//! An intrinsic's function comes out of naga with a dummy body that queries the size of its image at an impossible
//! level. Here the body becomes: load image and sampler, `OpSampledImage`, one sampling instruction, return. What
//! the new body needs of types, constants and the sampler variable is declared before the first function.

use std::collections::BTreeMap;

use super::lower::{Intrinsic, IntrinsicLevel, MARKER};
use super::program::GROUP_TEXTURES;

// Opcodes (SPIR-V specification §3.42) and enumerants used here.
const OP_TYPE_INT: u32 = 21;
const OP_TYPE_FLOAT: u32 = 22;
const OP_TYPE_VECTOR: u32 = 23;
const OP_TYPE_SAMPLER: u32 = 26;
const OP_TYPE_SAMPLED_IMAGE: u32 = 27;
const OP_TYPE_POINTER: u32 = 32;
const OP_CONSTANT: u32 = 43;
const OP_CONSTANT_COMPOSITE: u32 = 44;
const OP_FUNCTION: u32 = 54;
const OP_FUNCTION_PARAMETER: u32 = 55;
const OP_FUNCTION_END: u32 = 56;
const OP_VARIABLE: u32 = 59;
const OP_LOAD: u32 = 61;
const OP_DECORATE: u32 = 71;
const OP_SAMPLED_IMAGE: u32 = 86;
const OP_IMAGE_SAMPLE_IMPLICIT_LOD: u32 = 87;
const OP_IMAGE_SAMPLE_EXPLICIT_LOD: u32 = 88;
const OP_IMAGE_SAMPLE_DREF_IMPLICIT_LOD: u32 = 89;
const OP_IMAGE_SAMPLE_DREF_EXPLICIT_LOD: u32 = 90;
const OP_IMAGE_QUERY_SIZE_LOD: u32 = 103;
const OP_LABEL: u32 = 248;
const OP_RETURN_VALUE: u32 = 254;
const STORAGE_UNIFORM_CONSTANT: u32 = 0;
const DECORATION_BINDING: u32 = 33;
const DECORATION_DESCRIPTOR_SET: u32 = 34;
const OPERAND_BIAS: u32 = 1;
const OPERAND_LOD: u32 = 2;
const OPERAND_GRAD: u32 = 4;
const OPERAND_CONST_OFFSET: u32 = 8;

const HEADER: usize = 5;

type Patch<T> = Result<T, &'static str>;

struct Instruction<'w> {
    opcode: u32,
    operands: &'w [u32],
    words: &'w [u32],
}

fn instructions(words: &[u32]) -> Patch<Vec<Instruction<'_>>> {
    let mut out = Vec::new();
    let mut rest = words.get(HEADER..).ok_or("SPIR-V without header")?;
    while let Some(first) = rest.first() {
        let count = (first >> 16) as usize;
        let (words, tail) = rest.split_at_checked(count.max(1)).ok_or("truncated SPIR-V")?;
        out.push(Instruction { opcode: first & 0xffff, operands: words.get(1..).unwrap_or(&[]), words });
        rest = tail;
    }
    Ok(out)
}

fn push(out: &mut Vec<u32>, opcode: u32, operands: &[u32]) {
    out.push((operands.len() as u32 + 1) << 16 | opcode);
    out.extend_from_slice(operands);
}

/// What the module declares, as far as it matters, and what is added to it.
struct Declarations {
    next_id: u32,
    /// Instruction without its result id → result id.
    known: BTreeMap<Vec<u32>, u32>,
    /// (set, binding) → variable.
    bindings: BTreeMap<(u32, u32), u32>,
    decorations: Vec<u32>,
    added: Vec<u32>,
}

impl Declarations {
    fn read(words: &[u32], list: &[Instruction<'_>]) -> Declarations {
        let mut declarations = Declarations {
            next_id: words.get(3).copied().unwrap_or(0),
            known: BTreeMap::new(),
            bindings: BTreeMap::new(),
            decorations: Vec::new(),
            added: Vec::new(),
        };
        let mut sets = BTreeMap::new();
        let mut numbers = BTreeMap::new();
        for instruction in list.iter().take_while(|i| i.opcode != OP_FUNCTION) {
            match (instruction.opcode, instruction.operands) {
                (OP_DECORATE, &[target, DECORATION_DESCRIPTOR_SET, set]) => {
                    sets.insert(target, set);
                }
                (OP_DECORATE, &[target, DECORATION_BINDING, number]) => {
                    numbers.insert(target, number);
                }
                (
                    OP_TYPE_INT
                    | OP_TYPE_FLOAT
                    | OP_TYPE_VECTOR
                    | OP_TYPE_SAMPLER
                    | OP_TYPE_SAMPLED_IMAGE
                    | OP_TYPE_POINTER,
                    [result, rest @ ..],
                ) => {
                    declarations.known.insert(key(instruction.opcode, rest), *result);
                }
                (OP_CONSTANT | OP_CONSTANT_COMPOSITE, [ty, result, rest @ ..]) => {
                    let mut operands = vec![*ty];
                    operands.extend_from_slice(rest);
                    declarations.known.insert(key(instruction.opcode, &operands), *result);
                }
                _ => {}
            }
        }
        for (target, set) in sets {
            if let Some(number) = numbers.get(&target) {
                declarations.bindings.insert((set, *number), target);
            }
        }
        declarations
    }

    fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id - 1
    }

    /// A type declaration: found or added.
    fn ty(&mut self, opcode: u32, operands: &[u32]) -> u32 {
        let key = key(opcode, operands);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.id();
        let mut all = vec![id];
        all.extend_from_slice(operands);
        push(&mut self.added, opcode, &all);
        self.known.insert(key, id);
        id
    }

    fn constant(&mut self, opcode: u32, ty: u32, operands: &[u32]) -> u32 {
        let mut keyed = vec![ty];
        keyed.extend_from_slice(operands);
        let key = key(opcode, &keyed);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.id();
        let mut all = vec![ty, id];
        all.extend_from_slice(operands);
        push(&mut self.added, opcode, &all);
        self.known.insert(key, id);
        id
    }

    /// The sampler variable of a texture slot and its type.
    fn sampler(&mut self, slot: u32) -> (u32, u32) {
        let ty = self.ty(OP_TYPE_SAMPLER, &[]);
        let place = (GROUP_TEXTURES, 2 * slot + 1);
        if let Some(variable) = self.bindings.get(&place) {
            return (*variable, ty);
        }
        let pointer = self.ty(OP_TYPE_POINTER, &[STORAGE_UNIFORM_CONSTANT, ty]);
        let variable = self.id();
        push(&mut self.added, OP_VARIABLE, &[pointer, variable, STORAGE_UNIFORM_CONSTANT]);
        push(&mut self.decorations, OP_DECORATE, &[variable, DECORATION_DESCRIPTOR_SET, place.0]);
        push(&mut self.decorations, OP_DECORATE, &[variable, DECORATION_BINDING, place.1]);
        self.bindings.insert(place, variable);
        (variable, ty)
    }

    fn offset(&mut self, values: &[i32]) -> u32 {
        let int = self.ty(OP_TYPE_INT, &[32, 1]);
        let parts: Vec<u32> = values.iter().map(|v| self.constant(OP_CONSTANT, int, &[*v as u32])).collect();
        let vector = self.ty(OP_TYPE_VECTOR, &[int, parts.len() as u32]);
        self.constant(OP_CONSTANT_COMPOSITE, vector, &parts)
    }
}

fn key(opcode: u32, operands: &[u32]) -> Vec<u32> {
    let mut key = vec![opcode];
    key.extend_from_slice(operands);
    key
}

/// Replaces the bodies of all marked functions.
pub(super) fn patch(words: &[u32], intrinsics: &[Intrinsic]) -> Patch<Vec<u32>> {
    let list = instructions(words)?;
    let mut declarations = Declarations::read(words, &list);
    let first_function = list.iter().position(|i| i.opcode == OP_FUNCTION).ok_or("SPIR-V without functions")?;
    let (head, functions) = list.split_at_checked(first_function).ok_or("SPIR-V without functions")?;
    let constants: BTreeMap<u32, u32> = head
        .iter()
        .filter_map(|i| match (i.opcode, i.operands) {
            (OP_CONSTANT, &[_, id, value]) => Some((id, value)),
            _ => None,
        })
        .collect();

    let mut bodies = Vec::new();
    let mut patched = 0;
    let mut current: Vec<&Instruction<'_>> = Vec::new();
    for instruction in functions {
        current.push(instruction);
        if instruction.opcode != OP_FUNCTION_END {
            continue;
        }
        match marked(&current, &constants, intrinsics) {
            Some(intrinsic) => {
                body(&current, intrinsic, &mut declarations, &mut bodies)?;
                patched += 1;
            }
            None => current.iter().for_each(|i| bodies.extend_from_slice(i.words)),
        }
        current.clear();
    }
    if patched != intrinsics.len() {
        return Err("a texture intrinsic was not found");
    }

    let mut out = words.get(..HEADER).ok_or("SPIR-V without header")?.to_vec();
    let mut decorated = false;
    for instruction in head {
        // Annotations come before the first type, constant or variable.
        let is_declaration = matches!(instruction.opcode, 19..=46 | 50 | 51 | OP_VARIABLE);
        if is_declaration && !decorated {
            out.append(&mut declarations.decorations);
            decorated = true;
        }
        out.extend_from_slice(instruction.words);
    }
    out.append(&mut declarations.added);
    out.append(&mut bodies);
    if let Some(bound) = out.get_mut(3) {
        *bound = declarations.next_id;
    }
    Ok(out)
}

/// The intrinsic a function stands for, if it bears a mark.
fn marked<'i>(
    function: &[&Instruction<'_>],
    constants: &BTreeMap<u32, u32>,
    intrinsics: &'i [Intrinsic],
) -> Option<&'i Intrinsic> {
    function.iter().find_map(|i| match (i.opcode, i.operands) {
        (OP_IMAGE_QUERY_SIZE_LOD, &[_, _, _, level]) => {
            let number = constants.get(&level)?.checked_sub(MARKER)?;
            intrinsics.get(number as usize)
        }
        _ => None,
    })
}

fn body(
    function: &[&Instruction<'_>],
    intrinsic: &Intrinsic,
    declarations: &mut Declarations,
    out: &mut Vec<u32>,
) -> Patch<()> {
    let (mut result, mut parameters, mut image) = (None, Vec::new(), None);
    for instruction in function {
        match (instruction.opcode, instruction.operands) {
            (OP_FUNCTION, [ty, ..]) => result = Some(*ty),
            (OP_FUNCTION_PARAMETER, [_, id]) => parameters.push(*id),
            // naga loads the image first of all.
            (OP_LOAD, [ty, _, variable, ..]) if image.is_none() => image = Some((*ty, *variable)),
            _ => {}
        }
        if matches!(instruction.opcode, OP_FUNCTION | OP_FUNCTION_PARAMETER) {
            out.extend_from_slice(instruction.words);
        }
    }
    let result = result.ok_or("texture intrinsic without result type")?;
    let (image_type, image_variable) = image.ok_or("texture intrinsic without image")?;
    let (sampler_variable, sampler_type) = declarations.sampler(intrinsic.slot);
    let sampled_type = declarations.ty(OP_TYPE_SAMPLED_IMAGE, &[image_type]);
    let offset = intrinsic.offset.as_ref().map(|values| declarations.offset(values));

    let label = declarations.id();
    let image = declarations.id();
    let sampler = declarations.id();
    let sampled = declarations.id();
    let value = declarations.id();
    push(out, OP_LABEL, &[label]);
    push(out, OP_LOAD, &[image_type, image, image_variable]);
    push(out, OP_LOAD, &[sampler_type, sampler, sampler_variable]);
    push(out, OP_SAMPLED_IMAGE, &[sampled_type, sampled, image, sampler]);

    let mut parameters = parameters.into_iter();
    let mut next = || parameters.next().ok_or("texture intrinsic with too few parameters");
    let mut operands = vec![result, value, sampled, next()?];
    if intrinsic.sampler.shadow {
        operands.push(next()?);
    }
    let mut mask = 0;
    let mut values = Vec::new();
    let explicit = match intrinsic.level {
        IntrinsicLevel::Implicit => false,
        IntrinsicLevel::Bias => {
            mask |= OPERAND_BIAS;
            values.push(next()?);
            false
        }
        IntrinsicLevel::Lod => {
            mask |= OPERAND_LOD;
            values.push(next()?);
            true
        }
        IntrinsicLevel::Grad => {
            mask |= OPERAND_GRAD;
            values.push(next()?);
            values.push(next()?);
            true
        }
    };
    if let Some(offset) = offset {
        mask |= OPERAND_CONST_OFFSET;
        values.push(offset);
    }
    if mask != 0 {
        operands.push(mask);
        operands.append(&mut values);
    }
    let opcode = match (intrinsic.sampler.shadow, explicit) {
        (false, false) => OP_IMAGE_SAMPLE_IMPLICIT_LOD,
        (false, true) => OP_IMAGE_SAMPLE_EXPLICIT_LOD,
        (true, false) => OP_IMAGE_SAMPLE_DREF_IMPLICIT_LOD,
        (true, true) => OP_IMAGE_SAMPLE_DREF_EXPLICIT_LOD,
    };
    push(out, opcode, &operands);
    push(out, OP_RETURN_VALUE, &[value]);
    push(out, OP_FUNCTION_END, &[]);
    Ok(())
}
