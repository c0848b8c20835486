//! Opening, splitting, closing passes; sending recorded work to the GPU.

use super::context::WgpuBackend;
use super::error::ErrorScopes;
use super::pass::{ColorTarget, DepthTarget, EncodeTables, Item, Op, Pass, encode};
use super::pipeline_key::TargetsKey;
use super::state::Dirty;
use crate::gl::backend::BackendError;
use crate::gl::command::{Clear, RenderTargets};

/// Draws recorded before a flush gives the GPU something to do.
const FLUSH_DRAWS: u32 = 3000;
/// Draws after which even an open pass is ended: the list of it must not grow without end.
const PASS_DRAWS: u32 = 30_000;
/// The same where the driver is lavapipe: it maps memory for each group of bindings with an offset that is set, a process
/// may have some 65,000 maps (`vm.max_map_count`), and it crashes at the next.
const PASS_DRAWS_SOFTWARE: u32 = 4000;
/// Upload bytes recorded before a flush frees their memory.
const FLUSH_UPLOADS: u64 = 64 << 20;

/// What the open pass has bound so far.
#[derive(Debug, Default)]
pub struct Bound {
    pub pipeline: Option<u32>,
    /// What the pipeline was found by.
    pub key: Option<super::pipeline_key::PipelineKey>,
    /// Group and its range of `Pass::offsets`.
    pub groups: [Option<(u32, u32, u32)>; 4],
    pub vertex: Vec<Option<(super::buffer::BufferSlot, u64)>>,
    pub index: Option<(super::buffer::BufferSlot, crate::gl::command::IndexFormat)>,
}

impl WgpuBackend {
    /// Was something last used by the pass that is open now?
    pub(super) fn in_open_pass(&self, last_pass: u64) -> bool {
        self.open.as_ref().is_some_and(|pass| pass.serial == last_pass)
    }

    /// Records `op` ahead of the open pass, which must not depend on it.
    pub(super) fn push_before_pass(&mut self, op: Op) {
        self.ops.push(op);
    }

    pub(super) fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    /// Ends the open pass; the next draw begins a new one on the same targets.
    pub(super) fn close_pass(&mut self) {
        let Some(mut pass) = self.open.take() else { return };
        let depth_copy = match self.observe_pass(&pass) {
            Ok(copy) => copy,
            Err(error) => {
                self.device.latch.set(error);
                None
            }
        };
        if self.query_slot_open {
            pass.items.push(Item::EndQuery);
            self.query_slot_open = false;
        }
        if self.is_repeat(&pass) {
            // Its depth is what it would draw.
            self.ops.extend(depth_copy.map(Op::Pass));
            return;
        }
        pass.depth_copy = depth_copy;
        self.pending_draws += pass.draws;
        self.ops.push(Op::Pass(Box::new(pass)));
    }

    /// Closes the pass if it touches `image`, or writes to it from anywhere recorded.
    pub(super) fn close_pass_using(&mut self, image: super::texture::ImageSlot) -> Result<(), BackendError> {
        if self.in_open_pass(self.images.get(image)?.last_pass) {
            self.close_pass();
        }
        Ok(())
    }

    pub(super) fn set_render_targets(&mut self, targets: RenderTargets) {
        if self.state.targets.as_ref() != Some(&targets) {
            self.state.targets = Some(targets);
            self.state.dirty.targets = true;
        }
    }

    /// Makes the open pass one on the current targets.
    pub(super) fn ensure_pass(&mut self) -> Result<(), BackendError> {
        let targets =
            self.state.targets.ok_or_else(|| BackendError::Internal("a draw before any render target".into()))?;
        if self.open.is_some() {
            if self.open_targets.as_ref() == Some(&targets) {
                return Ok(());
            }
            if self.open_targets.as_ref().is_some_and(|open| same_images(open, &targets)) {
                self.change_alpha(&targets);
                return Ok(());
            }
            self.close_pass();
        }
        let pass = self.new_pass(&targets)?;
        self.open_targets = Some(targets);
        self.open = Some(pass);
        self.bound = Bound::default();
        self.state.dirty = Dirty::ALL;
        self.begin_query_slot()
    }

    /// The same attachments, seen with or without alpha: the pass goes on with other pipelines.
    fn change_alpha(&mut self, targets: &RenderTargets) {
        let Some(mut key) = self.parts.targets.get(self.key_now.targets).cloned() else { return };
        let Some(pass) = self.open.as_mut() else { return };
        for ((target, key), wanted) in pass.colors.iter_mut().zip(&mut key.colors).zip(&targets.colors) {
            if let (Some(target), Some((_, has_alpha)), Some(wanted)) = (target, key, wanted) {
                target.attachment.has_alpha = wanted.has_alpha;
                *has_alpha = wanted.has_alpha;
            }
        }
        self.key_now.targets = self.parts.targets.intern(&key);
        self.open_targets = Some(*targets);
        self.state.dirty.targets = true;
    }

    fn new_pass(&mut self, targets: &RenderTargets) -> Result<Pass, BackendError> {
        let serial = self.next_serial();
        let mut pass = Pass { serial, width: targets.width, height: targets.height, ..Pass::default() };
        let mut key = TargetsKey { samples: targets.samples.max(1), ..TargetsKey::default() };
        let used = targets.colors.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        for color in &targets.colors[..used] {
            let Some(color) = color else {
                pass.colors.push(None);
                key.colors.push(None);
                continue;
            };
            let attachment = self.attachment(color)?;
            let image = self.images.get(attachment.image)?;
            key.colors.push(Some((image.format, color.has_alpha)));
            self.images.mark(attachment.image, serial);
            pass.colors.push(Some(ColorTarget { attachment, clear: None, store: true, resolve: None }));
        }
        if let Some(depth) = targets.depth.or(targets.stencil) {
            if let (Some(depth), Some(stencil)) = (targets.depth, targets.stencil)
                && depth.image != stencil.image
            {
                return Err(BackendError::Internal("depth and stencil are different images".into()));
            }
            let attachment = self.attachment(&depth)?;
            let format = self.images.get(attachment.image)?.format;
            key.depth = Some(format);
            key.stencil = targets.stencil.is_some() && format.has_stencil_aspect();
            self.images.mark(attachment.image, serial);
            pass.depth = Some(DepthTarget {
                attachment,
                has_depth: format.has_depth_aspect(),
                has_stencil: format.has_stencil_aspect(),
                clear_depth: None,
                clear_stencil: None,
                store: true,
            });
        }
        if pass.colors.iter().all(Option::is_none) && pass.depth.is_none() {
            self.add_dummy_target(&mut pass, &mut key)?;
        }
        self.key_now.targets = self.parts.targets.intern(&key);
        Ok(pass)
    }

    /// wgpu wants at least one attachment; transform feedback may have none.
    fn add_dummy_target(&mut self, pass: &mut Pass, key: &mut TargetsKey) -> Result<(), BackendError> {
        use crate::gl::command::{ImageDesc, ImageDimension};
        let desc = ImageDesc {
            dimension: ImageDimension::D2,
            format: crate::gl::format::StorageFormat::R8Unorm,
            width: pass.width.max(1),
            height: pass.height.max(1),
            depth: 1,
            levels: 1,
            samples: key.samples,
            renderable: true,
        };
        let image = self.new_image(desc)?;
        self.images.retire(image);
        let attachment = self.attachment_of(image, 0, 0, true)?;
        pass.colors =
            vec![Some(ColorTarget { attachment, clear: Some(wgpu::Color::TRANSPARENT), store: false, resolve: None })];
        key.colors = vec![Some((wgpu::TextureFormat::R8Unorm, true))];
        Ok(())
    }

    /// Would `clear` replace everything that the pass has on its attachments?
    pub(super) fn clears_all(pass: &Pass, clear: &Clear) -> bool {
        let colors = pass.colors.iter().zip(&clear.colors).all(|(target, color)| target.is_none() || color.is_some());
        let depth = pass.depth.as_ref().is_none_or(|target| {
            (!target.has_depth || clear.depth.is_some()) && (!target.has_stencil || clear.stencil.is_some())
        });
        colors && depth
    }

    /// The newest recorded pass, if nothing was recorded after it. Closes the open one.
    pub(super) fn last_pass_mut(&mut self) -> Option<&mut Pass> {
        self.close_pass();
        match self.ops.last_mut() {
            Some(Op::Pass(pass)) => Some(pass),
            _ => None,
        }
    }

    /// Flushes when enough work has gathered.
    pub(super) fn flush_if_large(&mut self) -> Result<(), BackendError> {
        let draws = self.pending_draws + self.open.as_ref().map_or(0, |pass| pass.draws);
        let most = if self.device.software { PASS_DRAWS_SOFTWARE } else { PASS_DRAWS };
        if draws >= most || draws >= FLUSH_DRAWS && self.open.is_none() || self.staging.bytes >= FLUSH_UPLOADS {
            self.flush()?;
        }
        Ok(())
    }

    /// Sends everything recorded to the GPU.
    pub(super) fn flush(&mut self) -> Result<(), BackendError> {
        self.device.latch.check()?;
        self.close_pass();
        self.resolve_queries();
        if !self.ops.is_empty() {
            let device = self.device.clone();
            let scopes = ErrorScopes::open(&device.device);
            self.ring.flush(&device.device, &device.queue, &mut self.state.uniforms);
            self.staging.belt.finish();
            let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let tables = EncodeTables {
                pipelines: &self.pipelines,
                groups: &self.groups,
                buffers: &self.buffers,
                queries: &self.queries,
            };
            let lap = self.stopwatch.as_mut().map(|watch| watch.lap(&device.device));
            if let Some(lap) = &lap {
                lap.begin(&mut encoder);
            }
            encode(&self.ops, tables, &mut encoder);
            if let Some(lap) = &lap {
                lap.end(&mut encoder);
            }
            self.ops.clear();
            let commands = encoder.finish();
            scopes.close()?;
            if self.device.software && self.last_submission.is_some() {
                // A rasteriser on the CPU sorts a submission's triangles into tiles at once, however far its drawing is:
                // what lies between the two is memory, and no time is won, since all cores draw.
                self.device.wait(self.last_submission.clone())?;
                self.deliver_done()?;
            }
            let scopes = ErrorScopes::open(&device.device);
            let submission = device.queue.submit([commands]);
            self.last_submission = Some(submission);
            if let Some((watch, lap)) = self.stopwatch.as_mut().zip(lap) {
                watch.submitted(lap);
            }
            self.staging.belt.recall();
            self.staging.bytes = 0;
            self.pending_draws = 0;
            scopes.close()?;
        }
        let groups = &mut self.groups;
        self.buffers.release_retired(|uid| groups.mark_dead(uid));
        self.images.release_retired(|uid| groups.mark_dead(uid));
        self.pipelines.release_retired();
        self.groups.sweep();
        self.state.dirty = Dirty::ALL;
        self.device.latch.check()
    }
}

/// Do the targets differ in nothing but `has_alpha` of colours?
fn same_images(a: &RenderTargets, b: &RenderTargets) -> bool {
    let bare = |targets: &RenderTargets| {
        let mut bare = *targets;
        bare.colors.iter_mut().flatten().for_each(|color| color.has_alpha = true);
        bare
    };
    bare(a) == bare(b)
}
