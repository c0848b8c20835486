//! Streams written by hand: which shots are behind their pictures.

use std::sync::Arc;

use super::*;
use crate::gl::command::{
    Attachment, Clear, ClearColor, CompareFunction, Filter, ImageDesc, ImageDimension, ImageId, ImageView,
    MAX_COLOR_ATTACHMENTS, SamplerDesc, WrapMode,
};
use crate::gl::format::StorageFormat;
use crate::shader::program::{ProgramLayout, TextureSlot};
use crate::shader::{ProgramCode, UniformPlace};

const CANVAS: ImageId = ImageId(1);
const BUFFER: ImageId = ImageId(2);
const WORLD: ProgramId = ProgramId(1);
const PASS: ProgramId = ProgramId(2);
/// x and y kept, w = −z.
const PERSPECTIVE: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., -1., -1., 0., 0., -0.2, 0.];

struct Stage {
    observer: Observer,
    stream: CommandStream,
}

impl Stage {
    /// A canvas of 100 × 50, a buffer of 20 × 10, a program with a projection, one without; both sample one texture.
    fn new() -> Self {
        let mut stage = Self { observer: Observer::default(), stream: CommandStream::default() };
        for (id, width, height) in [(CANVAS, 100, 50), (BUFFER, 20, 10)] {
            let desc = ImageDesc {
                dimension: ImageDimension::D2,
                format: StorageFormat::Rgba8Unorm,
                width,
                height,
                depth: 1,
                levels: 1,
                samples: 1,
                renderable: true,
            };
            stage.push(Command::CreateImage { id, desc });
        }
        let slot = crate::shader::hir::SamplerType {
            dimension: crate::shader::hir::SamplerDimension::D2,
            sampled: crate::shader::hir::Scalar::Float,
            shadow: false,
        };
        let layout = ProgramLayout {
            textures: vec![TextureSlot { sampler: slot, vertex: false, fragment: true }],
            ..ProgramLayout::default()
        };
        let projection = Some(UniformPlace { home: UniformHome::Vertex, offset: 0 });
        for (id, projection) in [(WORLD, projection), (PASS, None)] {
            let camera = CameraUniforms { projection, ..CameraUniforms::default() };
            let code = ProgramCode {
                vertex: Vec::new(),
                fragment: Vec::new(),
                layout: layout.clone(),
                camera,
                positions: Vec::new(),
                position_inputs: Default::default(),
            };
            stage.push(Command::CreateProgram { id, code: Arc::new(code) });
        }
        stage
    }

    fn push(&mut self, command: Command) {
        self.stream.commands.push(command);
    }

    fn target(&mut self, image: ImageId) {
        let (width, height) = if image == CANVAS { (100, 50) } else { (20, 10) };
        let mut colors = [None; MAX_COLOR_ATTACHMENTS];
        colors[0] = Some(Attachment { image, level: 0, layer: 0, has_alpha: true });
        let targets = RenderTargets { colors, depth: None, stencil: None, width, height, samples: 1 };
        self.push(Command::SetRenderTargets(targets));
    }

    fn clear(&mut self) {
        let mut colors = [None; MAX_COLOR_ATTACHMENTS];
        colors[0] = Some(ClearColor::Float([0.0; 4]));
        let clear = Clear { colors, color_masks: [15; MAX_COLOR_ATTACHMENTS], depth: None, stencil: None };
        self.push(Command::Clear(clear));
    }

    /// `draws` of 30 triangles by a perspective camera.
    fn world(&mut self, render: u32, camera: u32, draws: u32) {
        self.push(Command::Subject(Subject { render, camera, object: 1, faint: false }));
        self.push(Command::SetProgram(WORLD));
        let data = self.stream.push_data(bytemuck::cast_slice(&PERSPECTIVE));
        self.push(Command::SetUniforms { stage: ShaderStage::Vertex, data });
        for _ in 0..draws {
            self.draw(90);
        }
    }

    /// One triangle without a camera that samples `image`.
    fn pass(&mut self, render: u32, image: ImageId) {
        self.push(Command::Subject(Subject { render, camera: 99, object: 2, faint: false }));
        self.push(Command::SetProgram(PASS));
        self.sample(image);
        self.draw(3);
    }

    fn sample(&mut self, image: ImageId) {
        let sampler = SamplerDesc {
            wrap: [WrapMode::ClampToEdge; 3],
            mag: Filter::Linear,
            min: Filter::Linear,
            mip: None,
            lod_min_milli: 0,
            lod_max_milli: 0,
            max_anisotropy: 1,
            compare: None::<CompareFunction>,
        };
        let view = ImageView {
            image,
            dimension: ImageDimension::D2,
            base_level: 0,
            levels: 1,
            aspect: crate::gl::command::Aspect::All,
        };
        self.push(Command::SetTexture { slot: 0, view, sampler });
    }

    fn draw(&mut self, count: u32) {
        let draw = Draw { topology: Topology::TriangleList, first: 0, count, first_instance: 0, instances: 1 };
        self.push(Command::Draw(draw));
    }

    fn present(&mut self, frame: u64) -> Picture {
        self.push(Command::Present { image: CANVAS, frame, opaque: true, premultiplied: true });
        self.observer.see(&std::mem::take(&mut self.stream));
        self.observer.take().pop().unwrap()
    }
}

/// Render call, hops and share in thousandths of each part.
fn parts(picture: &Picture) -> Vec<(u32, u32, u32)> {
    picture.parts.iter().map(|p| (p.shot.key.render, p.hops, (p.share * 1000.0).round() as u32)).collect()
}

#[test]
fn passes_show_what_they_sample_no_larger_than_it_was_drawn() {
    let mut stage = Stage::new();
    stage.target(BUFFER);
    stage.world(1, 1, 5);
    stage.target(CANVAS);
    stage.pass(2, BUFFER);
    let picture = stage.present(0);
    // 20 × 10 of 100 × 50 pixels.
    assert_eq!(parts(&picture), [(1, 1, 40), (2, 0, 1000)]);
    assert!(picture.fresh && picture.parts[0].shot.is_perspective() && picture.parts[1].shot.is_flat());
    assert_eq!((picture.all.draws, picture.all.triangles), (6, 151));
}

#[test]
fn what_a_scene_samples_is_no_camera_of_the_picture() {
    let mut stage = Stage::new();
    stage.target(BUFFER);
    stage.world(2, 7, 5);
    stage.target(CANVAS);
    stage.sample(BUFFER);
    stage.world(1, 1, 6);
    assert_eq!(parts(&stage.present(0)), [(1, 0, 1000)]);
}

#[test]
fn clears_drop_what_was_drawn_before_within_their_scissor() {
    let mut stage = Stage::new();
    stage.target(CANVAS);
    stage.world(1, 1, 5);
    stage.push(Command::SetScissor(Some(Rect { x: 0, y: 0, width: 50, height: 50 })));
    stage.world(2, 2, 5);
    stage.clear();
    assert_eq!(parts(&stage.present(0)), [(1, 0, 1000)], "the whole picture's shot reaches further");
    stage.push(Command::SetScissor(None));
    stage.clear();
    stage.world(3, 2, 5);
    assert_eq!(parts(&stage.present(1)), [(3, 0, 1000)]);
}

#[test]
fn a_world_drawn_in_an_earlier_frame_is_still_behind_a_pass() {
    let mut stage = Stage::new();
    stage.target(BUFFER);
    stage.world(1, 1, 5);
    stage.target(CANVAS);
    stage.pass(2, BUFFER);
    stage.present(0);
    stage.clear();
    stage.pass(3, BUFFER);
    let later = stage.present(1);
    assert_eq!(parts(&later), [(1, 1, 40), (3, 0, 1000)]);
    assert!(later.fresh);
    let same = stage.present(2);
    assert_eq!((parts(&same), same.fresh), (vec![(1, 1, 40)], false));
}

#[test]
fn draws_without_render_calls_are_told_apart_by_target_and_projection() {
    let mut stage = Stage::new();
    stage.target(BUFFER);
    stage.world(0, 0, 5);
    stage.target(CANVAS);
    stage.sample(BUFFER);
    stage.world(0, 0, 5);
    let picture = stage.present(0);
    assert_eq!(parts(&picture), [(0, 0, 1000)]);
    assert_eq!(picture.parts[0].shot.work.draws, 5);
}
