//! Tests on a real adapter; Mesa's lavapipe will do. Without any Vulkan adapter they fail.
//!
//! Programs are WGSL compiled by naga, with the binding layout of `shader::program`. Vertex shaders negate y
//! as emitted ones do, so that row 0 is GL's bottom row. Expected values are closed forms.

mod blit;
mod clear;
mod draw;
mod gl;
mod gl_images;
mod gl_sampling;
mod gpu_time;
mod loops;
mod observe;
mod query;
mod recording;
mod texture;
mod transfer;

use std::sync::{Arc, Mutex, OnceLock};

use wgpu::naga;

use super::{DeviceOptions, WgpuBackend, WgpuDevice, WgpuOptions};
use crate::gl::backend::{GlBackend, PresentedFrame, whole_level};
use crate::gl::command::*;
use crate::gl::format::StorageFormat;
use crate::shader::ProgramCode;
use crate::shader::hir::{SamplerDimension, SamplerType, Scalar};
use crate::shader::program::{AttributeSlot, OutputSlot, ProgramLayout, TextureSlot};

/// One device for all tests of the process.
fn device() -> Arc<WgpuDevice> {
    static DEVICE: OnceLock<Arc<WgpuDevice>> = OnceLock::new();
    DEVICE
        .get_or_init(|| {
            let validation = std::env::var_os("REPLAY_VALIDATION").is_some();
            let options = DeviceOptions { validation, ..DeviceOptions::default() };
            WgpuDevice::open(&options).expect("these tests need a Vulkan adapter; install mesa-vulkan-drivers")
        })
        .clone()
}

/// A context, a stream being written, and what was presented.
struct Rig {
    backend: WgpuBackend,
    stream: CommandStream,
    frames: Arc<Mutex<Vec<PresentedFrame>>>,
    next: u32,
}

impl Rig {
    fn new() -> Self {
        Self::on(device())
    }

    fn on(device: Arc<WgpuDevice>) -> Self {
        let frames = Arc::new(Mutex::new(Vec::new()));
        let sink = Box::new({
            let frames = frames.clone();
            move |frame| frames.lock().expect("no panic in another test").push(frame)
        });
        let backend = WgpuBackend::new(device, WgpuOptions::default(), sink);
        let mut rig = Self { backend, stream: CommandStream::default(), frames, next: 1 };
        rig.push(Command::SetBlend([plain_blend(); MAX_COLOR_ATTACHMENTS]));
        rig
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn push(&mut self, command: Command) {
        self.stream.commands.push(command);
    }

    fn run(&mut self) {
        let stream = std::mem::take(&mut self.stream);
        self.backend.submit(stream).expect("the stream runs");
    }

    /// Runs what is pending, the clears of new depth images among it.
    fn settle(&mut self) {
        self.run();
        self.backend.finish().expect("the stream runs");
    }

    fn buffer<T: bytemuck::NoUninit>(&mut self, data: &[T]) -> BufferId {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        let id = BufferId(self.id());
        self.push(Command::CreateBuffer { id, size: bytes.len() as u64 });
        self.write_buffer(id, 0, data);
        id
    }

    fn write_buffer<T: bytemuck::NoUninit>(&mut self, id: BufferId, offset: u64, data: &[T]) {
        let data = self.stream.push_data(bytemuck::cast_slice(data));
        self.push(Command::WriteBuffer { id, offset, data });
    }

    fn image(&mut self, desc: ImageDesc) -> ImageId {
        let id = ImageId(self.id());
        self.push(Command::CreateImage { id, desc });
        id
    }

    fn write_image<T: bytemuck::NoUninit>(&mut self, id: ImageId, region: ImageRegion, data: &[T]) {
        let data = self.stream.push_data(bytemuck::cast_slice(data));
        self.push(Command::WriteImage { id, region, data });
    }

    fn program(&mut self, vertex: &str, fragment: &str, layout: ProgramLayout) -> ProgramId {
        let id = ProgramId(self.id());
        let vertex = spirv(vertex, naga::ShaderStage::Vertex);
        let fragment = spirv(fragment, naga::ShaderStage::Fragment);
        self.push(Command::CreateProgram {
            id,
            code: Arc::new(ProgramCode {
                vertex,
                fragment,
                positions: Vec::new(),
                position_inputs: Default::default(),
                layout,
                camera: Default::default(),
            }),
        });
        id
    }

    /// Draws into one colour image of `size`, everything else plain.
    fn target(&mut self, image: ImageId, size: [u32; 2]) {
        self.targets(&[image], None, size, 1);
    }

    fn targets(&mut self, images: &[ImageId], depth: Option<ImageId>, size: [u32; 2], samples: u32) {
        let attachment = |image| Attachment { image, level: 0, layer: 0, has_alpha: true };
        let mut colors = [None; MAX_COLOR_ATTACHMENTS];
        for (slot, image) in colors.iter_mut().zip(images) {
            *slot = Some(attachment(*image));
        }
        let depth = depth.map(attachment);
        let [width, height] = size;
        self.push(Command::SetRenderTargets(RenderTargets { colors, depth, stencil: depth, width, height, samples }));
        let (width, height) = (width as f32, height as f32);
        self.push(Command::SetViewport(Viewport { x: 0.0, y: 0.0, width, height, min_depth: 0.0, max_depth: 1.0 }));
    }

    fn attributes(&mut self, attributes: Vec<VertexAttribute>) {
        self.push(Command::SetVertexInput(VertexInput { attributes }));
    }

    /// Vertex input: vec2 positions at location 0.
    fn positions(&mut self, positions: &[[f32; 2]]) {
        let buffer = self.buffer(positions);
        self.attributes(vec![attribute(0, VertexFormat::Float32x2, buffer, 0, 8)]);
    }

    fn uniforms<T: bytemuck::NoUninit>(&mut self, stage: ShaderStage, data: &[T]) {
        let data = self.stream.push_data(bytemuck::cast_slice(data));
        self.push(Command::SetUniforms { stage, data });
    }

    fn draw(&mut self, topology: Topology, count: u32) {
        self.push(Command::Draw(Draw { topology, first: 0, count, first_instance: 0, instances: 1 }));
    }

    fn clear_color(&mut self, color: ClearColor) {
        self.push(Command::Clear(Clear { colors: first(color), ..no_clear() }));
    }

    /// Level 0, layer 0.
    fn read(&mut self, image: ImageId, size: [u32; 2]) -> Vec<u8> {
        self.read_region(image, whole_level(0, 0, size[0], size[1]))
    }

    fn read_region(&mut self, image: ImageId, region: ImageRegion) -> Vec<u8> {
        self.run();
        self.backend.read_image(image, region).expect("the image can be read")
    }

    /// One RGBA8 texel; y counts from the bottom.
    fn texel(&mut self, image: ImageId, x: u32, y: u32) -> [u8; 4] {
        let region = ImageRegion { level: 0, origin: [x, y, 0], extent: [1, 1, 1], aspect: Aspect::All };
        self.read_region(image, region).try_into().expect("four bytes")
    }
}

fn desc(format: StorageFormat, width: u32, height: u32) -> ImageDesc {
    ImageDesc {
        dimension: ImageDimension::D2,
        format,
        width,
        height,
        depth: 1,
        levels: 1,
        samples: 1,
        renderable: true,
    }
}

fn rgba8(width: u32, height: u32) -> ImageDesc {
    desc(StorageFormat::Rgba8Unorm, width, height)
}

fn attribute(location: u32, format: VertexFormat, buffer: BufferId, offset: u64, stride: u32) -> VertexAttribute {
    VertexAttribute { location, format, buffer, offset, stride, step: StepMode::Vertex }
}

fn plain_blend() -> BlendState {
    BlendState { blend: None, write_mask: 0xf }
}

fn first(color: ClearColor) -> [Option<ClearColor>; MAX_COLOR_ATTACHMENTS] {
    let mut colors = [None; MAX_COLOR_ATTACHMENTS];
    colors[0] = Some(color);
    colors
}

fn no_clear() -> Clear {
    Clear {
        colors: [None; MAX_COLOR_ATTACHMENTS],
        color_masks: [0xf; MAX_COLOR_ATTACHMENTS],
        depth: None,
        stencil: None,
    }
}

fn plain_raster() -> RasterState {
    RasterState {
        front_face_ccw: true,
        y_negated: true,
        cull: None,
        depth_bias: None,
        depth_clamp: false,
        wireframe: false,
        discard: false,
    }
}

/// Layout with vec2 positions at location 0 and one float output.
fn layout() -> ProgramLayout {
    ProgramLayout {
        attributes: vec![AttributeSlot { location: 0, kind: Scalar::Float, components: 2 }],
        outputs: vec![OutputSlot { location: 0, kind: Scalar::Float }],
        ..ProgramLayout::default()
    }
}

/// Passes positions through, z from `z`, with y negated.
fn flat_vertex(z: f32) -> String {
    format!(
        "@vertex fn main(@location(0) p: vec2<f32>) -> @builtin(position) vec4<f32> {{
            return vec4<f32>(p.x, -p.y, {z:?}, 1.0);
        }}"
    )
}

/// One colour everywhere.
fn flat_fragment(color: &str) -> String {
    format!("@fragment fn main() -> @location(0) vec4<f32> {{ return vec4<f32>({color}); }}")
}

/// Colour from the fragment block.
const UNIFORM_FRAGMENT: &str = "@group(0) @binding(0) var<uniform> color: vec4<f32>;
    @fragment fn main() -> @location(0) vec4<f32> { return color; }";

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const NOTHING: [u8; 4] = [0; 4];

const WHOLE: [[f32; 2]; 3] = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];

/// Depth as f32 (24-bit formats are off by less than 1e-7), then stencil.
fn assert_depth_stencil(bytes: &[u8], depth: &[f32], stencil: &[u8]) {
    let (planes, rest) = bytes.split_at(depth.len() * 4);
    for (got, expected) in bytemuck::pod_collect_to_vec::<u8, f32>(planes).iter().zip(depth) {
        assert!((got - expected).abs() < 1e-7, "{got} {expected}");
    }
    assert_eq!(rest, stencil);
}

/// SPIR-V of WGSL. A vertex output at location 15 becomes the point size, which WGSL cannot name.
fn spirv(source: &str, stage: naga::ShaderStage) -> Vec<u32> {
    let mut module = naga::front::wgsl::parse_str(source).expect("the test's WGSL parses");
    let point_size =
        |member: &naga::StructMember| matches!(member.binding, Some(naga::Binding::Location { location: 15, .. }));
    let found = module.types.iter().find_map(|(handle, ty)| match &ty.inner {
        naga::TypeInner::Struct { members, .. } if members.iter().any(point_size) => Some((handle, ty.clone())),
        _ => None,
    });
    if let Some((handle, mut ty)) = found {
        if let naga::TypeInner::Struct { members, .. } = &mut ty.inner {
            let member = members.iter_mut().find(|member| point_size(member)).expect("found above");
            member.binding = Some(naga::Binding::BuiltIn(naga::BuiltIn::PointSize));
        }
        module.types.replace(handle, ty);
    }
    let capabilities = naga::valid::Capabilities::all();
    let info = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities)
        .validate(&module)
        .expect("the test's WGSL is valid");
    let options = naga::back::spv::Options {
        lang_version: (1, 3),
        flags: naga::back::spv::WriterFlags::FORCE_POINT_SIZE,
        ..Default::default()
    };
    let pipeline = naga::back::spv::PipelineOptions { shader_stage: stage, entry_point: "main".into() };
    naga::back::spv::write_vec(&module, &info, &options, Some(&pipeline)).expect("SPIR-V is written")
}

fn color_program(rig: &mut Rig) -> ProgramId {
    rig.program(&flat_vertex(0.5), UNIFORM_FRAGMENT, ProgramLayout { fragment_block: 16, ..layout() })
}

fn nearest() -> SamplerDesc {
    SamplerDesc {
        wrap: [WrapMode::ClampToEdge; 3],
        mag: Filter::Nearest,
        min: Filter::Nearest,
        mip: None,
        lod_min_milli: -1_000_000,
        lod_max_milli: 1_000_000,
        max_anisotropy: 1,
        compare: None,
    }
}

fn sampler_type(shadow: bool, sampled: Scalar) -> SamplerType {
    SamplerType { dimension: SamplerDimension::D2, sampled, shadow }
}

fn view(image: ImageId) -> ImageView {
    ImageView { image, dimension: ImageDimension::D2, base_level: 0, levels: 1, aspect: Aspect::All }
}
