use super::*;

const SCISSOR: Rect = Rect { x: 1, y: 0, width: 1, height: 1 };

#[test]
fn clears_at_the_start_fold_into_one_pass() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(2, 1));
    let depth = rig.image(desc(StorageFormat::Depth24PlusStencil8, 2, 1));
    rig.settle();
    rig.targets(&[image], Some(depth), [2, 1], 1);
    rig.clear_color(ClearColor::Float([1.0, 0.0, 0.0, 1.0]));
    rig.push(Command::Clear(Clear { depth: Some(0.5), ..no_clear() }));
    rig.push(Command::Clear(Clear { stencil: Some((7, 0xff)), ..no_clear() }));
    rig.clear_color(ClearColor::Float([0.0, 1.0, 0.0, 1.0]));
    rig.run();
    assert_eq!(rig.backend.recorded_passes(), 1);
    assert_eq!(rig.read(image, [2, 1]), [0, 255, 0, 255, 0, 255, 0, 255]);
    let bytes = rig.read_region(depth, whole_level(0, 0, 2, 1));
    // The depth plane, then the stencil plane.
    assert_depth_stencil(&bytes, &[0.5, 0.5], &[7, 7]);
}

#[test]
fn scissor_and_masks_leave_the_rest() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(2, 1));
    rig.target(image, [2, 1]);
    rig.clear_color(ClearColor::Float([1.0, 1.0, 1.0, 1.0]));
    rig.push(Command::SetScissor(Some(SCISSOR)));
    let mut masks = [0xf; MAX_COLOR_ATTACHMENTS];
    masks[0] = 0b1010;
    rig.push(Command::Clear(Clear { colors: first(ClearColor::Float([0.0; 4])), color_masks: masks, ..no_clear() }));
    assert_eq!(rig.read(image, [2, 1]), [255, 255, 255, 255, 255, 0, 255, 0]);
}

#[test]
fn integer_targets_clear_exactly_with_and_without_scissor() {
    for (format, color, other, whole, part) in [
        (
            StorageFormat::Rgba32Uint,
            ClearColor::Uint([1, 2, 0xffff_fffe, 4]),
            ClearColor::Uint([u32::MAX, 0, 7, 8]),
            [1u32, 2, 0xffff_fffe, 4],
            [u32::MAX, 0, 7, 8],
        ),
        (
            StorageFormat::Rgba32Sint,
            ClearColor::Sint([-1, 2, i32::MIN, 4]),
            ClearColor::Sint([5, -6, 7, i32::MAX]),
            [u32::MAX, 2, 0x8000_0000, 4],
            [5, (-6i32).cast_unsigned(), 7, 0x7fff_ffff],
        ),
    ] {
        let mut rig = Rig::new();
        let image = rig.image(desc(format, 2, 1));
        rig.target(image, [2, 1]);
        rig.clear_color(color);
        rig.push(Command::SetScissor(Some(SCISSOR)));
        rig.clear_color(other);
        assert_eq!(rig.read(image, [2, 1]), bytemuck::cast_slice::<u32, u8>(&[whole, part].concat()));
    }
}

#[test]
fn depth_and_stencil_clear_inside_the_scissor() {
    let mut rig = Rig::new();
    let depth = rig.image(desc(StorageFormat::Depth32FloatStencil8, 2, 1));
    rig.targets(&[], Some(depth), [2, 1], 1);
    rig.push(Command::Clear(Clear { depth: Some(1.0), stencil: Some((0xff, 0xff)), ..no_clear() }));
    rig.push(Command::SetScissor(Some(SCISSOR)));
    rig.push(Command::Clear(Clear { depth: Some(0.25), stencil: Some((0x12, 0x0f)), ..no_clear() }));
    let bytes = rig.read_region(depth, whole_level(0, 0, 2, 1));
    assert_eq!(bytes, [bytemuck::cast_slice::<f32, u8>(&[1.0, 0.25]), &[0xff, 0xf2]].concat());
}

#[test]
fn clearing_depth_in_mid_pass_lets_later_draws_in_front() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(1, 1));
    let depth = rig.image(desc(StorageFormat::Depth24Plus, 1, 1));
    rig.settle();
    let near = rig.program(&flat_vertex(0.1), &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
    let far = rig.program(&flat_vertex(0.9), &flat_fragment("0.0, 1.0, 0.0, 1.0"), layout());
    rig.targets(&[image], Some(depth), [1, 1], 1);
    rig.push(Command::Clear(Clear { depth: Some(1.0), ..no_clear() }));
    let depth_state = DepthStencilState { depth: Some(CompareFunction::Less), depth_write: true, stencil: None };
    rig.push(Command::SetDepthStencil(depth_state));
    rig.positions(&WHOLE);
    rig.push(Command::SetProgram(near));
    rig.draw(Topology::TriangleList, 3);
    rig.push(Command::Clear(Clear { depth: Some(1.0), ..no_clear() }));
    rig.push(Command::SetProgram(far));
    rig.draw(Topology::TriangleList, 3);
    rig.run();
    assert_eq!(rig.backend.recorded_passes(), 1);
    assert_eq!(rig.texel(image, 0, 0), [0, 255, 0, 255]);
}

#[test]
fn without_alpha_a_clear_leaves_one() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(2, 1));
    let mut colors = [None; MAX_COLOR_ATTACHMENTS];
    colors[0] = Some(Attachment { image, level: 0, layer: 0, has_alpha: false });
    rig.push(Command::SetRenderTargets(RenderTargets {
        colors,
        depth: None,
        stencil: None,
        width: 2,
        height: 1,
        samples: 1,
    }));
    rig.clear_color(ClearColor::Float([0.0; 4]));
    rig.push(Command::SetScissor(Some(SCISSOR)));
    rig.clear_color(ClearColor::Float([1.0, 1.0, 1.0, 0.0]));
    assert_eq!(rig.read(image, [2, 1]), [0, 0, 0, 255, 255, 255, 255, 255]);
}

#[test]
fn srgb_targets_encode_the_clear() {
    let mut rig = Rig::new();
    let image = rig.image(desc(StorageFormat::Rgba8UnormSrgb, 1, 1));
    rig.target(image, [1, 1]);
    rig.clear_color(ClearColor::Float([0.214, 1.0, 0.0, 0.5]));
    // 1.055 · 0.214^(1/2.4) − 0.055 = 0.5.
    let got = rig.texel(image, 0, 0);
    assert!(got[0].abs_diff(127) <= 1 && got[1..3] == [255, 0] && got[3].abs_diff(128) <= 1, "{got:?}");
}

#[test]
fn layers_levels_and_slices_are_targets() {
    let mut rig = Rig::new();
    let array = ImageDesc { dimension: ImageDimension::D2Array, depth: 3, levels: 2, ..rgba8(2, 2) };
    let volume = ImageDesc { dimension: ImageDimension::D3, depth: 4, levels: 2, ..rgba8(2, 2) };
    for (desc, layer) in [(array, 2), (volume, 1)] {
        let image = rig.image(desc);
        let mut colors = [None; MAX_COLOR_ATTACHMENTS];
        colors[0] = Some(Attachment { image, level: 1, layer, has_alpha: true });
        let targets = RenderTargets { colors, depth: None, stencil: None, width: 1, height: 1, samples: 1 };
        rig.push(Command::SetRenderTargets(targets));
        rig.clear_color(ClearColor::Float([1.0, 0.0, 0.0, 1.0]));
        assert_eq!(rig.read_region(image, whole_level(1, layer, 1, 1)), [255, 0, 0, 255]);
        assert_eq!(rig.read_region(image, whole_level(1, 0, 1, 1)), [0; 4]);
    }
}
