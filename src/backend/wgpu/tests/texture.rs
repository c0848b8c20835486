use super::*;

#[test]
fn textures_are_sampled_with_their_filters() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(4, 1));
    let texture = rig.image(ImageDesc { renderable: false, ..rgba8(2, 1) });
    rig.write_image(texture, whole_level(0, 0, 2, 1), &[0u8, 0, 0, 255, 240, 240, 240, 255]);
    let fragment = "@group(1) @binding(0) var t: texture_2d<f32>;
        @group(1) @binding(1) var s: sampler;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            return textureSample(t, s, vec2<f32>(p.x / 4.0, 0.5));
        }";
    let textures = vec![TextureSlot { sampler: sampler_type(false, Scalar::Float), vertex: false, fragment: true }];
    let program = rig.program(&flat_vertex(0.0), fragment, ProgramLayout { textures, ..layout() });
    rig.target(image, [4, 1]);
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    rig.push(Command::SetTexture { slot: 0, view: view(texture), sampler: nearest() });
    rig.draw(Topology::TriangleList, 3);
    let reds = |pixels: Vec<u8>| pixels.chunks_exact(4).map(|pixel| pixel[0]).collect::<Vec<_>>();
    assert_eq!(reds(rig.read(image, [4, 1])), [0, 0, 240, 240]);
    // u · 2 − 0.5 at pixel centres: −0.25, 0.25, 0.75, 1.25.
    let linear = SamplerDesc { mag: Filter::Linear, min: Filter::Linear, ..nearest() };
    rig.push(Command::SetTexture { slot: 0, view: view(texture), sampler: linear });
    rig.draw(Topology::TriangleList, 3);
    assert_eq!(reds(rig.read(image, [4, 1])), [0, 60, 180, 240]);
}

#[test]
fn a_depth_image_is_read_plainly_and_compared() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(1, 1));
    let depth = rig.image(desc(StorageFormat::Depth24Plus, 1, 1));
    rig.targets(&[], Some(depth), [1, 1], 1);
    rig.push(Command::Clear(Clear { depth: Some(0.6), ..no_clear() }));
    let fragment = "@group(1) @binding(0) var t: texture_2d<f32>;
        @group(1) @binding(1) var s: sampler;
        @group(1) @binding(2) var d: texture_depth_2d;
        @group(1) @binding(3) var c: sampler_comparison;
        @fragment fn main() -> @location(0) vec4<f32> {
            let at = vec2<f32>(0.5);
            return vec4<f32>(textureSample(t, s, at).r, textureSampleCompareLevel(d, c, at, 0.5),
                textureSampleCompareLevel(d, c, at, 0.7), 1.0);
        }";
    let slot = |shadow| TextureSlot { sampler: sampler_type(shadow, Scalar::Float), vertex: false, fragment: true };
    let textures = vec![slot(false), slot(true)];
    let program = rig.program(&flat_vertex(0.0), fragment, ProgramLayout { textures, ..layout() });
    rig.target(image, [1, 1]);
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    // Asking to filter depth must not reach the driver.
    let linear = SamplerDesc { mag: Filter::Linear, min: Filter::Linear, ..nearest() };
    rig.push(Command::SetTexture { slot: 0, view: view(depth), sampler: linear });
    let compare = SamplerDesc { compare: Some(CompareFunction::LessEqual), ..nearest() };
    rig.push(Command::SetTexture { slot: 1, view: view(depth), sampler: compare });
    rig.draw(Topology::TriangleList, 3);
    assert_eq!(rig.texel(image, 0, 0), [153, 255, 0, 255]);
}

#[test]
fn a_slot_with_nothing_fitting_reads_opaque_black() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(1, 1));
    let fragment = "@group(1) @binding(0) var t: texture_2d<f32>;
        @group(1) @binding(1) var s: sampler;
        @fragment fn main() -> @location(0) vec4<f32> { return textureSample(t, s, vec2<f32>(0.5)); }";
    let textures = vec![TextureSlot { sampler: sampler_type(false, Scalar::Float), vertex: false, fragment: true }];
    let program = rig.program(&flat_vertex(0.0), fragment, ProgramLayout { textures, ..layout() });
    rig.target(image, [1, 1]);
    rig.clear_color(ClearColor::Float([1.0; 4]));
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    rig.draw(Topology::TriangleList, 3);
    assert_eq!(rig.texel(image, 0, 0), [0, 0, 0, 255]);
}
