use super::*;

fn side(image: ImageId, rect: [i32; 4]) -> BlitSide {
    BlitSide { image, level: 0, layer: 0, rect }
}

fn blit(src: BlitSide, dst: BlitSide) -> Blit {
    Blit { src, dst, aspect: Aspect::All, filter: Filter::Nearest, scissor: None, dst_has_alpha: true }
}

/// An image whose texel at index i is (i, 2i, 3i, 255).
fn numbered(rig: &mut Rig, width: u32, height: u32) -> ImageId {
    let image = rig.image(rgba8(width, height));
    let texels: Vec<u8> = (0..width * height).flat_map(|i| [i as u8, (2 * i) as u8, (3 * i) as u8, 255]).collect();
    rig.write_image(image, whole_level(0, 0, width, height), &texels);
    image
}

fn reds(pixels: Vec<u8>) -> Vec<u8> {
    pixels.chunks_exact(4).map(|pixel| pixel[0]).collect()
}

#[test]
fn a_plain_blit_copies_and_cuts() {
    let mut rig = Rig::new();
    let src = numbered(&mut rig, 3, 2);
    let dst = rig.image(rgba8(3, 2));
    rig.push(Command::Blit(blit(side(src, [0, 0, 3, 2]), side(dst, [1, 0, 4, 2]))));
    assert_eq!(reds(rig.read(dst, [3, 2])), [0, 0, 1, 0, 3, 4]);
}

#[test]
fn blits_flip_scale_and_obey_the_scissor() {
    let mut rig = Rig::new();
    let src = numbered(&mut rig, 2, 2);
    for (dst_rect, scissor, expected) in [
        ([2, 0, 0, 2], None, vec![1u8, 0, 3, 2]),
        ([0, 2, 2, 0], None, vec![2, 3, 0, 1]),
        ([2, 2, 0, 0], None, vec![3, 2, 1, 0]),
        ([0, 2, 2, 0], Some(Rect { x: 0, y: 1, width: 1, height: 1 }), vec![0, 0, 0, 0]),
        ([0, 2, 2, 0], Some(Rect { x: 1, y: 0, width: 1, height: 1 }), vec![0, 3, 0, 0]),
    ] {
        let dst = rig.image(rgba8(2, 2));
        rig.push(Command::Blit(Blit { scissor, ..blit(side(src, [0, 0, 2, 2]), side(dst, dst_rect)) }));
        assert_eq!(reds(rig.read(dst, [2, 2])), expected, "{dst_rect:?}");
    }
    let big = rig.image(rgba8(4, 4));
    rig.push(Command::Blit(blit(side(src, [0, 0, 2, 2]), side(big, [0, 0, 4, 4]))));
    assert_eq!(reds(rig.read(big, [4, 4])), [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]);
}

#[test]
fn linear_blits_interpolate() {
    let mut rig = Rig::new();
    let src = rig.image(rgba8(2, 1));
    rig.write_image(src, whole_level(0, 0, 2, 1), &[0u8, 0, 0, 255, 240, 240, 240, 255]);
    let dst = rig.image(rgba8(4, 1));
    rig.push(Command::Blit(Blit { filter: Filter::Linear, ..blit(side(src, [0, 0, 2, 1]), side(dst, [0, 0, 4, 1])) }));
    // Source positions − 0.5 at pixel centres: −0.25, 0.25, 0.75, 1.25, clamped.
    assert_eq!(reds(rig.read(dst, [4, 1])), [0, 60, 180, 240]);
}

#[test]
fn a_destination_without_alpha_keeps_it() {
    let mut rig = Rig::new();
    let src = rig.image(rgba8(1, 1));
    rig.write_image(src, whole_level(0, 0, 1, 1), &[10u8, 20, 30, 40]);
    let dst = rig.image(rgba8(1, 1));
    rig.write_image(dst, whole_level(0, 0, 1, 1), &[0u8, 0, 0, 255]);
    rig.push(Command::Blit(Blit { dst_has_alpha: false, ..blit(side(src, [0, 0, 1, 1]), side(dst, [0, 0, 1, 1])) }));
    assert_eq!(rig.texel(dst, 0, 0), [10, 20, 30, 255]);
}

#[test]
fn srgb_sources_decode() {
    let mut rig = Rig::new();
    let src = rig.image(desc(StorageFormat::Rgba8UnormSrgb, 1, 1));
    rig.write_image(src, whole_level(0, 0, 1, 1), &[188u8, 255, 0, 100]);
    let dst = rig.image(rgba8(1, 1));
    rig.push(Command::Blit(blit(side(src, [0, 0, 1, 1]), side(dst, [0, 0, 1, 1]))));
    // 188/255 decodes to 0.5029: 128.2.
    let got = rig.texel(dst, 0, 0);
    assert!(got[0].abs_diff(128) <= 1 && got[1..] == [255, 0, 100], "{got:?}");
}

#[test]
fn integer_blits_are_exact() {
    let mut rig = Rig::new();
    let src = rig.image(desc(StorageFormat::Rgba32Sint, 2, 1));
    let values = [-1i32, 2, i32::MIN, 4, 5, 6, 7, i32::MAX];
    rig.write_image(src, whole_level(0, 0, 2, 1), &values);
    let dst = rig.image(desc(StorageFormat::Rgba32Sint, 2, 1));
    rig.push(Command::Blit(blit(side(src, [0, 0, 2, 1]), side(dst, [2, 0, 0, 1]))));
    let swapped: Vec<i32> = values[4..].iter().chain(&values[..4]).copied().collect();
    assert_eq!(rig.read(dst, [2, 1]), bytemuck::cast_slice::<i32, u8>(&swapped));
}

/// A 4-sample image half of whose one pixel is white: the left two of the standard positions
/// (0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875).
fn half_covered(rig: &mut Rig, format: StorageFormat) -> ImageId {
    let image = rig.image(ImageDesc { samples: 4, ..desc(format, 1, 1) });
    let program = rig.program(&flat_vertex(0.0), &flat_fragment("1.0, 1.0, 1.0, 1.0"), layout());
    rig.targets(&[image], None, [1, 1], 4);
    rig.clear_color(ClearColor::Float([0.0; 4]));
    rig.push(Command::SetProgram(program));
    rig.positions(&[[-3.0, -1.0], [0.0, -1.0], [0.0, 1.0], [-3.0, -1.0], [0.0, 1.0], [-3.0, 1.0]]);
    rig.draw(Topology::TriangleList, 6);
    image
}

#[test]
fn a_resolve_folds_into_the_pass_and_averages() {
    let mut rig = Rig::new();
    let image = half_covered(&mut rig, StorageFormat::Rgba8Unorm);
    let dst = rig.image(rgba8(1, 1));
    rig.push(Command::Blit(blit(side(image, [0, 0, 1, 1]), side(dst, [0, 0, 1, 1]))));
    rig.push(Command::Invalidate { images: vec![image] });
    rig.run();
    assert_eq!(rig.backend.recorded_passes(), 1);
    let got = rig.texel(dst, 0, 0);
    assert!(got[0].abs_diff(127) <= 1, "{got:?}");
}

#[test]
fn a_resolve_after_other_work_still_happens() {
    let mut rig = Rig::new();
    let image = half_covered(&mut rig, StorageFormat::Rgba8Unorm);
    rig.run();
    rig.backend.finish().expect("work is done");
    let dst = rig.image(rgba8(1, 1));
    rig.push(Command::Blit(blit(side(image, [0, 0, 1, 1]), side(dst, [0, 0, 1, 1]))));
    let got = rig.texel(dst, 0, 0);
    assert!(got[0].abs_diff(127) <= 1, "{got:?}");
}

#[test]
fn resolves_by_draw_average_too() {
    // A scissor, and a format whose hardware resolve is not promised.
    for format in [StorageFormat::Rgba8Unorm, StorageFormat::R32Float] {
        let mut rig = Rig::new();
        let image = half_covered(&mut rig, format);
        let dst = rig.image(desc(format, 2, 1));
        let scissor = Some(Rect { x: 1, y: 0, width: 1, height: 1 });
        rig.push(Command::Blit(Blit { scissor, ..blit(side(image, [0, 0, 1, 1]), side(dst, [1, 0, 2, 1])) }));
        let bytes = rig.read(dst, [2, 1]);
        match format {
            StorageFormat::R32Float => assert_eq!(bytes, bytemuck::cast_slice::<f32, u8>(&[0.0, 0.5])),
            _ => assert!(bytes[0] == 0 && bytes[4].abs_diff(127) <= 1, "{bytes:?}"),
        }
    }
}

#[test]
fn multisampled_images_read_resolved() {
    let mut rig = Rig::new();
    let image = half_covered(&mut rig, StorageFormat::Rgba8Unorm);
    let got = rig.texel(image, 0, 0);
    assert!(got[0].abs_diff(127) <= 1, "{got:?}");
}

#[test]
fn depth_and_stencil_blits_move_both_planes() {
    for format in [StorageFormat::Depth24PlusStencil8, StorageFormat::Depth32FloatStencil8] {
        let mut rig = Rig::new();
        let src = rig.image(desc(format, 2, 1));
        rig.targets(&[], Some(src), [2, 1], 1);
        rig.push(Command::Clear(Clear { depth: Some(0.75), stencil: Some((0xa5, 0xff)), ..no_clear() }));
        rig.push(Command::SetScissor(Some(Rect { x: 1, y: 0, width: 1, height: 1 })));
        rig.push(Command::Clear(Clear { depth: Some(0.5), stencil: Some((0x5a, 0xff)), ..no_clear() }));
        let dst = rig.image(desc(format, 2, 1));
        rig.push(Command::Blit(blit(side(src, [0, 0, 2, 1]), side(dst, [2, 0, 0, 1]))));
        let bytes = rig.read_region(dst, whole_level(0, 0, 2, 1));
        assert_depth_stencil(&bytes, &[0.5, 0.75], &[0x5a, 0xa5]);
    }
}

#[test]
fn multisampled_depth_resolves() {
    let mut rig = Rig::new();
    let src = rig.image(ImageDesc { samples: 4, ..desc(StorageFormat::Depth24PlusStencil8, 1, 1) });
    rig.targets(&[], Some(src), [1, 1], 4);
    rig.push(Command::Clear(Clear { depth: Some(0.25), stencil: Some((9, 0xff)), ..no_clear() }));
    let dst = rig.image(desc(StorageFormat::Depth24PlusStencil8, 1, 1));
    rig.push(Command::Blit(blit(side(src, [0, 0, 1, 1]), side(dst, [0, 0, 1, 1]))));
    let bytes = rig.read_region(dst, whole_level(0, 0, 1, 1));
    assert_depth_stencil(&bytes, &[0.25], &[9]);
}

#[test]
fn a_slice_of_a_volume_blits() {
    let mut rig = Rig::new();
    let src = rig.image(ImageDesc { dimension: ImageDimension::D3, depth: 2, ..rgba8(2, 1) });
    let region = ImageRegion { level: 0, origin: [0; 3], extent: [2, 1, 2], aspect: Aspect::All };
    rig.write_image(src, region, &[[1u8; 4], [2; 4], [3; 4], [4; 4]].concat());
    let dst = rig.image(rgba8(2, 1));
    let source = BlitSide { layer: 1, ..side(src, [0, 0, 2, 1]) };
    rig.push(Command::Blit(blit(source, side(dst, [2, 0, 0, 1]))));
    assert_eq!(reds(rig.read(dst, [2, 1])), [4, 3]);
}
