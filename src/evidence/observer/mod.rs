//! Which draws are behind the presented picture, read from the command stream.
//!
//! In: the streams of one context, in order, before they go to the back end. Out: a [`Picture`] for each presented
//! frame: the shots behind it, with the camera matrices that their draws carried. Costs a few compares a draw; keeps no
//! pixels. Must not know: V8, wgpu, which camera is the right one ([`super::choose`] has that rule).
//!
//! # How it finds them
//!
//! A [`Shot`] is everything that one render call draws for one camera; draws outside of any call are told apart by
//! target and projection instead. Every image holds *shares*: the shots drawn into it, with the part of the image they
//! may have reached (viewport cut by scissor). Clears drop shares; resolves, blits and copies pass them on.
//!
//! A shot is *flat* when no perspective is in its draws and it is small: two triangles a draw at most, or four draws in
//! all. That is a full-screen pass, a lens grid, a sprite overlay. Flat shots show what they sample, so the picture's
//! shares are followed through them: bloom, tone mapping, FXAA, ping-pong buffers. Any other shot shows its own camera:
//! what its draws sample (shadow maps, mirrors, environment cubes, portals) is no camera of the picture.
//!
//! Draws that can leave nothing are behind no picture (`reach.rs`): without a colour to write, never passing a test, blended
//! so that the target stays, cut away whole, or faint as three.js' material has it. What writes depth alone is behind what
//! samples that depth.
//!
//! No share has more pixels than the image it was drawn into, nor than any it passed through: a minimap of 256² cannot
//! outweigh the world. Shares of an older frame stay as long as their image is not cleared, at most [`OLDEST`] frames,
//! and count only where the frame itself drew nothing: temporal accumulation and repeated pictures.

mod blocks;
mod images;
mod matrices;
mod picture;
mod reach;
mod shot;

use rustc_hash::FxHashMap;

pub use matrices::{Matrix, Tally};
pub use picture::{Alive, OffFilm, Part, Picture, Seen};
pub use shot::{Shot, ShotKey};

use crate::gl::command::{
    Command, CommandStream, Draw, DrawIndexed, ProgramId, Rect, RenderTargets, ShaderStage, Topology, Viewport,
};
use crate::scene::Subject;
use crate::shader::{CameraUniforms, UniformHome};
use blocks::Blocks;
use images::{Images, Share};
use matrices::{Transform, bits};
use reach::{Reach, State};

use super::scene_stats::Work;

/// Frames that a share outlives its shot.
pub const OLDEST: u64 = 32;

#[derive(Clone, Copy, Debug, Default)]
struct Program {
    camera: CameraUniforms,
    in_blocks: bool,
    textures: usize,
}

/// Reads the streams of one context.
#[derive(Debug, Default)]
pub struct Observer {
    images: Images,
    blocks: Blocks,
    programs: FxHashMap<ProgramId, Program>,
    // Draw state as the stream last said it.
    targets: Option<RenderTargets>,
    viewport: Option<Viewport>,
    scissor: Option<Rect>,
    state: State,
    /// Of the open shot.
    reach: Reach,
    program: Program,
    textures: Vec<Option<crate::gl::command::ImageId>>,
    subject: Subject,
    transform: Transform,
    // The frame so far.
    frame: u64,
    shots: Vec<Shot>,
    index: FxHashMap<ShotKey, usize>,
    /// Shots of earlier frames that images still hold.
    old: FxHashMap<ShotKey, Shot>,
    /// The shot that draws go to while targets, region and subject stay.
    open: Option<usize>,
    /// Textures or program changed since the open shot last took note of what it samples.
    sampling: bool,
    all: Work,
    /// What was read last in this frame.
    read: Option<Picture>,
    pictures: Vec<Picture>,
}

impl Observer {
    /// Reads a stream.
    pub fn see(&mut self, stream: &CommandStream) {
        for command in &stream.commands {
            self.command(command, stream);
        }
    }

    /// The pictures presented since the last call.
    pub fn take(&mut self) -> Vec<Picture> {
        std::mem::take(&mut self.pictures)
    }

    fn command(&mut self, command: &Command, stream: &CommandStream) {
        match command {
            Command::Draw(draw) => self.draw(work_of_draw(draw)),
            Command::DrawIndexed(draw) => self.draw(work_of_indexed(draw)),
            Command::SetUniforms { stage, data } if self.program.camera.any() => {
                // Draws without a render call are told apart by projection.
                if self.subject.render == 0 {
                    self.open = None;
                }
                let home = match stage {
                    ShaderStage::Vertex => UniformHome::Vertex,
                    ShaderStage::Fragment => UniformHome::Fragment,
                };
                self.transform.read(&self.program.camera, home, stream.bytes(*data));
            }
            Command::SetTexture { slot, view, .. } => {
                let slot = *slot as usize;
                if self.textures.len() <= slot {
                    self.textures.resize(slot + 1, None);
                }
                if let Some(texture) = self.textures.get_mut(slot) {
                    *texture = Some(view.image);
                    self.sampling = true;
                }
            }
            Command::SetProgram(id) => {
                self.program = self.programs.get(id).copied().unwrap_or_default();
                self.transform = Transform::default();
                self.sampling = true;
            }
            Command::Subject(subject) => {
                if (subject.render, subject.camera) != (self.subject.render, self.subject.camera) {
                    self.open = None;
                }
                self.subject = *subject;
            }
            Command::SetRenderTargets(targets) => {
                self.targets = Some(*targets);
                self.open = None;
            }
            Command::SetViewport(viewport) => {
                self.viewport = Some(*viewport);
                self.open = None;
            }
            Command::SetScissor(scissor) => {
                self.scissor = *scissor;
                self.open = None;
            }
            Command::SetDepthStencil(state) => self.state.depth_stencil = Some(*state),
            Command::SetBlend(blend) => self.state.blend = Some(*blend),
            Command::SetBlendConstant(constant) => self.state.constant = *constant,
            Command::SetRaster(raster) => self.state.discard = raster.discard,
            Command::SetMultisample(state) => self.state.no_samples = state.mask == 0,
            Command::Clear(clear) => {
                if let Some(targets) = &self.targets {
                    self.images.clear(targets, clear, self.scissor);
                    self.open = None;
                }
            }
            Command::Blit(blit) => self.images.blit(blit),
            Command::CopyImage { src, dst, .. } => self.images.copy(*src, *dst),
            Command::CreateImage { id, desc } => self.images.create(*id, desc),
            Command::DeleteImage { id } => self.images.delete(*id),
            Command::CreateBuffer { id, size } => self.blocks.create(*id, *size),
            Command::DeleteBuffer { id } => self.blocks.delete(*id),
            Command::WriteBuffer { id, offset, data } => self.blocks.write(*id, *offset, stream.bytes(*data)),
            Command::SetUniformBuffer { slot, id, offset, .. } => self.blocks.bind(*slot, *id, *offset),
            Command::CreateProgram { id, code } => {
                let program = Program {
                    camera: code.camera,
                    in_blocks: code.camera.in_blocks(),
                    textures: code.layout.textures.len(),
                };
                self.programs.insert(*id, program);
            }
            Command::DeleteProgram { id } => drop(self.programs.remove(id)),
            Command::Present { image, frame, .. } => self.present(*image, *frame),
            _ => {}
        }
    }

    fn draw(&mut self, work: Work) {
        if self.program.in_blocks {
            if self.subject.render == 0 {
                self.open = None;
            }
            self.blocks.read(&self.program.camera, &mut self.transform);
        }
        self.all += work;
        let Some(targets) = &self.targets else { return };
        let reach = self.state.reach(targets, self.subject.faint);
        if reach.nothing() || work.vertices == 0 {
            return;
        }
        if reach != self.reach {
            (self.reach, self.open) = (reach, None);
        }
        let Some(at) = self.open.or_else(|| self.open()) else { return };
        let Some(shot) = self.shots.get_mut(at) else { return };
        self.open = Some(at);
        shot.add(work, self.state.solid(), &self.transform, self.subject.object);
        if std::mem::take(&mut self.sampling) {
            for image in self.textures.iter().take(self.program.textures).flatten() {
                if let Some((version, content)) = self.images.content(*image)
                    && !content.is_empty()
                {
                    shot.sample(*image, version, content);
                }
            }
        }
    }

    /// Finds or makes the shot that the next draw belongs to, and its share of the targets.
    fn open(&mut self) -> Option<usize> {
        let targets = self.targets.as_ref()?;
        let first = targets.colors.iter().flatten().next().or(targets.depth.as_ref())?;
        let direct = (self.subject.render == 0).then(|| (first.image, bits(self.transform.projection.as_ref())));
        let shadow = targets.colors.iter().all(Option::is_none);
        let depth_only = !shadow && self.reach.colors == 0;
        let key = ShotKey { render: self.subject.render, camera: self.subject.camera, direct, depth_only };
        let region = region(targets, self.viewport, self.scissor);
        if region == [0.0; 4] {
            return None;
        }
        let next = self.shots.len();
        let at = *self.index.entry(key).or_insert(next);
        if at == next {
            self.shots.push(Shot::new(key, self.frame));
        }
        let area = f64::from((region[2] - region[0]) * (region[3] - region[1]));
        let share = Share {
            shot: key,
            frame: self.frame,
            region,
            pixels: area * f64::from(targets.width) * f64::from(targets.height),
            hops: 0,
            shadow,
        };
        self.images.draw(targets, self.reach, share);
        // What was bound before this shot began is sampled by it too.
        self.sampling = true;
        Some(at)
    }
}

/// Left, bottom, right, top of what may be drawn to, in parts of the targets.
fn region(targets: &RenderTargets, viewport: Option<Viewport>, scissor: Option<Rect>) -> [f32; 4] {
    let (width, height) = (targets.width.max(1) as f32, targets.height.max(1) as f32);
    let mut region = [0.0, 0.0, width, height];
    let mut cut = |x: f32, y: f32, w: f32, h: f32| {
        let [x0, y0, x1, y1] = region;
        region = [x0.max(x), y0.max(y), x1.min(x + w), y1.min(y + h)];
    };
    if let Some(v) = viewport {
        cut(v.x, v.y, v.width, v.height);
    }
    if let Some(s) = scissor {
        cut(s.x as f32, s.y as f32, s.width as f32, s.height as f32);
    }
    let [x0, y0, x1, y1] = region;
    if x1 <= x0 || y1 <= y0 {
        return [0.0; 4];
    }
    [x0 / width, y0 / height, x1 / width, y1 / height]
}

fn work_of_draw(draw: &Draw) -> Work {
    work(draw.topology, draw.count, draw.instances)
}

fn work_of_indexed(draw: &DrawIndexed) -> Work {
    work(draw.topology, draw.count, draw.instances)
}

fn work(topology: Topology, count: u32, instances: u32) -> Work {
    let (count, instances) = (u64::from(count), u64::from(instances));
    let mut work = Work { draws: 1, instances, vertices: count.saturating_mul(instances), ..Work::default() };
    match topology {
        Topology::PointList => work.points = count.saturating_mul(instances),
        Topology::LineList => work.lines = (count / 2).saturating_mul(instances),
        Topology::LineStrip => work.lines = count.saturating_sub(1).saturating_mul(instances),
        Topology::TriangleList => work.triangles = (count / 3).saturating_mul(instances),
        Topology::TriangleStrip => work.triangles = count.saturating_sub(2).saturating_mul(instances),
    }
    work
}

#[cfg(test)]
mod tests;
