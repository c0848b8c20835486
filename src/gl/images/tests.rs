//! Image entry points on the null back end: expected commands and errors from ES 3.0 and the WebGL specifications.

use std::sync::{Arc, Mutex};

use crate::backend::null::{NullBackend, NullRecord};
use crate::gl::caps::Extension;
use crate::gl::command::{Aspect, Clear, ClearColor, Command, CommandStream, Filter, ImageDimension, ImageRegion};
use crate::gl::constants as c;
use crate::gl::context::{Context, ContextSettings, WebGlVersion};
use crate::gl::entry::upload::{PixelSource, UploadData};
use crate::gl::enums::ParameterValue;
use crate::gl::error::ErrorCode;
use crate::gl::format::StorageFormat;
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::texture::ArrayKind;
use crate::shader::hir::{SamplerDimension, SamplerType, Scalar};

struct Fixture {
    gl: Context,
    record: Arc<Mutex<NullRecord>>,
}

const FLOAT_2D: SamplerType = SamplerType { dimension: SamplerDimension::D2, sampled: Scalar::Float, shadow: false };

fn fixture(version: WebGlVersion) -> Fixture {
    let (backend, record) = NullBackend::recording();
    let settings = ContextSettings { version, width: 8, height: 4, antialias: false, ..ContextSettings::default() };
    Fixture { gl: Context::new(settings, Box::new(backend)), record }
}

impl Fixture {
    /// Commands since last asked, with their stream.
    fn take(&mut self) -> Vec<CommandStream> {
        self.gl.submit();
        std::mem::take(&mut self.record.lock().unwrap().streams)
    }

    fn commands(&mut self) -> Vec<Command> {
        self.take().into_iter().flat_map(|stream| stream.commands).collect()
    }

    fn error(&mut self) -> Option<ErrorCode> {
        self.gl.errors_mut().take()
    }

    fn texture(&mut self, target: u32) -> u32 {
        let name = self.gl.create_texture();
        self.gl.bind_texture(target, name);
        name
    }

    fn nearest(&mut self, target: u32) {
        self.gl.tex_parameteri(target, c::TEXTURE_MIN_FILTER, c::NEAREST as i32);
    }

    fn framebuffer(&mut self) -> u32 {
        let name = self.gl.create_framebuffer();
        self.gl.bind_framebuffer(c::FRAMEBUFFER, name);
        name
    }

    fn renderbuffer(&mut self, samples: i32, format: u32, width: i32, height: i32) -> u32 {
        let name = self.gl.create_renderbuffer();
        self.gl.bind_renderbuffer(c::RENDERBUFFER, name);
        self.gl.renderbuffer_storage_multisample(c::RENDERBUFFER, samples, format, width, height);
        name
    }

    fn is_black(&mut self) -> bool {
        let found = self.gl.resolve_texture(0, FLOAT_2D).unwrap();
        let black = crate::gl::entry::image_access::image_sink!(self.gl).black(FLOAT_2D);
        found.view == black.0
    }
}

fn bytes(data: &[u8]) -> UploadData<'_> {
    UploadData::Bytes { bytes: data, kind: ArrayKind::U8 }
}

#[test]
fn storage_makes_the_image_and_sub_images_fill_it() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 3, c::SRGB8_ALPHA8, 4, 2);
    f.gl.pixel_storei(c::UNPACK_FLIP_Y_WEBGL, 1);
    let rows = [1, 1, 1, 1, 2, 2, 2, 2];
    f.gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 3, 0, 1, 2, c::RGBA, c::UNSIGNED_BYTE, bytes(&rows));
    assert_eq!(f.error(), None);
    let streams = f.take();
    let [Command::CreateImage { id, desc }, Command::WriteImage { id: written, region, data }] =
        streams[0].commands.as_slice()
    else {
        panic!("{:?}", streams[0].commands)
    };
    assert_eq!(id, written);
    assert_eq!((desc.format, desc.levels, desc.samples), (StorageFormat::Rgba8UnormSrgb, 3, 1));
    assert_eq!((desc.width, desc.height, desc.depth), (4, 2, 1));
    assert_eq!((region.origin, region.extent, region.level), ([3, 0, 0], [1, 2, 1], 0));
    // The first row of the data is the top one: FLIP_Y puts it at the higher y.
    assert_eq!(streams[0].bytes(*data), [2, 2, 2, 2, 1, 1, 1, 1]);
    // 4 × 2 has log2(4) + 1 levels.
    f.texture(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 4, c::RGBA8, 4, 2);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA, 4, 2);
    assert_eq!(f.error(), Some(ErrorCode::InvalidEnum));
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA8, 0, 2);
    assert_eq!(f.error(), Some(ErrorCode::InvalidValue));
}

#[test]
fn immutable_textures_refuse_new_levels() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA8, 4, 4);
    f.gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA8, 4, 4, 0, c::RGBA, c::UNSIGNED_BYTE, UploadData::None);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA8, 4, 4);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    assert_eq!(f.gl.get_tex_parameter(c::TEXTURE_2D, c::TEXTURE_IMMUTABLE_LEVELS), ParameterValue::Uint(1));
}

#[test]
fn mutable_levels_gather_into_one_image_at_first_use() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    let (big, small) = ([7; 16], [9; 4]);
    f.gl.tex_image_2d(c::TEXTURE_2D, 1, c::RGBA8, 1, 1, 0, c::RGBA, c::UNSIGNED_BYTE, bytes(&small));
    f.gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA8, 2, 2, 0, c::RGBA, c::UNSIGNED_BYTE, bytes(&big));
    assert!(f.commands().is_empty());
    let found = f.gl.resolve_texture(0, FLOAT_2D).unwrap();
    assert_eq!((found.view.base_level, found.view.levels), (0, 2));
    let streams = f.take();
    let [
        Command::CreateImage { desc, .. },
        Command::WriteImage { data: first, .. },
        Command::WriteImage { data: second, .. },
    ] = streams[0].commands.as_slice()
    else {
        panic!("{:?}", streams[0].commands)
    };
    assert_eq!(desc.levels, 2);
    assert_eq!((streams[0].bytes(*first), streams[0].bytes(*second)), (&big[..], &small[..]));
    // Same shape again: overwritten in place, as a video texture does each frame.
    f.gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA8, 2, 2, 0, c::RGBA, c::UNSIGNED_BYTE, bytes(&big));
    assert_eq!(f.gl.resolve_texture(0, FLOAT_2D).unwrap(), found);
    assert!(matches!(f.commands().as_slice(), [Command::WriteImage { .. }]));
    // Another size: level 1 no longer fits, so the texture is mipmap incomplete (§3.8.13).
    f.gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA8, 8, 8, 0, c::RGBA, c::UNSIGNED_BYTE, UploadData::None);
    assert!(f.is_black());
    f.nearest(c::TEXTURE_2D);
    assert!(!f.is_black());
    f.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_MIN_FILTER, c::LINEAR_MIPMAP_LINEAR as i32);
    f.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_MAX_LEVEL, 0);
    assert!(!f.is_black());
}

/// Textures that nothing ever draws with must count against the GPU's memory too.
#[test]
fn texels_do_not_wait_without_end() {
    let mut f = fixture(WebGlVersion::Two);
    let data = vec![7; 2048 * 2048 * 4];
    let upload = |f: &mut Fixture, level| {
        f.gl.tex_image_2d(c::TEXTURE_2D, level, c::RGBA8, 2048, 2048, 0, c::RGBA, c::UNSIGNED_BYTE, bytes(&data));
    };
    let images = |commands: Vec<Command>| {
        commands.iter().filter(|command| matches!(command, Command::CreateImage { .. })).count()
    };
    let names: Vec<u32> = (0..8).map(|_| f.texture(c::TEXTURE_2D)).collect();
    for name in &names {
        f.gl.bind_texture(c::TEXTURE_2D, *name);
        upload(&mut f, 0);
    }
    assert_eq!(images(f.commands()), 0, "128 MiB wait");
    f.texture(c::TEXTURE_2D);
    upload(&mut f, 0);
    assert_eq!(images(f.commands()), 1, "more get their images");
    // A level that no image has room for, as its size says.
    upload(&mut f, 1);
    assert_eq!(images(f.commands()), 1);
    // Once some are drawn with or deleted, others may wait.
    f.gl.bind_texture(c::TEXTURE_2D, names[0]);
    f.nearest(c::TEXTURE_2D);
    assert!(!f.is_black());
    f.gl.delete_texture(names[1]);
    assert_eq!(images(f.commands()), 2, "the one drawn with, and the black one to compare with");
    f.texture(c::TEXTURE_2D);
    upload(&mut f, 0);
    assert_eq!(images(f.commands()), 0);
}

#[test]
fn generated_mipmaps_extend_the_image_and_keep_level_0() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    f.gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA8, 8, 2, 0, c::RGBA, c::UNSIGNED_BYTE, UploadData::None);
    let framebuffer = f.framebuffer();
    let texture = f.gl.state.bindings.active_texture_for(crate::gl::enums::TextureTarget::D2);
    f.gl.framebuffer_texture_2d(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::TEXTURE_2D, texture, 0);
    assert_eq!(f.gl.check_framebuffer_status(c::FRAMEBUFFER), c::FRAMEBUFFER_COMPLETE);
    let old = f.gl.resolve_framebuffer(framebuffer).unwrap().targets.colors[0].unwrap().image;
    f.commands();
    f.gl.generate_mipmap(c::TEXTURE_2D);
    assert_eq!(f.error(), None);
    let commands = f.commands();
    assert!(matches!(&commands[0], Command::CreateImage { desc, .. } if desc.levels == 4));
    assert!(matches!(&commands[1], Command::CopyImage { src, .. } if *src == old));
    assert!(commands.iter().any(|command| matches!(command, Command::DeleteImage { id } if *id == old)));
    assert!(matches!(commands.last(), Some(Command::GenerateMipmaps { base_level: 0, last_level: 3, .. })));
    // The attachment follows the texture to its new image; a second call needs no new image.
    assert_ne!(f.gl.resolve_framebuffer(framebuffer).unwrap().targets.colors[0].unwrap().image, old);
    f.gl.generate_mipmap(c::TEXTURE_2D);
    assert!(matches!(f.commands().as_slice(), [Command::GenerateMipmaps { .. }]));
    // §3.8.10: formats must be both filterable and colour-renderable.
    f.texture(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 2, c::RGBA8UI, 2, 2);
    f.gl.generate_mipmap(c::TEXTURE_2D);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
}

#[test]
fn completeness_of_filters_and_cubes() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    f.nearest(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA32F, 2, 2);
    // Magnification is LINEAR by default: not for 32-bit floats without OES_texture_float_linear.
    assert!(f.is_black());
    f.gl.caps.enabled.add(Extension::OesTextureFloatLinear);
    f.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_MAG_FILTER, c::NEAREST as i32);
    assert!(!f.is_black());
    let cube = SamplerType { dimension: SamplerDimension::Cube, ..FLOAT_2D };
    f.texture(c::TEXTURE_CUBE_MAP);
    f.nearest(c::TEXTURE_CUBE_MAP);
    for face in 0..6 {
        let black = f.gl.resolve_texture(0, cube).unwrap().view.levels == 1
            && f.gl.objects.textures.iter().last().unwrap().1.view(1).is_none();
        assert!(black, "face {face}");
        let target = c::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        f.gl.tex_image_2d(target, 0, c::RGBA8, 2, 2, 0, c::RGBA, c::UNSIGNED_BYTE, UploadData::None);
    }
    assert_eq!(f.gl.resolve_texture(0, cube).unwrap().view.dimension, ImageDimension::Cube);
    let created = f.commands().into_iter().filter(
        |command| matches!(command, Command::CreateImage { desc, .. } if desc.dimension == ImageDimension::Cube && desc.width == 2),
    );
    assert_eq!(created.count(), 1);
    assert_eq!(f.error(), None);
}

#[test]
fn samplers_must_meet_textures_of_their_kind() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    f.nearest(c::TEXTURE_2D);
    f.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_MAG_FILTER, c::NEAREST as i32);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::R32UI, 2, 2);
    assert!(f.gl.resolve_texture(0, FLOAT_2D).is_err());
    assert!(f.gl.resolve_texture(0, SamplerType { sampled: Scalar::Uint, ..FLOAT_2D }).is_ok());
    f.texture(c::TEXTURE_2D);
    f.nearest(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::DEPTH_COMPONENT24, 2, 2);
    let shadow = SamplerType { shadow: true, ..FLOAT_2D };
    assert!(f.gl.resolve_texture(0, shadow).is_err());
    // LINEAR without comparison is incomplete for sized depth formats (§3.8.13).
    assert!(f.is_black());
    f.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_COMPARE_MODE, c::COMPARE_REF_TO_TEXTURE as i32);
    let found = f.gl.resolve_texture(0, shadow).unwrap();
    assert_eq!((found.view.aspect, found.sampler.mag), (Aspect::Depth, Filter::Linear));
    assert!(found.sampler.compare.is_some());
    // A sampler object overrides the texture's parameters.
    let sampler = f.gl.create_sampler();
    f.gl.bind_sampler(0, sampler);
    f.gl.sampler_parameteri(sampler, c::TEXTURE_MIN_FILTER, c::NEAREST as i32);
    f.gl.sampler_parameteri(sampler, c::TEXTURE_MAG_FILTER, c::NEAREST as i32);
    assert!(f.gl.resolve_texture(0, shadow).is_err());
    assert!(!f.is_black());
}

#[test]
fn webgl1_npot_textures_must_clamp_and_have_no_mipmaps() {
    let mut f = fixture(WebGlVersion::One);
    f.texture(c::TEXTURE_2D);
    f.nearest(c::TEXTURE_2D);
    f.gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA, 3, 2, 0, c::RGBA, c::UNSIGNED_BYTE, UploadData::None);
    assert!(f.is_black());
    f.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_WRAP_S, c::CLAMP_TO_EDGE as i32);
    f.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_WRAP_T, c::CLAMP_TO_EDGE as i32);
    assert!(!f.is_black());
    f.gl.generate_mipmap(c::TEXTURE_2D);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    f.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_WRAP_R, c::CLAMP_TO_EDGE as i32);
    assert_eq!(f.error(), Some(ErrorCode::InvalidEnum));
}

#[test]
fn formats_without_alpha_start_with_alpha_1() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGB8, 2, 1);
    let streams = f.take();
    let Some(Command::WriteImage { data, .. }) = streams[0].commands.last() else { panic!() };
    assert_eq!(streams[0].bytes(*data), [0, 0, 0, 255, 0, 0, 0, 255]);
}

#[test]
fn image_sources_obey_their_own_rules() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA8, 1, 2);
    f.commands();
    let rgba = [100, 0, 0, 128, 50, 0, 0, 255];
    let source = PixelSource { width: 1, height: 2, rgba: &rgba, premultiplied: false, ignore_unpack: false };
    f.gl.pixel_storei(c::UNPACK_FLIP_Y_WEBGL, 1);
    f.gl.pixel_storei(c::UNPACK_PREMULTIPLY_ALPHA_WEBGL, 1);
    f.gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, 1, 2, c::RGBA, c::UNSIGNED_BYTE, UploadData::Source(source));
    // 100 · 128 / 255 = 50.2.
    let last = |f: &mut Fixture| {
        let streams = f.take();
        let Some(Command::WriteImage { data, .. }) = streams[0].commands.last() else { panic!() };
        streams[0].bytes(*data).to_vec()
    };
    assert_eq!(last(&mut f), [50, 0, 0, 255, 50, 0, 0, 128]);
    // An ImageBitmap is taken as it is.
    let bitmap = PixelSource { ignore_unpack: true, ..source };
    f.gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, 1, 2, c::RGBA, c::UNSIGNED_BYTE, UploadData::Source(bitmap));
    assert_eq!(last(&mut f), rgba);
    // Sub-rectangle: SKIP_ROWS picks the second row.
    f.gl.pixel_storei(c::UNPACK_FLIP_Y_WEBGL, 0);
    f.gl.pixel_storei(c::UNPACK_SKIP_ROWS, 1);
    f.gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, 1, 1, c::RGBA, c::UNSIGNED_BYTE, UploadData::Source(source));
    assert_eq!(last(&mut f), [50, 0, 0, 255]);
    f.gl.pixel_storei(c::UNPACK_SKIP_ROWS, 2);
    f.gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, 1, 1, c::RGBA, c::UNSIGNED_BYTE, UploadData::Source(source));
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
}

#[test]
fn upload_errors() {
    let mut f = fixture(WebGlVersion::Two);
    let data = [0; 64];
    f.gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA8, 2, 2, 0, c::RGBA, c::UNSIGNED_BYTE, bytes(&data));
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation), "no texture bound");
    f.texture(c::TEXTURE_2D);
    let mut image = |target, level, width, border, data: &[u8]| {
        f.gl.tex_image_2d(target, level, c::RGBA8, width, 4, border, c::RGBA, c::UNSIGNED_BYTE, bytes(data));
        f.error()
    };
    assert_eq!(image(c::TEXTURE_3D, 0, 4, 0, &data), Some(ErrorCode::InvalidEnum));
    assert_eq!(image(c::TEXTURE_2D, -1, 4, 0, &data), Some(ErrorCode::InvalidValue));
    assert_eq!(image(c::TEXTURE_2D, 0, -4, 0, &data), Some(ErrorCode::InvalidValue));
    assert_eq!(image(c::TEXTURE_2D, 0, 1 << 20, 0, &data), Some(ErrorCode::InvalidValue));
    assert_eq!(image(c::TEXTURE_2D, 0, 4, 1, &data), Some(ErrorCode::InvalidValue));
    assert_eq!(image(c::TEXTURE_2D, 0, 4, 0, &data[..63]), Some(ErrorCode::InvalidOperation));
    assert_eq!(image(c::TEXTURE_2D, 0, 4, 0, &data), None);
    let float = UploadData::Bytes { bytes: &data, kind: ArrayKind::F32 };
    f.gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, 4, 4, c::RGBA, c::UNSIGNED_BYTE, float);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation), "view of another type");
    f.gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 1, 0, 4, 4, c::RGBA, c::UNSIGNED_BYTE, bytes(&data));
    assert_eq!(f.error(), Some(ErrorCode::InvalidValue), "outside the level");
    f.gl.tex_sub_image_2d(c::TEXTURE_2D, 1, 0, 0, 1, 1, c::RGBA, c::UNSIGNED_BYTE, bytes(&data));
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation), "level not defined");
}

#[test]
fn framebuffer_completeness() {
    let mut f = fixture(WebGlVersion::Two);
    let name = f.framebuffer();
    let status = |f: &mut Fixture| f.gl.check_framebuffer_status(c::FRAMEBUFFER);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    let color = f.renderbuffer(4, c::RGBA8, 8, 8);
    f.gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::RENDERBUFFER, color);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_COMPLETE);
    let depth = f.renderbuffer(0, c::DEPTH_COMPONENT24, 8, 8);
    f.gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::DEPTH_ATTACHMENT, c::RENDERBUFFER, depth);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_INCOMPLETE_MULTISAMPLE);
    f.gl.renderbuffer_storage_multisample(c::RENDERBUFFER, 3, c::DEPTH_COMPONENT24, 8, 8);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_COMPLETE);
    // 3 samples become the next supported count.
    assert_eq!(f.gl.get_renderbuffer_parameter(c::RENDERBUFFER, c::RENDERBUFFER_SAMPLES), ParameterValue::Int(4));
    let targets = f.gl.resolve_framebuffer(name).unwrap().targets;
    assert_eq!((targets.samples, targets.width, targets.stencil), (4, 8, None));
    f.gl.renderbuffer_storage(c::RENDERBUFFER, c::RGBA8, 8, 8);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    // Attachments of different sizes are legal in ES 3.0; Chromium refuses them all the same.
    f.gl.renderbuffer_storage_multisample(c::RENDERBUFFER, 4, c::DEPTH_COMPONENT24, 4, 4);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_INCOMPLETE_DIMENSIONS);
    // Depth and stencil may come from one image only, as in Chromium.
    f.framebuffer();
    let both = f.renderbuffer(0, c::DEPTH24_STENCIL8, 8, 8);
    f.gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::DEPTH_ATTACHMENT, c::RENDERBUFFER, both);
    f.gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::STENCIL_ATTACHMENT, c::RENDERBUFFER, both);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_COMPLETE);
    let other = f.renderbuffer(0, c::DEPTH24_STENCIL8, 8, 8);
    f.gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::STENCIL_ATTACHMENT, c::RENDERBUFFER, other);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_UNSUPPORTED);
    f.gl.clear(c::DEPTH_BUFFER_BIT);
    assert_eq!(f.error(), Some(ErrorCode::InvalidFramebufferOperation));
    // A float colour buffer needs EXT_color_buffer_float.
    f.framebuffer();
    let texture = f.texture(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA16F, 4, 4);
    f.gl.framebuffer_texture_2d(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::TEXTURE_2D, texture, 0);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    f.gl.caps.enabled.add(Extension::ExtColorBufferFloat);
    assert_eq!(status(&mut f), c::FRAMEBUFFER_COMPLETE);
    f.gl.renderbuffer_storage_multisample(c::RENDERBUFFER, 16, c::RGBA8, 4, 4);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
}

#[test]
fn draw_buffers_choose_outputs_and_layers_are_attached() {
    let mut f = fixture(WebGlVersion::Two);
    let name = f.framebuffer();
    let texture = f.texture(c::TEXTURE_2D_ARRAY);
    f.gl.tex_storage_3d(c::TEXTURE_2D_ARRAY, 2, c::RGBA8, 4, 4, 3);
    for index in 0..3 {
        f.gl.framebuffer_texture_layer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0 + index, texture, 1, index as i32);
    }
    f.gl.draw_buffers(&[c::NONE, c::COLOR_ATTACHMENT0 + 1]);
    let found = f.gl.resolve_framebuffer(name).unwrap();
    assert_eq!(found.targets.colors[0], None);
    let second = found.targets.colors[1].unwrap();
    assert_eq!((second.level, second.layer, found.targets.width), (1, 1, 2));
    assert_eq!(found.targets.colors[2], None);
    f.gl.draw_buffers(&[c::COLOR_ATTACHMENT0 + 1]);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    f.gl.framebuffer_texture_layer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0 + 1, texture, 1, 0);
    // One image on two colour points.
    assert_eq!(f.gl.check_framebuffer_status(c::FRAMEBUFFER), c::FRAMEBUFFER_UNSUPPORTED);
    // Sampling what is drawn to is a feedback loop, another level is not.
    f.gl.framebuffer_texture_layer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0 + 1, texture, 1, 1);
    f.gl.draw_buffers(&[c::COLOR_ATTACHMENT0]);
    let targets = f.gl.resolve_framebuffer(name).unwrap().targets;
    let array = SamplerType { dimension: SamplerDimension::D2Array, ..FLOAT_2D };
    let all = f.gl.resolve_texture(0, array).unwrap();
    assert!(Context::is_feedback(&all.view, &targets));
    f.gl.tex_parameteri(c::TEXTURE_2D_ARRAY, c::TEXTURE_MAX_LEVEL, 0);
    let base = f.gl.resolve_texture(0, array).unwrap();
    assert!(!Context::is_feedback(&base.view, &targets));
}

#[test]
fn deleted_attachments_live_on_in_unbound_framebuffers() {
    let mut f = fixture(WebGlVersion::Two);
    let kept = f.framebuffer();
    let texture = f.texture(c::TEXTURE_2D);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA8, 4, 4);
    f.gl.framebuffer_texture_2d(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::TEXTURE_2D, texture, 0);
    f.gl.bind_framebuffer(c::FRAMEBUFFER, 0);
    f.gl.delete_texture(texture);
    assert!(!f.gl.is_texture(texture));
    assert!(f.gl.resolve_framebuffer(kept).is_ok());
    assert!(!f.commands().iter().any(|command| matches!(command, Command::DeleteImage { .. })));
    f.gl.delete_framebuffer(kept);
    assert!(f.commands().iter().any(|command| matches!(command, Command::DeleteImage { .. })));
    // On the bound framebuffer the attachment goes.
    f.framebuffer();
    let buffer = f.renderbuffer(0, c::RGBA8, 4, 4);
    f.gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::RENDERBUFFER, buffer);
    f.gl.delete_renderbuffer(buffer);
    assert_eq!(f.gl.check_framebuffer_status(c::FRAMEBUFFER), c::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
}

#[test]
fn the_drawing_buffer_is_cleared_after_it_was_shown() {
    let mut f = fixture(WebGlVersion::Two);
    f.gl.state.clear.color = [1.0, 0.5, 2.0, 1.0];
    f.gl.clear(c::COLOR_BUFFER_BIT);
    let clears = |commands: &[Command]| -> Vec<Clear> {
        commands
            .iter()
            .filter_map(|command| if let Command::Clear(clear) = command { Some(*clear) } else { None })
            .collect()
    };
    let commands = f.commands();
    let found = clears(&commands);
    // The first use clears all of it; then the program's own clear, with clamped colour.
    assert_eq!(found[0].colors[0], Some(ClearColor::Float([0.0; 4])));
    assert_eq!((found[0].depth, found[0].stencil), (Some(1.0), None));
    assert_eq!(found[1].colors[0], Some(ClearColor::Float([1.0, 0.5, 1.0, 1.0])));
    assert_eq!(found[1].depth, None);
    f.gl.present(0);
    assert!(matches!(f.commands().as_slice(), [Command::Present { frame: 0, opaque: false, premultiplied: true, .. }]));
    // Nothing drawn: the same picture again, and no clear yet.
    f.gl.present(1);
    assert!(matches!(f.commands().as_slice(), [Command::Present { frame: 1, .. }]));
    f.gl.clear(c::DEPTH_BUFFER_BIT);
    assert_eq!(clears(&f.commands()).len(), 2);
}

#[test]
fn antialiased_drawing_buffers_resolve_once_a_frame() {
    let (backend, record) = NullBackend::recording();
    let settings = ContextSettings { width: 8, height: 4, alpha: false, ..ContextSettings::default() };
    let mut f = Fixture { gl: Context::new(settings, Box::new(backend)), record };
    f.gl.clear(c::COLOR_BUFFER_BIT);
    let mut out = [0; 8 * 4 * 4];
    f.gl.read_pixels(0, 0, 8, 4, c::RGBA, c::UNSIGNED_BYTE, &mut out, ArrayKind::U8);
    assert_eq!(f.error(), None);
    f.gl.present(0);
    let commands = f.commands();
    let blits = commands.iter().filter(|command| matches!(command, Command::Blit(_))).count();
    assert_eq!(blits, 1);
    assert!(matches!(&commands[0], Command::CreateImage { desc, .. } if desc.samples == 4));
    // alpha: false clears alpha to 1 and masks it from then on.
    let targets = f.gl.resolve_framebuffer(0).unwrap();
    assert!(!targets.targets.colors[0].unwrap().has_alpha);
    assert!(commands.iter().any(
        |command| matches!(command, Command::Clear(clear) if clear.colors[0] == Some(ClearColor::Float([0.0, 0.0, 0.0, 1.0])))
    ));
}

#[test]
fn clear_buffers_check_kinds_and_masks() {
    let mut f = fixture(WebGlVersion::Two);
    f.framebuffer();
    let buffer = f.renderbuffer(0, c::RGBA8UI, 4, 4);
    f.gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::RENDERBUFFER, buffer);
    f.gl.clear(c::COLOR_BUFFER_BIT);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    f.gl.clear_bufferfv(c::COLOR, 0, &[0.0; 4]);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    f.commands();
    f.gl.clear_bufferuiv(c::COLOR, 0, &[1, 2, 3, 4]);
    f.gl.state.raster.scissor_test = true;
    f.gl.state.raster.scissor = [1, 1, 2, 9];
    f.gl.state.dirty |= Dirty::SCISSOR;
    f.gl.clear_bufferuiv(c::COLOR, 0, &[1, 2, 3, 4]);
    let commands = f.commands();
    assert!(commands.iter().any(|command| matches!(command, Command::SetScissor(Some(rect)) if rect.height == 3)));
    let Some(Command::Clear(clear)) = commands.last() else { panic!() };
    assert_eq!(clear.colors[0], Some(ClearColor::Uint([1, 2, 3, 4])));
    f.gl.clear_bufferiv(c::STENCIL, 1, &[0]);
    assert_eq!(f.error(), Some(ErrorCode::InvalidValue));
    f.gl.clear_bufferfi(c::DEPTH, 0, 0.0, 0);
    assert_eq!(f.error(), Some(ErrorCode::InvalidEnum));
    // A scissor outside the target leaves nothing to do.
    f.gl.state.raster.scissor = [100, 0, 2, 2];
    f.gl.state.dirty |= Dirty::SCISSOR;
    f.gl.clear_bufferuiv(c::COLOR, 0, &[0; 4]);
    assert!(!f.commands().iter().any(|command| matches!(command, Command::Clear(_))));
}

#[test]
fn blits_resolve_and_refuse() {
    let mut f = fixture(WebGlVersion::Two);
    let attach = |f: &mut Fixture, samples, format| {
        let name = f.framebuffer();
        let buffer = f.renderbuffer(samples, format, 8, 8);
        f.gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::RENDERBUFFER, buffer);
        name
    };
    let multi = attach(&mut f, 4, c::RGBA8);
    let single = attach(&mut f, 0, c::RGBA8);
    let other = attach(&mut f, 0, c::RGB565);
    f.commands();
    let blit = |f: &mut Fixture, read, draw, dst: [i32; 4], filter| {
        f.gl.bind_framebuffer(c::READ_FRAMEBUFFER, read);
        f.gl.bind_framebuffer(c::DRAW_FRAMEBUFFER, draw);
        f.gl.blit_framebuffer(0, 0, 8, 8, dst[0], dst[1], dst[2], dst[3], c::COLOR_BUFFER_BIT, filter);
        f.error()
    };
    assert_eq!(blit(&mut f, multi, single, [0, 0, 8, 8], c::NEAREST), None);
    assert!(matches!(f.commands().as_slice(), [Command::Blit(_)]));
    assert_eq!(blit(&mut f, multi, single, [0, 0, 4, 4], c::NEAREST), Some(ErrorCode::InvalidOperation));
    assert_eq!(blit(&mut f, multi, other, [0, 0, 8, 8], c::NEAREST), Some(ErrorCode::InvalidOperation));
    assert_eq!(blit(&mut f, single, multi, [0, 0, 8, 8], c::NEAREST), Some(ErrorCode::InvalidOperation));
    assert_eq!(blit(&mut f, single, single, [0, 0, 8, 8], c::NEAREST), Some(ErrorCode::InvalidOperation));
    assert_eq!(blit(&mut f, single, other, [8, 8, 0, 0], c::LINEAR), None);
    let Some(Command::Blit(found)) = f.commands().pop() else { panic!() };
    assert_eq!((found.dst.rect, found.filter, found.dst_has_alpha), ([8, 8, 0, 0], Filter::Linear, false));
}

#[test]
fn reads_are_cut_at_the_edges() {
    let mut f = fixture(WebGlVersion::Two);
    let mut out = [7u8; 4 * 4 * 4];
    // Only the two rows and columns inside the 8 × 4 buffer are written (the null back end reads zeros).
    f.gl.read_pixels(-2, 2, 4, 4, c::RGBA, c::UNSIGNED_BYTE, &mut out, ArrayKind::U8);
    assert_eq!(f.error(), None);
    for y in 0..4 {
        for x in 0..4 {
            let inside = x >= 2 && y < 2;
            assert_eq!(out[(y * 4 + x) * 4], if inside { 0 } else { 7 }, "{x} {y}");
        }
    }
    f.gl.read_pixels(0, 0, 4, 4, c::RGBA, c::FLOAT, &mut out, ArrayKind::F32);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    f.gl.read_pixels(0, 0, 4, 5, c::RGBA, c::UNSIGNED_BYTE, &mut out, ArrayKind::U8);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    f.gl.read_pixels(0, 0, 4, 4, c::RGBA, c::UNSIGNED_BYTE, &mut out, ArrayKind::U16);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
    f.gl.read_pixels(0, 0, -1, 4, c::RGBA, c::UNSIGNED_BYTE, &mut out, ArrayKind::U8);
    assert_eq!(f.error(), Some(ErrorCode::InvalidValue));
    f.gl.read_pixels_offset(0, 0, 4, 4, c::RGBA, c::UNSIGNED_BYTE, 0);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
}

#[test]
fn copies_take_only_what_lies_inside() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    f.gl.copy_tex_image_2d(c::TEXTURE_2D, 0, c::RGBA, -2, -1, 8, 4, 0);
    assert_eq!(f.error(), None);
    let commands = f.commands();
    let Some(Command::CopyImage { src_region, dst_region, .. }) = commands.last() else { panic!("{commands:?}") };
    let expected = ImageRegion { level: 0, origin: [2, 1, 0], extent: [6, 3, 1], aspect: Aspect::All };
    assert_eq!(*dst_region, expected);
    assert_eq!(src_region.origin, [0, 0, 0]);
    // RGBA to RGB must leave alpha alone: no plain copy.
    f.gl.copy_tex_image_2d(c::TEXTURE_2D, 0, c::RGB, 0, 0, 8, 4, 0);
    assert!(matches!(f.commands().last(), Some(Command::Blit(blit)) if !blit.dst_has_alpha));
    f.gl.copy_tex_image_2d(c::TEXTURE_2D, 0, c::DEPTH_COMPONENT16, 0, 0, 8, 4, 0);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
}

#[test]
fn attachment_getters() {
    let mut f = fixture(WebGlVersion::Two);
    f.framebuffer();
    let texture = f.texture(c::TEXTURE_CUBE_MAP);
    f.gl.tex_storage_2d(c::TEXTURE_CUBE_MAP, 1, c::SRGB8_ALPHA8, 4, 4);
    let face = c::TEXTURE_CUBE_MAP_NEGATIVE_Y;
    f.gl.framebuffer_texture_2d(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, face, texture, 0);
    let mut get = |name| f.gl.get_framebuffer_attachment_parameter(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, name);
    assert_eq!(get(c::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), ParameterValue::Uint(c::TEXTURE));
    assert_eq!(get(c::FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE), ParameterValue::Uint(face));
    assert_eq!(get(c::FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING), ParameterValue::Uint(c::SRGB));
    assert_eq!(get(c::FRAMEBUFFER_ATTACHMENT_GREEN_SIZE), ParameterValue::Int(8));
    assert_eq!(f.gl.check_framebuffer_status(c::FRAMEBUFFER), c::FRAMEBUFFER_COMPLETE);
    let found = f.gl.resolve_framebuffer(1).unwrap().targets.colors[0].unwrap();
    assert_eq!(found.layer, 3);
    f.gl.bind_framebuffer(c::FRAMEBUFFER, 0);
    let depth =
        f.gl.get_framebuffer_attachment_parameter(c::FRAMEBUFFER, c::DEPTH, c::FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE);
    assert_eq!(depth, ParameterValue::Int(24));
    let samples = f.gl.get_internalformat_parameter(c::RENDERBUFFER, c::RGBA8, c::SAMPLES);
    assert_eq!(samples, ParameterValue::IntArray(vec![4]));
    let samples = f.gl.get_internalformat_parameter(c::RENDERBUFFER, c::RGBA8UI, c::SAMPLES);
    assert_eq!(samples, ParameterValue::IntArray(vec![]));
}

#[test]
fn compressed_textures() {
    let mut f = fixture(WebGlVersion::Two);
    f.texture(c::TEXTURE_2D);
    let data = [0u8; 32];
    let dxt5 = c::COMPRESSED_RGBA_S3TC_DXT5_EXT;
    f.gl.compressed_tex_image_2d(c::TEXTURE_2D, 0, dxt5, 4, 4, 0, bytes(&data[..16]));
    assert_eq!(f.error(), Some(ErrorCode::InvalidEnum), "extension not enabled");
    f.gl.caps.enabled.add(Extension::WebglCompressedTextureS3tc);
    f.gl.compressed_tex_image_2d(c::TEXTURE_2D, 0, dxt5, 4, 4, 0, bytes(&data));
    assert_eq!(f.error(), Some(ErrorCode::InvalidValue), "wrong length");
    f.gl.compressed_tex_image_2d(c::TEXTURE_2D, 0, dxt5, 3, 4, 0, bytes(&data[..16]));
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation), "level 0 of part of a block");
    f.gl.compressed_tex_image_2d(c::TEXTURE_2D, 0, dxt5, 8, 4, 0, bytes(&data));
    assert_eq!(f.error(), None);
    f.gl.compressed_tex_sub_image_2d(c::TEXTURE_2D, 0, 2, 0, 4, 4, dxt5, bytes(&data[..16]));
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation), "not at a block corner");
    f.gl.compressed_tex_sub_image_2d(c::TEXTURE_2D, 0, 4, 0, 4, 4, dxt5, bytes(&data[..16]));
    assert_eq!(f.error(), None);
    f.gl.generate_mipmap(c::TEXTURE_2D);
    assert_eq!(f.error(), Some(ErrorCode::InvalidOperation));
}
