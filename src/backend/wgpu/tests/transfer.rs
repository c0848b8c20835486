use super::*;
use StorageFormat as S;

/// Colour formats and the bytes of a texel.
const COLORS: &[(S, usize)] = &[
    (S::R8Unorm, 1),
    (S::R8Snorm, 1),
    (S::R8Uint, 1),
    (S::R8Sint, 1),
    (S::Rg8Unorm, 2),
    (S::Rg8Snorm, 2),
    (S::Rg8Uint, 2),
    (S::Rg8Sint, 2),
    (S::Rgba8Unorm, 4),
    (S::Rgba8UnormSrgb, 4),
    (S::Rgba8Snorm, 4),
    (S::Rgba8Uint, 4),
    (S::Rgba8Sint, 4),
    (S::R16Uint, 2),
    (S::R16Sint, 2),
    (S::R16Float, 2),
    (S::Rg16Uint, 4),
    (S::Rg16Sint, 4),
    (S::Rg16Float, 4),
    (S::Rgba16Uint, 8),
    (S::Rgba16Sint, 8),
    (S::Rgba16Float, 8),
    (S::R32Uint, 4),
    (S::R32Sint, 4),
    (S::R32Float, 4),
    (S::Rg32Uint, 8),
    (S::Rg32Sint, 8),
    (S::Rg32Float, 8),
    (S::Rgba32Uint, 16),
    (S::Rgba32Sint, 16),
    (S::Rgba32Float, 16),
    (S::Rgb10a2Unorm, 4),
    (S::Rgb10a2Uint, 4),
    (S::Rg11b10Ufloat, 4),
    (S::Rgb9e5Ufloat, 4),
];

#[test]
fn every_colour_format_reads_back_what_was_written() {
    let mut rig = Rig::new();
    for (format, size) in COLORS {
        // Odd sizes: rows are padded on the way and not in the answer.
        let image = rig.image(ImageDesc { renderable: false, ..desc(*format, 5, 3) });
        let bytes: Vec<u8> = (0..5 * 3 * size).map(|i| (i * 37 % 251) as u8).collect();
        rig.write_image(image, whole_level(0, 0, 5, 3), &bytes);
        assert_eq!(rig.read(image, [5, 3]), bytes, "{format:?}");
        let part = ImageRegion { level: 0, origin: [1, 1, 0], extent: [2, 2, 1], aspect: Aspect::All };
        let row = |y: usize| &bytes[(y * 5 + 1) * size..(y * 5 + 3) * size];
        assert_eq!(rig.read_region(image, part), [row(1), row(2)].concat(), "{format:?}");
    }
}

#[test]
fn norm16_formats_read_back_when_offered() {
    let mut rig = Rig::new();
    assert!(rig.backend.caps().norm16, "lavapipe and every desktop GPU have 16-bit norms");
    for (format, size) in [(S::R16Unorm, 2), (S::Rg16Snorm, 4), (S::Rgba16Unorm, 8)] {
        let image = rig.image(ImageDesc { renderable: false, ..desc(format, 3, 1) });
        let bytes: Vec<u8> = (0..3 * size).map(|i| (i * 37 % 251) as u8).collect();
        rig.write_image(image, whole_level(0, 0, 3, 1), &bytes);
        assert_eq!(rig.read(image, [3, 1]), bytes, "{format:?}");
    }
}

#[test]
fn depth_formats_read_back_what_was_written() {
    let mut rig = Rig::new();
    let values = [0.0f32, 0.25, 0.5, 1.0, 0.75, 0.125];
    let region = ImageRegion { level: 0, origin: [1, 1, 0], extent: [3, 2, 1], aspect: Aspect::All };
    for format in [S::Depth24Plus, S::Depth32Float] {
        let image = rig.image(desc(format, 5, 4));
        rig.write_image(image, region, &values);
        let got: Vec<f32> = bytemuck::pod_collect_to_vec(&rig.read_region(image, region));
        let near = got.iter().zip(values).all(|(got, value)| (got - value).abs() < 1e-6);
        assert!(near && got.len() == 6, "{format:?}: {got:?}");
        // Outside the region nothing happened.
        assert_eq!(rig.read(image, [5, 1]), bytemuck::cast_slice::<f32, u8>(&[1.0; 5]));
    }
    let image = rig.image(desc(S::Depth16Unorm, 5, 4));
    let shorts = values.map(|value| (value * 65535.0).round() as u16);
    rig.write_image(image, region, &shorts);
    let got: Vec<f32> = bytemuck::pod_collect_to_vec(&rig.read_region(image, region));
    for (got, short) in got.iter().zip(shorts) {
        assert!((got * 65535.0 - f32::from(short)).abs() < 0.01, "{got} {short}");
    }
}

#[test]
fn stencil_reads_back_what_was_written() {
    let mut rig = Rig::new();
    let region = ImageRegion { level: 0, origin: [1, 0, 0], extent: [2, 2, 1], aspect: Aspect::Stencil };
    for format in [S::Stencil8, S::Depth24PlusStencil8, S::Depth32FloatStencil8] {
        let image = rig.image(desc(format, 4, 2));
        rig.write_image(image, region, &[1u8, 128, 255, 42]);
        assert_eq!(rig.read_region(image, region), [1, 128, 255, 42], "{format:?}");
        let whole = ImageRegion { aspect: Aspect::Stencil, ..whole_level(0, 0, 4, 2) };
        assert_eq!(rig.read_region(image, whole), [0, 1, 128, 0, 0, 255, 42, 0], "{format:?}");
    }
}

#[test]
fn new_images_and_buffers_are_zero_and_depth_is_far() {
    let mut rig = Rig::new();
    let image = rig.image(desc(S::Rgba32Uint, 3, 3));
    assert_eq!(rig.read(image, [3, 3]), vec![0; 3 * 3 * 16]);
    let depth = rig.image(desc(S::Depth24Plus, 2, 2));
    assert_eq!(rig.read(depth, [2, 2]), bytemuck::cast_slice::<f32, u8>(&[1.0; 4]));
    let id = BufferId(rig.id());
    rig.push(Command::CreateBuffer { id, size: 7 });
    rig.run();
    assert_eq!(rig.backend.read_buffer(id, 0, 7).expect("readable"), [0; 7]);
}

#[test]
fn buffers_copy_within_and_between() {
    let mut rig = Rig::new();
    let a = rig.buffer(&[1u32, 2, 3, 4]);
    let b = rig.buffer(&[0u32; 4]);
    rig.push(Command::CopyBuffer { src: a, src_offset: 4, dst: b, dst_offset: 0, size: 8 });
    rig.push(Command::CopyBuffer { src: b, src_offset: 0, dst: b, dst_offset: 8, size: 8 });
    rig.run();
    let bytes = rig.backend.read_buffer(b, 0, 16).expect("readable");
    assert_eq!(bytes, bytemuck::cast_slice::<u32, u8>(&[2, 3, 2, 3]));
    assert_eq!(rig.backend.read_buffer(b, 1, 2).expect("readable"), [0, 0]);
}

#[test]
fn images_copy_by_region() {
    let mut rig = Rig::new();
    let src = rig.image(rgba8(2, 2));
    rig.write_image(src, whole_level(0, 0, 2, 2), &[[1u8; 4], [2; 4], [3; 4], [4; 4]].concat());
    let dst = rig.image(rgba8(2, 2));
    let at = |x, y| ImageRegion { level: 0, origin: [x, y, 0], extent: [1, 2, 1], aspect: Aspect::All };
    rig.push(Command::CopyImage { src, src_region: at(1, 0), dst, dst_region: at(0, 0) });
    assert_eq!(rig.read(dst, [2, 2]), [[2u8; 4], [0; 4], [4; 4], [0; 4]].concat());
}

#[test]
fn block_compressed_images_take_blocks() {
    let mut rig = Rig::new();
    assert!(rig.backend.caps().bc, "lavapipe has BC");
    // 6 × 6 texels are 2 × 2 blocks of 8 bytes.
    let image = rig.image(ImageDesc { renderable: false, levels: 2, ..desc(S::Bc1RgbaUnorm, 8, 8) });
    let bytes: Vec<u8> = (0..32).collect();
    rig.write_image(image, whole_level(0, 0, 8, 8), &bytes);
    assert_eq!(rig.read(image, [8, 8]), bytes);
}

fn texels<T: bytemuck::Pod>(bytes: &[u8]) -> Vec<T> {
    bytemuck::pod_collect_to_vec(bytes)
}

#[test]
fn mipmaps_average_every_kind_of_image() {
    for (dimension, depth, layers) in
        [(ImageDimension::D2, 1, 1), (ImageDimension::D2Array, 3, 3), (ImageDimension::Cube, 6, 6)]
    {
        for format in [S::Rgba8Unorm, S::Rgba16Float, S::Rgba32Float] {
            let mut rig = Rig::new();
            let id = rig.image(ImageDesc { dimension, depth, levels: 2, ..desc(format, 2, 2) });
            let region = ImageRegion { level: 0, origin: [0; 3], extent: [2, 2, layers], aspect: Aspect::All };
            // Layer l holds the values 4l … 4l + 3 in sixteenths: the mean is 4l + 1.5 of them.
            let value = |i: u32| i as f32 / 32.0;
            let quads = (0..layers * 4).flat_map(|i| [value(i); 4]);
            match format {
                S::Rgba8Unorm => {
                    let bytes: Vec<u8> = quads.map(|value| (value * 255.0).round() as u8).collect();
                    rig.write_image(id, region, &bytes);
                }
                S::Rgba16Float => {
                    let halves: Vec<half::f16> = quads.map(half::f16::from_f32).collect();
                    rig.write_image(id, region, &halves);
                }
                _ => {
                    let floats: Vec<f32> = quads.collect();
                    rig.write_image(id, region, &floats);
                }
            }
            rig.push(Command::GenerateMipmaps { id, base_level: 0, last_level: 1 });
            for layer in 0..layers {
                let bytes = rig.read_region(id, whole_level(1, layer, 1, 1));
                let got = match format {
                    S::Rgba8Unorm => f32::from(bytes[0]) / 255.0,
                    S::Rgba16Float => texels::<half::f16>(&bytes)[0].to_f32(),
                    _ => texels::<f32>(&bytes)[0],
                };
                let expected = (4 * layer) as f32 / 32.0 + 1.5 / 32.0;
                assert!((got - expected).abs() < 0.003, "{dimension:?} {format:?} {layer}: {got} {expected}");
            }
        }
    }
}

#[test]
fn mipmaps_of_volumes_average_eight() {
    let mut rig = Rig::new();
    let id = rig.image(ImageDesc { dimension: ImageDimension::D3, depth: 2, levels: 2, ..desc(S::Rgba32Float, 2, 2) });
    let region = ImageRegion { level: 0, origin: [0; 3], extent: [2, 2, 2], aspect: Aspect::All };
    let floats: Vec<f32> = (0..8).flat_map(|i| [i as f32; 4]).collect();
    rig.write_image(id, region, &floats);
    rig.push(Command::GenerateMipmaps { id, base_level: 0, last_level: 1 });
    assert_eq!(texels::<f32>(&rig.read_region(id, whole_level(1, 0, 1, 1))), [3.5; 4]);
}

#[test]
fn srgb_mipmaps_average_light() {
    let mut rig = Rig::new();
    let id = rig.image(ImageDesc { levels: 2, ..desc(S::Rgba8UnormSrgb, 2, 1) });
    rig.write_image(id, whole_level(0, 0, 2, 1), &[0u8, 0, 0, 255, 255, 255, 255, 255]);
    rig.push(Command::GenerateMipmaps { id, base_level: 0, last_level: 1 });
    // Linear 0.5 encodes to 187.5.
    let got = rig.read_region(id, whole_level(1, 0, 1, 1));
    assert!(got[0].abs_diff(188) <= 1, "{got:?}");
}

#[test]
fn texture_writes_between_draws_do_not_split_the_pass() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(1, 1));
    let program = rig.program(&flat_vertex(0.0), &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
    rig.target(image, [1, 1]);
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    rig.draw(Topology::TriangleList, 3);
    let texture = rig.image(ImageDesc { levels: 2, ..rgba8(2, 2) });
    rig.write_image(texture, whole_level(0, 0, 2, 2), &[8u8; 16]);
    rig.run();
    assert_eq!(rig.backend.recorded_passes(), 1);
    rig.draw(Topology::TriangleList, 3);
    rig.run();
    assert_eq!(rig.backend.recorded_passes(), 1);
    assert_eq!(rig.read(texture, [2, 2]), [8; 16]);
}
