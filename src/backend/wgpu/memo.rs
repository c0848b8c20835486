//! Passes that need not run again.
//!
//! A pass that clears all its attachments draws a picture that depends only on what it binds. If everything it binds is
//! as it was when the same attachments were last drawn, and nobody touched them since, they hold that picture already:
//! the pass is dropped. Shadow maps of scenes that stand still are the usual case. The comparison is of whole contents
//! (uniform bytes, versions of buffers and images), never of hashes, so that a dropped pass is certain to be one.

use rustc_hash::FxHashMap;

use super::context::WgpuBackend;
use super::pass::{Item, Pass, PassAttachment};
use super::texture::ImageSlot;
use crate::gl::command::IndexFormat;

/// A pass with more contents than this always runs.
const MAX_CONTENTS: usize = 4 << 20;
/// After so many passes in a row that were new, comparing pauses for this many passes.
const PATIENCE: u32 = 4;
const PAUSE: u32 = 30;

/// What the last pass on some attachments was made of.
#[derive(Debug, Default)]
struct Memory {
    contents: Vec<u8>,
    /// Versions of the attachments after it.
    versions: Vec<u64>,
    misses: u32,
    pause: u32,
}

/// Memories by first attachment.
#[derive(Debug, Default)]
pub struct PassMemo {
    memories: FxHashMap<(ImageSlot, u32, u32), Memory>,
    scratch: Vec<u8>,
}

fn attachments(pass: &Pass) -> impl Iterator<Item = &PassAttachment> {
    let colors = pass.colors.iter().flatten().map(|color| &color.attachment);
    colors.chain(pass.depth.iter().map(|depth| &depth.attachment))
}

/// Does nothing of the attachments' former contents survive, and does all of the new ones?
fn replaces_all(pass: &Pass) -> bool {
    let colors = pass.colors.iter().flatten().all(|color| color.clear.is_some() && color.store);
    let depth = pass.depth.as_ref().is_none_or(|depth| {
        depth.store
            && (!depth.has_depth || depth.clear_depth.is_some())
            && (!depth.has_stencil || depth.clear_stencil.is_some())
    });
    colors && depth && !pass.queries && pass.colors.iter().flatten().all(|color| color.resolve.is_none())
}

impl WgpuBackend {
    /// May `pass`, about to be recorded, be dropped? If not, its attachments become new.
    pub(super) fn is_repeat(&mut self, pass: &Pass) -> bool {
        let key = attachments(pass).next().map(|first| (first.image, first.level, first.layer));
        let key = key.filter(|_| replaces_all(pass) && pass.draws > 0);
        let mut memo = std::mem::take(&mut self.memo);
        let mut repeat = false;
        if let Some(key) = key {
            let memory = memo.memories.entry(key).or_default();
            if memory.pause > 0 {
                memory.pause -= 1;
                self.renew_attachments(pass);
                memory.contents.clear();
                memory.versions.clear();
            } else {
                memo.scratch.clear();
                let known = self.pass_contents(pass, &mut memo.scratch);
                let versions = self.attachment_versions(pass);
                repeat = known && memo.scratch == memory.contents && versions == memory.versions;
                if repeat {
                    memory.misses = 0;
                } else {
                    self.renew_attachments(pass);
                    memory.misses += 1;
                    if !known || memory.misses > PATIENCE {
                        (memory.misses, memory.pause) = (0, PAUSE);
                        memory.contents = Vec::new();
                    } else {
                        std::mem::swap(&mut memory.contents, &mut memo.scratch);
                    }
                    memory.versions = self.attachment_versions(pass);
                }
            }
        } else {
            self.renew_attachments(pass);
        }
        self.memo = memo;
        repeat
    }

    /// What the attachments hold is new.
    pub(super) fn renew_attachments(&mut self, pass: &Pass) {
        for attachment in attachments(pass) {
            self.uid += 1;
            if let Ok(image) = self.images.get_mut(attachment.image) {
                image.renew(attachment.level, attachment.layer, self.uid);
            }
        }
    }

    fn attachment_versions(&self, pass: &Pass) -> Vec<u64> {
        attachments(pass)
            .map(|attachment| {
                let image = self.images.get(attachment.image);
                image.map_or(0, |image| image.version_of(attachment.level, attachment.layer))
            })
            .collect()
    }

    /// Writes all that the pass's picture depends on; false if it cannot be told or is too much.
    fn pass_contents(&self, pass: &Pass, out: &mut Vec<u8>) -> bool {
        let words = |out: &mut Vec<u8>, words: &[u64]| out.extend_from_slice(bytemuck::cast_slice(words));
        words(out, &[pass.width.into(), pass.height.into()]);
        for attachment in attachments(pass) {
            words(out, &[attachment.image.0.into(), attachment.level.into(), attachment.layer.into()]);
        }
        for color in &pass.colors {
            let clear = color.as_ref().and_then(|color| color.clear);
            let bits = clear.map_or([u64::MAX; 4], |c| [c.r, c.g, c.b, c.a].map(f64::to_bits));
            words(out, &bits);
        }
        if let Some(depth) = &pass.depth {
            let clear = depth.clear_depth.map_or(0, f32::to_bits);
            words(out, &[clear.into(), depth.clear_stencil.unwrap_or(0).into()]);
        }
        for item in &pass.items {
            if out.len() > MAX_CONTENTS || !self.item_contents(item, pass, out) {
                return false;
            }
        }
        true
    }

    fn item_contents(&self, item: &Item, pass: &Pass, out: &mut Vec<u8>) -> bool {
        let mut words = |words: &[u64]| out.extend_from_slice(bytemuck::cast_slice(words));
        match *item {
            Item::Pipeline(id) => words(&[1, self.pipelines.uid(id)]),
            Item::BindGroup { index, group, first, count } => {
                let offsets = pass.offsets.get(first as usize..(first + count) as usize).unwrap_or_default();
                let Some(content) = self.groups.content(group) else { return false };
                words(&[2, index.into(), content.layout]);
                for ((chunk, size), offset) in content.uniforms.iter().zip(offsets) {
                    let Some(bytes) = self.ring.slice(*chunk, *offset, *size) else { return false };
                    out.extend_from_slice(bytes);
                }
                if content.uniforms.is_empty() {
                    let mut words = |word: u64| out.extend_from_slice(&word.to_ne_bytes());
                    content.key.iter().copied().for_each(&mut words);
                    offsets.iter().copied().map(u64::from).for_each(&mut words);
                    content.buffers.iter().map(|slot| self.buffers.version(*slot)).for_each(&mut words);
                    for slot in content.images {
                        let Ok(image) = self.images.get(*slot) else { return false };
                        words(image.version);
                    }
                }
            }
            Item::VertexBuffer { slot, buffer, offset } => {
                words(&[3, slot.into(), self.buffers.version(buffer), offset]);
            }
            Item::IndexBuffer { buffer, format } => {
                words(&[4, u64::from(format == IndexFormat::Uint32), self.buffers.version(buffer)]);
            }
            Item::Viewport(values) => {
                words(&[5]);
                words(&values.map(|value| value.to_bits().into()));
            }
            Item::Scissor(rect) => words(&[6, rect.x.into(), rect.y.into(), rect.width.into(), rect.height.into()]),
            Item::BlendConstant(values) => {
                words(&[7]);
                words(&values.map(|value| value.to_bits().into()));
            }
            Item::StencilReference(reference) => words(&[8, reference.into()]),
            Item::Draw { first, count, first_instance, instances } => {
                words(&[9, first.into(), count.into(), first_instance.into(), instances.into()]);
            }
            Item::DrawIndexed { first, count, base_vertex, first_instance, instances } => words(&[
                10,
                first.into(),
                count.into(),
                base_vertex.cast_unsigned().into(),
                first_instance.into(),
                instances.into(),
            ]),
            Item::BeginQuery(_) | Item::EndQuery => return false,
        }
        true
    }
}
