//! Resources and conventions: what a shader reads from blocks and textures, and where pixels land.
//!
//! Every fragment shader here compares what it reads with what the test put there, by the layout rules of OpenGL
//! ES 3.0 §2.12.6.4 and the sampling rules of §3.8, and paints white if it agrees.

use std::sync::{Arc, OnceLock};

use libtest_mimic::{Failed, Trial};
use replay::shader::Variant;
use wgpu::{AddressMode, CompareFunction, PrimitiveTopology, TextureFormat, TextureViewDimension};

use super::gpu::{Gpu, SIZE};
use super::scene::{Image, Picture, Scene};

/// One triangle over the whole target.
const FULL: &str = "#version 300 es
void main() {
    vec2 p = vec2(float((gl_VertexID & 1) * 4 - 1), float((gl_VertexID >> 1) * 4 - 1));
    gl_Position = vec4(p, 0.5, 1.0);
}
";

const HEAD: &str = "#version 300 es
precision highp float; precision highp int;
precision highp sampler3D; precision highp sampler2DArray; precision highp sampler2DShadow;
precision highp samplerCubeShadow; precision highp sampler2DArrayShadow;
precision highp isampler2D; precision highp usampler2D; precision highp usampler2DArray;
precision highp usampler3D; precision highp usamplerCube; precision highp isamplerCube;
layout(location = 0) out vec4 colour;
bool near(float a, float b) { return abs(a - b) < 0.01; }
bool near(vec2 a, vec2 b) { return all(lessThan(abs(a - b), vec2(0.01))); }
bool near(vec3 a, vec3 b) { return all(lessThan(abs(a - b), vec3(0.01))); }
bool near(vec4 a, vec4 b) { return all(lessThan(abs(a - b), vec4(0.01))); }
";

type Test = fn(&Gpu) -> Result<(), String>;

const TESTS: &[(&str, Test)] = &[
    ("std140_block", std140_block),
    ("row_major_block", row_major_block),
    ("block_instances", block_instances),
    ("loose_uniforms", loose_uniforms),
    ("flat_uniforms", flat_uniforms),
    ("sampler_structs_and_arrays", sampler_structs_and_arrays),
    ("sampler_array_dynamic_index", sampler_array_dynamic_index),
    ("float_textures", float_textures),
    ("array_and_volume_textures", array_and_volume_textures),
    ("integer_textures", integer_textures),
    ("integer_cube_and_array", integer_cube_and_array),
    ("shadow_textures", shadow_textures),
    ("shadow_cube", shadow_cube),
    ("vertex_textures", vertex_textures),
    ("row_zero_is_the_bottom", row_zero_is_the_bottom),
    ("fragment_coordinates_and_facing", fragment_coordinates_and_facing),
    ("point_coordinates_grow_downwards", point_coordinates_grow_downwards),
    ("derivatives", derivatives),
    ("upper_left_variant", upper_left_variant),
    ("depth_range", depth_range),
    ("instance_ids", instance_ids),
    ("flat_and_packed_varyings", flat_and_packed_varyings),
    ("feedback_interleaved", feedback_interleaved),
    ("feedback_separate", feedback_separate),
];

pub fn trials() -> Vec<Trial> {
    let gpu: Arc<OnceLock<Option<Gpu>>> = Arc::new(OnceLock::new());
    TESTS
        .iter()
        .map(|(name, test)| {
            let gpu = gpu.clone();
            Trial::test(format!("features::{name}"), move || {
                let gpu = gpu.get_or_init(Gpu::open).as_ref().ok_or("no Vulkan adapter")?;
                test(gpu).map_err(Failed::from)
            })
        })
        .collect()
}

fn fragment(body: &str) -> String {
    format!("{HEAD}{body}")
}

fn all_white(picture: &Picture) -> Result<(), String> {
    match picture.pixels.iter().position(|p| *p != [255; 4]) {
        None => Ok(()),
        Some(at) => Err(format!("pixel {} of row {} is {:?}", at % 8, at / 8, picture.pixels[at])),
    }
}

fn check(gpu: &Gpu, scene: &Scene<'_>) -> Result<(), String> {
    all_white(&scene.draw(gpu)?)
}

/// Bytes with words at given offsets.
fn bytes(size: usize, words: &[(usize, u32)]) -> Vec<u8> {
    let mut out = vec![0xCC; size];
    for (at, word) in words {
        out[*at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    out
}

fn f(value: f32) -> u32 {
    value.to_bits()
}

fn std140_block(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "struct Inner { bool b; mat2 m; float f[2]; };
         uniform Block { float a; vec3 v; float after; bvec3 flags; mat2 m2; mat3 m3; float fs[3]; Inner inner[2];
                         uvec2 u; mat4x2 m42; int last; };
         Inner copy(Inner i) { return i; }
         void main() {
             bool ok = near(a, 1.0) && near(v, vec3(2.0, 3.0, 4.0)) && near(after, 5.0);
             ok = ok && flags == bvec3(true, false, true);
             ok = ok && near(m2[1], vec2(8.0, 9.0)) && near(m2 * vec2(1.0, 0.0), vec2(6.0, 7.0));
             ok = ok && near(m3[2], vec3(16.0, 17.0, 18.0)) && near(m3[0].y, 11.0);
             int one = int(a);
             ok = ok && near(fs[2], 21.0) && near(fs[one], 20.0) && near(m2[one].y, 9.0) && near(m3[one][one], 14.0);
             Inner second = copy(inner[1]);
             ok = ok && second.b && !inner[0].b && near(second.m[1].y, 33.0) && near(inner[one].f[one], 35.0);
             ok = ok && u == uvec2(40u, 41u) && near(m42[3], vec2(48.0, 49.0)) && last == -7;
             colour = vec4(ok);
         }",
    );
    // a 0, v 16, after 28, flags 32, m2 48 (2 × 16), m3 80 (3 × 16), fs 128 (3 × 16), inner 176:
    // b +0, m +16 (2 × 16), f +48 (2 × 16), stride 80; u 336, m42 352 (4 × 16), last 416; size 432.
    let second = 176 + 80;
    let words = [
        (0, f(1.0)),
        (16, f(2.0)),
        (20, f(3.0)),
        (24, f(4.0)),
        (28, f(5.0)),
        (32, 1),
        (36, 0),
        (40, 1),
        (48, f(6.0)),
        (52, f(7.0)),
        (64, f(8.0)),
        (68, f(9.0)),
        (80, f(10.0)),
        (84, f(11.0)),
        (88, f(12.0)),
        (96, f(13.0)),
        (100, f(14.0)),
        (104, f(15.0)),
        (112, f(16.0)),
        (116, f(17.0)),
        (120, f(18.0)),
        (128, f(19.0)),
        (144, f(20.0)),
        (160, f(21.0)),
        (176, 0),
        (second, 1),
        (second + 16, f(30.0)),
        (second + 20, f(31.0)),
        (second + 32, f(32.0)),
        (second + 36, f(33.0)),
        (second + 48, f(34.0)),
        (second + 64, f(35.0)),
        (336, 40),
        (340, 41),
        (352 + 48, f(48.0)),
        (352 + 52, f(49.0)),
        (416, -7i32 as u32),
    ];
    let scene =
        Scene { vertex: FULL, fragment: &source, blocks: vec![("Block", bytes(432, &words))], ..Default::default() };
    let program = scene.link()?;
    let block = &program.reflection.uniform_blocks[0];
    if block.size != 432 {
        return Err(format!("block size {} instead of 432", block.size));
    }
    check(gpu, &scene)
}

fn row_major_block(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "struct S { mat2x3 m; };
         layout(std140, row_major) uniform Block { mat3x2 a; layout(column_major) mat3x2 b; mat2x3 c[2]; S s; };
         void main() {
             // a: rows of 3 at 0 and 16.
             bool ok = a == mat3x2(1.0, 4.0, 2.0, 5.0, 3.0, 6.0) && near(a[2].y, 6.0);
             ok = ok && b == mat3x2(7.0, 8.0, 9.0, 10.0, 11.0, 12.0);
             ok = ok && c[1] == mat2x3(1.0, 3.0, 5.0, 2.0, 4.0, 6.0);
             int one = int(a[0].x);
             ok = ok && near(a[one].y, 5.0) && near(c[one][one].z, 6.0) && near(s.m[1].x, 22.0);
             colour = vec4(ok);
         }",
    );
    // a 0 (2 rows), b 32 (3 columns), c 80 (each 3 rows = 48), s 176 (3 rows); size 224.
    let row =
        |at: usize, values: &[f32]| values.iter().enumerate().map(|(i, v)| (at + 4 * i, f(*v))).collect::<Vec<_>>();
    let words = [
        row(0, &[1.0, 2.0, 3.0]),
        row(16, &[4.0, 5.0, 6.0]),
        row(32, &[7.0, 8.0]),
        row(48, &[9.0, 10.0]),
        row(64, &[11.0, 12.0]),
        row(128, &[1.0, 2.0]),
        row(144, &[3.0, 4.0]),
        row(160, &[5.0, 6.0]),
        row(176, &[21.0, 22.0]),
        row(192, &[23.0, 24.0]),
        row(208, &[25.0, 26.0]),
    ]
    .concat();
    check(
        gpu,
        &Scene { vertex: FULL, fragment: &source, blocks: vec![("Block", bytes(224, &words))], ..Default::default() },
    )
}

fn block_instances(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "uniform Light { vec4 v; } lights[3];
         uniform Other { vec4 v; } other;
         void main() {
             colour = vec4(near(lights[0].v.x, 1.0) && near(lights[2].v.x, 3.0) && near(lights[1].v.x, 2.0)
                 && near(other.v.x, 4.0));
         }",
    );
    let one = |value: f32| bytes(16, &[(0, f(value))]);
    let blocks = vec![("Light[0]", one(1.0)), ("Light[1]", one(2.0)), ("Light[2]", one(3.0)), ("Other", one(4.0))];
    check(gpu, &Scene { vertex: FULL, fragment: &source, blocks, ..Default::default() })
}

fn loose_uniforms(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "struct Light { vec3 direction; bool on; float k[2]; };
         uniform Light lights[2]; uniform mat2 m; uniform bvec2 flags; uniform int count; uniform mat3 n;
         void main() {
             bool ok = near(lights[1].direction, vec3(1.0, 2.0, 3.0)) && lights[1].on && !lights[0].on;
             ok = ok && near(lights[0].k[0], 4.0) && near(m[0], vec2(5.0, 6.0)) && flags.y && !flags.x;
             int i = count - 2;
             ok = ok && near(lights[i].direction.y, 2.0) && near(n[0], vec3(7.0, 8.0, 9.0));
             colour = vec4(ok);
         }",
    );
    let uniforms = vec![
        ("lights[1].direction", vec![f(1.0), f(2.0), f(3.0)]),
        ("lights[1].on", vec![1]),
        ("lights[0].k[0]", vec![f(4.0)]),
        ("m", vec![f(5.0), f(6.0)]),
        ("flags", vec![0, 1]),
        ("count", vec![3]),
        ("n", vec![f(7.0), f(8.0), f(9.0)]),
    ];
    check(gpu, &Scene { vertex: FULL, fragment: &source, uniforms, ..Default::default() })
}

/// Uniforms that come as flat varyings are the same bit by bit: of every type, beside varyings, some in rows of their own
/// and some sharing one, some left in the block for want of rows or because they are indexed by something computed.
fn flat_uniforms(gpu: &Gpu) -> Result<(), String> {
    let vertex = "#version 300 es
uniform float own; out vec2 place; flat out int number;
void main() {
    vec2 p = vec2(float((gl_VertexID & 1) * 4 - 1), float((gl_VertexID >> 1) * 4 - 1));
    place = p * own; number = 5;
    gl_Position = vec4(p, 0.5, 1.0);
}
";
    let source = fragment(
        "struct Light { vec3 direction; bool on; float k[2]; uvec2 u; mat2 m; };
         uniform float a; uniform int b; uniform uint c; uniform bool d; uniform vec3 e; uniform float nan;
         uniform Light lights[2]; uniform float table[4]; uniform mat4x3 m; uniform ivec4 g; uniform bvec3 h;
         uniform vec4 last[3];
         in vec2 place; flat in int number;
         uint bits(Light l) { return floatBitsToUint(l.direction.z) ^ l.u.y; }
         void main() {
             bool ok = a == 1.5 && b == -7 && c == 0xFFFFFFFFu && d && e == vec3(2.0, 3.0, 4.0);
             ok = ok && floatBitsToUint(nan) == 0x7FC12345u && number == 5 && near(place, (gl_FragCoord.xy - 4.0) / 2.0);
             ok = ok && lights[1].direction == vec3(5.0, 6.0, 7.0) && lights[1].on && !lights[0].on;
             ok = ok && lights[0].k[1] == 8.0 && lights[1].m[1] == vec2(9.0, 10.0) && bits(lights[1]) == (0x40E00000u ^ 12u);
             ok = ok && table[number - 3] == 13.0 && m[3] == vec3(14.0, 15.0, 16.0) && m[0].x == 17.0;
             ok = ok && g == ivec4(1, -2, 3, -4) && h == bvec3(true, false, true) && last[2] == vec4(18.0, 19.0, 20.0, 21.0);
             colour = vec4(ok);
         }",
    );
    let four = |words: [u32; 4]| words.to_vec();
    let uniforms = vec![
        ("own", vec![f(2.0)]),
        ("a", vec![f(1.5)]),
        ("b", vec![-7i32 as u32]),
        ("c", vec![u32::MAX]),
        ("d", vec![1]),
        ("e", vec![f(2.0), f(3.0), f(4.0)]),
        ("nan", vec![0x7FC1_2345]),
        ("lights[1].direction", vec![f(5.0), f(6.0), f(7.0)]),
        ("lights[1].on", vec![1]),
        // Elements lie 16 bytes apart.
        ("lights[0].k[0]", vec![0, 0, 0, 0, f(8.0)]),
        ("lights[1].u", vec![11, 12]),
        ("lights[1].m", [four([0; 4]), vec![f(9.0), f(10.0)]].concat()),
        ("table[0]", [four([0; 4]), four([0; 4]), vec![f(13.0)]].concat()),
        ("m", [four([f(17.0), 0, 0, 0]), four([0; 4]), four([0; 4]), vec![f(14.0), f(15.0), f(16.0)]].concat()),
        ("g", vec![1, -2i32 as u32, 3, -4i32 as u32]),
        ("h", vec![1, 0, 1]),
        ("last[0]", [four([0; 4]), four([0; 4]), four([f(18.0), f(19.0), f(20.0), f(21.0)])].concat()),
    ];
    for flat_rows in [0, 1, 4, 15, 24, 28] {
        let scene = Scene { vertex, fragment: &source, uniforms: uniforms.clone(), flat_rows, ..Default::default() };
        check(gpu, &scene).map_err(|error| format!("{flat_rows} rows: {error}"))?;
    }
    Ok(())
}

/// A 2D image with one texel of a colour.
fn dot(colour: [u8; 4]) -> Image {
    Image {
        format: TextureFormat::Rgba8Unorm,
        dimension: TextureViewDimension::D2,
        size: [1, 1, 1],
        levels: vec![colour.to_vec()],
        address: AddressMode::ClampToEdge,
        compare: None,
    }
}

fn grey(value: u8) -> Image {
    dot([value, value, value, 255])
}

fn sampler_structs_and_arrays(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "struct Material { float gain; sampler2D map; sampler2D extra[2]; };
         uniform Material materials[2]; uniform sampler2D maps[2];
         float read(sampler2D s) { return texture(s, vec2(0.5)).r; }
         float readAll(in Material m) { return m.gain * (read(m.map) + read(m.extra[1])); }
         float second(sampler2D s[2]) { return read(s[1]); }
         float deeper(sampler2D s[2], Material m) { return second(s) + readAll(m); }
         void main() {
             float a = readAll(materials[1]);          // 2 * (0.2 + 0.4)
             float b = deeper(maps, materials[0]);     // 0.6 + 1 * (0.0 + 0.8)
             colour = vec4(near(a, 1.2) && near(b, 1.4));
         }",
    );
    let images = vec![
        ("materials[0].map", grey(0)),
        ("materials[0].extra[0]", grey(255)),
        ("materials[0].extra[1]", grey(204)),
        ("materials[1].map", grey(51)),
        ("materials[1].extra[0]", grey(255)),
        ("materials[1].extra[1]", grey(102)),
        ("maps[0]", grey(255)),
        ("maps[1]", grey(153)),
    ];
    let uniforms = vec![("materials[0].gain", vec![f(1.0)]), ("materials[1].gain", vec![f(2.0)])];
    check(gpu, &Scene { vertex: FULL, fragment: &source, images, uniforms, ..Default::default() })
}

fn sampler_array_dynamic_index(gpu: &Gpu) -> Result<(), String> {
    let vertex =
        "attribute vec4 unused; varying vec2 corner; void main() { gl_Position = unused; corner = unused.xy; }";
    let _ = vertex;
    let fragment = "precision highp float; uniform sampler2D maps[3];
         float one(sampler2D s) { return texture2D(s, vec2(0.5)).r; }
         void main() {
             float sum = 0.0, calls = 0.0;
             for (int i = 0; i < 3; i++) {
                 sum += texture2D(maps[i], vec2(0.5)).r * float(i + 1);
                 calls += one(maps[i]);
             }
             gl_FragColor = vec4(abs(sum - 2.8) < 0.01 && abs(calls - 1.2) < 0.01);
         }";
    let vertex = "attribute vec4 position; void main() { gl_Position = position; }";
    let images = vec![("maps[0]", grey(51)), ("maps[1]", grey(102)), ("maps[2]", grey(153))];
    // Only that it links, validates and is emitted: WebGL 1 has no gl_VertexID to draw with here.
    let scene = Scene { vertex, fragment, images, webgl1: true, ..Default::default() };
    let program = scene.link()?;
    program.emit(Variant::default()).map_err(|error| error.to_string())?;
    let _ = gpu;
    Ok(())
}

/// 4×4 texels whose red is 16 × index, then 2×2 of 200 and 1×1 of 250.
fn pyramid(address: AddressMode) -> Image {
    let base = (0..16u8).flat_map(|i| [i * 16, 255 - i * 16, 0, 255]).collect();
    Image {
        format: TextureFormat::Rgba8Unorm,
        dimension: TextureViewDimension::D2,
        size: [4, 4, 1],
        levels: vec![base, [200u8, 0, 0, 255].repeat(4), vec![250, 0, 0, 255]],
        address,
        compare: None,
    }
}

fn float_textures(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "uniform sampler2D map;
         float texel(int x, int y) { return float(x + 4 * y) * 16.0 / 255.0; }
         void main() {
             vec2 at = vec2(1.5, 2.5) / 4.0;
             bool ok = near(texture(map, at).r, texel(1, 2)) || true;
             ok = near(textureLod(map, at, 0.0).r, texel(1, 2)) && near(textureLod(map, at, 1.0).r, 200.0 / 255.0);
             ok = ok && near(textureLodOffset(map, at, 0.0, ivec2(1, -2)).r, texel(2, 0));
             ok = ok && near(textureLod(map, at + vec2(1.0, -1.0), 0.0).r, texel(1, 2));
             ok = ok && near(textureProjLod(map, vec3(at * 2.0, 2.0), 0.0).r, texel(1, 2));
             ok = ok && near(textureProjLod(map, vec4(at * 2.0, 77.0, 2.0), 0.0).r, texel(1, 2));
             ok = ok && near(textureProjLodOffset(map, vec3(at * 2.0, 2.0), 0.0, ivec2(1, 1)).r, texel(2, 3));
             vec2 step = vec2(2.0 / 4.0, 0.0);
             ok = ok && near(textureGrad(map, at, step, step.yx).r, 200.0 / 255.0);
             ok = ok && near(textureGrad(map, at, vec2(0.0), vec2(0.0)).r, texel(1, 2));
             ok = ok && near(textureGradOffset(map, at, vec2(0.0), vec2(0.0), ivec2(-1, 0)).r, texel(0, 2));
             ok = ok && near(textureProjGrad(map, vec3(at, 1.0), vec2(0.0), vec2(0.0)).r, texel(1, 2));
             ok = ok && near(textureProjGradOffset(map, vec3(at, 1.0), vec2(0.0), vec2(0.0), ivec2(0, 1)).r, texel(1, 3));
             // Constant coordinates have no derivatives: level 0, and a bias goes up from there.
             ok = ok && near(texture(map, at).r, texel(1, 2)) && near(texture(map, at, -3.0).r, texel(1, 2));
             ok = ok && near(textureOffset(map, at, ivec2(1, 0)).r, texel(2, 2));
             ok = ok && near(textureProj(map, vec3(at * 3.0, 3.0)).r, texel(1, 2));
             ok = ok && near(textureProjOffset(map, vec4(at, 0.0, 1.0), ivec2(0, -1)).r, texel(1, 1));
             ok = ok && near(texelFetch(map, ivec2(3, 1), 0).r, texel(3, 1)) && near(texelFetch(map, ivec2(0), 2).r, 250.0 / 255.0);
             ok = ok && near(texelFetchOffset(map, ivec2(1, 1), 0, ivec2(1, 1)).r, texel(2, 2));
             ok = ok && textureSize(map, 0) == ivec2(4) && textureSize(map, 1) == ivec2(2);
             colour = vec4(ok);
         }",
    );
    let images = vec![("map", pyramid(AddressMode::Repeat))];
    check(gpu, &Scene { vertex: FULL, fragment: &source, images, ..Default::default() })
}

fn array_and_volume_textures(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "uniform sampler2DArray layers; uniform sampler3D volume; uniform samplerCube cube;
         void main() {
             // The layer is rounded: floor(l + 0.5), clamped.
             bool ok = near(texture(layers, vec3(0.5, 0.5, 1.4)).r, 100.0 / 255.0);
             ok = ok && near(texture(layers, vec3(0.5, 0.5, 1.6)).r, 200.0 / 255.0);
             ok = ok && near(texture(layers, vec3(0.5, 0.5, -5.0)).r, 0.0) && near(texture(layers, vec3(0.5, 0.5, 9.0)).r, 200.0 / 255.0);
             ok = ok && near(texelFetch(layers, ivec3(0, 0, 2), 0).r, 200.0 / 255.0);
             ok = ok && textureSize(layers, 0) == ivec3(1, 1, 3) && textureSize(volume, 0) == ivec3(1, 1, 2);
             ok = ok && near(texture(volume, vec3(0.5, 0.5, 0.75)).r, 1.0) && near(textureLod(volume, vec3(0.5, 0.5, 0.25), 0.0).r, 0.2);
             ok = ok && near(texelFetchOffset(volume, ivec3(0), 0, ivec3(0, 0, 1)).r, 1.0);
             ok = ok && near(textureProj(volume, vec4(1.0, 1.0, 1.5, 2.0)).r, 1.0);
             ok = ok && near(texture(cube, vec3(1.0, 0.0, 0.0)).r, 0.0) && near(texture(cube, vec3(0.0, -1.0, 0.0)).r, 0.6);
             ok = ok && near(textureLod(cube, vec3(0.0, 0.0, -1.0), 0.0).r, 1.0) && textureSize(cube, 0) == ivec2(1);
             colour = vec4(ok);
         }",
    );
    let texel = |v: u8| vec![v, 0, 0, 255];
    let image = |dimension, count: u32, values: &[u8]| Image {
        format: TextureFormat::Rgba8Unorm,
        dimension,
        size: [1, 1, count],
        levels: vec![values.iter().flat_map(|v| texel(*v)).collect()],
        address: AddressMode::ClampToEdge,
        compare: None,
    };
    let images = vec![
        ("layers", image(TextureViewDimension::D2Array, 3, &[0, 100, 200])),
        ("volume", image(TextureViewDimension::D3, 2, &[51, 255])),
        ("cube", image(TextureViewDimension::Cube, 6, &[0, 51, 102, 153, 204, 255])),
    ];
    check(gpu, &Scene { vertex: FULL, fragment: &source, images, ..Default::default() })
}

fn integer_image(format: TextureFormat, address: AddressMode) -> Image {
    let base = (0..16u32).flat_map(|i| [i, i + 100, 7, 9]).flat_map(u32::to_le_bytes).collect();
    let small = (0..4u32).flat_map(|i| [i + 50, 0, 0, 1]).flat_map(u32::to_le_bytes).collect();
    Image {
        format,
        dimension: TextureViewDimension::D2,
        size: [4, 4, 1],
        levels: vec![base, small],
        address,
        compare: None,
    }
}

fn integer_textures(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "uniform usampler2D map; uniform isampler2D signed;
         uvec4 read(usampler2D s, vec2 at) { return texture(s, at); }
         void main() {
             vec2 at = vec2(1.5, 2.5) / 4.0;
             bool ok = read(map, at) == uvec4(9u, 109u, 7u, 9u);
             // Repeat on one, clamp on the other.
             ok = ok && texture(map, at + vec2(1.0, 2.0)).r == 9u && texture(signed, vec2(5.0)).r == 15;
             ok = ok && textureLod(map, at, 1.0).r == 52u && textureLod(signed, vec2(0.75), 1.0).r == 53;
             ok = ok && textureOffset(map, at, ivec2(1, -1)).r == 6u && textureLodOffset(map, at, 0.0, ivec2(-1, 0)).r == 8u;
             ok = ok && textureGrad(map, at, vec2(0.5, 0.0), vec2(0.0, 0.5)).r == 52u;
             ok = ok && textureProj(map, vec3(at * 2.0, 2.0)).r == 9u && texture(map, at, -2.0).r == 9u;
             ok = ok && texelFetch(map, ivec2(3, 3), 0).r == 15u && texelFetch(map, ivec2(1, 1), 1).r == 53u;
             ok = ok && textureSize(map, 0) == ivec2(4);
             colour = vec4(ok);
         }",
    );
    let images = vec![
        ("map", integer_image(TextureFormat::Rgba32Uint, AddressMode::Repeat)),
        ("signed", integer_image(TextureFormat::Rgba32Sint, AddressMode::ClampToEdge)),
    ];
    check(gpu, &Scene { vertex: FULL, fragment: &source, images, ..Default::default() })
}

fn integer_cube_and_array(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "uniform usamplerCube cube; uniform usampler2DArray layers; uniform usampler3D volume;
         void main() {
             bool ok = texture(cube, vec3(0.0, -1.0, 0.0)).r == 3u && textureLod(cube, vec3(0.0, 0.0, -1.0), 0.0).r == 5u;
             ok = ok && texture(layers, vec3(0.5, 0.5, 1.6)).r == 2u && texture(volume, vec3(0.5, 0.5, 0.9)).r == 1u;
             ok = ok && texelFetch(layers, ivec3(0, 0, 1), 0).r == 1u && textureSize(layers, 0).z == 3;
             colour = vec4(ok);
         }",
    );
    let image = |dimension, count: u32| Image {
        format: TextureFormat::R32Uint,
        dimension,
        size: [1, 1, count],
        levels: vec![(0..count).flat_map(u32::to_le_bytes).collect()],
        address: AddressMode::ClampToEdge,
        compare: None,
    };
    let images = vec![
        ("cube", image(TextureViewDimension::Cube, 6)),
        ("layers", image(TextureViewDimension::D2Array, 3)),
        ("volume", image(TextureViewDimension::D3, 2)),
    ];
    check(gpu, &Scene { vertex: FULL, fragment: &source, images, ..Default::default() })
}

/// 2×2 depths 0.25 0.5 / 0.75 1.0 and one level of 0.1.
fn depths(dimension: TextureViewDimension, layers: u32) -> Image {
    let word = |v: f32| ((v * 65535.0).round() as u16).to_le_bytes();
    let base: Vec<u8> = [0.25, 0.5, 0.75, 1.0].iter().flat_map(|v| word(*v)).collect();
    let small = word(0.1).to_vec();
    Image {
        format: TextureFormat::Depth16Unorm,
        dimension,
        size: [2, 2, layers],
        levels: vec![base.repeat(layers as usize), small.repeat(layers as usize)],
        address: AddressMode::ClampToEdge,
        compare: Some(CompareFunction::LessEqual),
    }
}

fn shadow_textures(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "uniform sampler2DShadow map; uniform sampler2DArrayShadow layers; uniform sampler2DShadow maps[2];
         float pass(sampler2DShadow s[2], vec3 at) { return texture(s[1], at); }
         void main() {
             vec2 at = vec2(0.75, 0.25);                       // depth 0.5
             bool ok = texture(map, vec3(at, 0.4)) == 1.0 && texture(map, vec3(at, 0.6)) == 0.0;
             ok = ok && textureProj(map, vec4(at * 2.0, 0.8, 2.0)) == 1.0 && textureProj(map, vec4(at * 2.0, 1.2, 2.0)) == 0.0;
             ok = ok && textureLod(map, vec3(at, 0.4), 0.0) == 1.0 && textureLod(map, vec3(at, 0.4), 1.0) == 0.0;
             ok = ok && textureGrad(map, vec3(at, 0.4), vec2(1.0, 0.0), vec2(0.0, 1.0)) == 0.0;
             ok = ok && textureGrad(map, vec3(at, 0.4), vec2(0.0), vec2(0.0)) == 1.0;
             ok = ok && textureOffset(map, vec3(at, 0.9), ivec2(0, 1)) == 1.0 && textureLodOffset(map, vec3(at, 0.9), 0.0, ivec2(-1, 0)) == 0.0;
             ok = ok && texture(map, vec3(at, 0.4), -1.0) == 1.0;
             ok = ok && texture(layers, vec4(at, 1.2, 0.4)) == 1.0 && textureGrad(layers, vec4(at, 1.0, 0.4), vec2(1.0), vec2(1.0)) == 0.0;
             ok = ok && pass(maps, vec3(at, 0.45)) == 1.0 && textureSize(map, 0) == ivec2(2);
             colour = vec4(ok);
         }",
    );
    let images = vec![
        ("map", depths(TextureViewDimension::D2, 1)),
        ("layers", depths(TextureViewDimension::D2Array, 2)),
        ("maps[0]", depths(TextureViewDimension::D2, 1)),
        ("maps[1]", depths(TextureViewDimension::D2, 1)),
    ];
    check(gpu, &Scene { vertex: FULL, fragment: &source, images, ..Default::default() })
}

fn shadow_cube(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "uniform samplerCubeShadow map;
         void main() {
             bool ok = texture(map, vec4(1.0, 0.5, -0.5, 0.2)) == 1.0 && texture(map, vec4(1.0, 0.5, -0.5, 0.9)) == 0.0 ;
             ok = ok && textureGrad(map, vec4(1.0, 0.5, -0.5, 0.2), vec3(0.0), vec3(0.0)) == 1.0;
             colour = vec4(ok);
         }",
    );
    // +X, s = -z/|x| = 0.5 → right, t = -y/|x| = -0.5 → upper row of the face (row 0): depth 0.5.
    let images = vec![("map", depths(TextureViewDimension::Cube, 6))];
    check(gpu, &Scene { vertex: FULL, fragment: &source, images, ..Default::default() })
}

fn vertex_textures(gpu: &Gpu) -> Result<(), String> {
    let vertex = "#version 300 es
        precision highp usampler2D;
        uniform sampler2D map; uniform usampler2D bones; flat out int ok;
        void main() {
            vec2 p = vec2(float((gl_VertexID & 1) * 4 - 1), float((gl_VertexID >> 1) * 4 - 1));
            gl_Position = vec4(p, 0.0, 1.0);
            bool good = abs(texture(map, vec2(0.375, 0.625)).r - 9.0 * 16.0 / 255.0) < 0.01;
            good = good && texelFetch(bones, ivec2(1, 2), 0).r == 9u && texture(bones, vec2(0.375, 0.625)).r == 9u;
            ok = int(good);
        }";
    let source = fragment("flat in int ok; void main() { colour = vec4(ok == 1); }");
    let images = vec![
        ("map", pyramid(AddressMode::ClampToEdge)),
        ("bones", integer_image(TextureFormat::Rgba32Uint, AddressMode::ClampToEdge)),
    ];
    check(gpu, &Scene { vertex, fragment: &source, images, ..Default::default() })
}

/// A triangle strip over the lower half (y < 0).
const LOWER: &str = "#version 300 es
void main() {
    vec2 p = vec2(float(gl_VertexID & 1) * 2.0 - 1.0, float(gl_VertexID >> 1) - 1.0);
    gl_Position = vec4(p, 0.5, 1.0);
}
";

fn row_zero_is_the_bottom(gpu: &Gpu) -> Result<(), String> {
    let source = fragment("void main() { colour = vec4(1.0); }");
    let scene = Scene {
        vertex: LOWER,
        fragment: &source,
        topology: PrimitiveTopology::TriangleStrip,
        vertices: 4,
        ..Default::default()
    };
    let picture = scene.draw(gpu)?;
    let (bottom, top) = (picture.at(3, 0), picture.at(3, SIZE as usize - 1));
    if bottom != [255; 4] || top != [0, 0, 0, 255] {
        return Err(format!("first row {bottom:?}, last row {top:?}"));
    }
    Ok(())
}

fn fragment_coordinates_and_facing(gpu: &Gpu) -> Result<(), String> {
    // A counter-clockwise triangle in GL is front facing; the pipeline's front face is turned with y.
    let source = fragment(
        "void main() {
             vec2 p = gl_FragCoord.xy;
             colour = vec4(gl_FrontFacing && near(fract(p), vec2(0.5)) && near(gl_FragCoord.z, 0.75)
                 && near(gl_FragCoord.w, 1.0)) * (p.y < 1.0 ? 1.0 : 0.0);
         }",
    );
    let picture = Scene { vertex: FULL, fragment: &source, ..Default::default() }.draw(gpu)?;
    if picture.at(2, 0) != [255; 4] || picture.at(2, 1) != [0; 4] {
        return Err(format!("row 0 {:?}, row 1 {:?}", picture.at(2, 0), picture.at(2, 1)));
    }
    Ok(())
}

fn point_coordinates_grow_downwards(gpu: &Gpu) -> Result<(), String> {
    let vertex = "#version 300 es
        void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 8.0; }";
    // The bottom row of the point has the largest t (ES 3.0 §3.4).
    let source = fragment(
        "void main() {
             vec2 expected = vec2(gl_FragCoord.x / 8.0, 1.0 - gl_FragCoord.y / 8.0);
             colour = vec4(near(gl_PointCoord, expected));
         }",
    );
    let scene =
        Scene { vertex, fragment: &source, topology: PrimitiveTopology::PointList, vertices: 3, ..Default::default() };
    check(gpu, &scene)
}

fn derivatives(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "void main() {
             vec2 p = gl_FragCoord.xy * vec2(2.0, 3.0);
             colour = vec4(near(dFdx(p), vec2(2.0, 0.0)) && near(dFdy(p), vec2(0.0, 3.0)) && near(fwidth(p), vec2(2.0, 3.0)));
         }",
    );
    check(gpu, &Scene { vertex: FULL, fragment: &source, ..Default::default() })
}

fn upper_left_variant(gpu: &Gpu) -> Result<(), String> {
    let source = fragment("void main() { colour = vec4(near(gl_FragCoord.z, 0.5)); }");
    let scene = Scene {
        vertex: LOWER,
        fragment: &source,
        topology: PrimitiveTopology::TriangleStrip,
        vertices: 4,
        variant: Variant { upper_left: true, zero_to_one: true, ..Default::default() },
        ..Default::default()
    };
    let picture = scene.draw(gpu)?;
    let (first, last) = (picture.at(3, 0), picture.at(3, SIZE as usize - 1));
    if first != [0, 0, 0, 255] || last != [255; 4] {
        return Err(format!("first row {first:?}, last row {last:?}"));
    }
    Ok(())
}

fn depth_range(gpu: &Gpu) -> Result<(), String> {
    let source = fragment(
        "void main() {
             colour = vec4(near(gl_DepthRange.near, 0.25) && near(gl_DepthRange.far, 0.75) && near(gl_DepthRange.diff, 0.5));
         }",
    );
    check(gpu, &Scene { vertex: FULL, fragment: &source, ..Default::default() })
}

fn instance_ids(gpu: &Gpu) -> Result<(), String> {
    // Two instances, each half of the target, each a colour component from its number.
    let vertex = "#version 300 es
        flat out float id;
        void main() {
            vec2 p = vec2(float(gl_VertexID & 1) * 2.0 - 1.0, float(gl_VertexID >> 1) - 1.0 + float(gl_InstanceID));
            gl_Position = vec4(p, 0.0, 1.0);
            id = float(gl_InstanceID);
        }";
    let source = fragment("flat in float id; void main() { colour = vec4(near(id, floor(gl_FragCoord.y / 4.0))); }");
    let scene = Scene {
        vertex,
        fragment: &source,
        topology: PrimitiveTopology::TriangleStrip,
        vertices: 4,
        instances: 2,
        ..Default::default()
    };
    check(gpu, &scene)
}

fn flat_and_packed_varyings(gpu: &Gpu) -> Result<(), String> {
    // 20 floats, a matrix, an array and a struct: more than 15 locations unless packed.
    let names: Vec<String> = (0..20).map(|i| format!("f{i}")).collect();
    let declare = |direction: &str| {
        let mut out = names.iter().map(|n| format!("{direction} float {n};\n")).collect::<String>();
        out += "struct S { vec2 a; float b; };\n";
        out + &format!(
            "flat {direction} ivec3 i; {direction} mat3 m; {direction} vec2 v[3]; {direction} S s; centroid {direction} vec2 c;\n"
        )
    };
    let assign: String = names.iter().enumerate().map(|(i, n)| format!("{n} = {i}.0;")).collect();
    let compare: String = names.iter().enumerate().map(|(i, n)| format!("ok = ok && near({n}, {i}.0);")).collect();
    let vertex = format!(
        "#version 300 es\n{}void main() {{
            vec2 p = vec2(float((gl_VertexID & 1) * 4 - 1), float((gl_VertexID >> 1) * 4 - 1));
            gl_Position = vec4(p, 0.0, 1.0);
            {assign} i = ivec3(1, -2, 3); m = mat3(2.0); v[1] = vec2(5.0, 6.0); v[0] = v[2] = vec2(0.0);
            s = S(vec2(7.0, 8.0), 10.0); c = vec2(11.0, 12.0);
        }}",
        declare("out")
    );
    let source = fragment(&format!(
        "{}void main() {{ bool ok = i == ivec3(1, -2, 3) && near(m[1], vec3(0.0, 2.0, 0.0)) && near(v[1], vec2(5.0, 6.0));
            ok = ok && near(s.a, vec2(7.0, 8.0)) && near(s.b, 10.0) && near(c, vec2(11.0, 12.0)); {compare} colour = vec4(ok); }}",
        declare("in")
    ));
    check(gpu, &Scene { vertex: &vertex, fragment: &source, ..Default::default() })
}

const FEEDBACK: &str = "#version 300 es
out vec2 a; flat out int b; out mat2 m; out float array[3];
void main() {
    float id = float(gl_VertexID);
    gl_Position = vec4(id, 2.0, 3.0, 1.0);
    a = vec2(id, id + 0.5); b = gl_VertexID * 10 + gl_InstanceID; m = mat2(id, 1.0, 2.0, 3.0);
    array[0] = 0.0; array[1] = id * 100.0; array[2] = 2.0;
}";

fn feedback_interleaved(gpu: &Gpu) -> Result<(), String> {
    let source = fragment("in vec2 a; void main() { colour = vec4(a, 0.0, 1.0); }");
    let scene = Scene {
        vertex: FEEDBACK,
        fragment: &source,
        feedback: vec!["a", "b", "gl_Position", "m", "array[1]"],
        vertices: 3,
        instances: 2,
        variant: Variant { capture_feedback: true, ..Default::default() },
        ..Default::default()
    };
    let words = &scene.draw(gpu)?.feedback[0];
    for record in 0..6u32 {
        let (vertex, instance) = (record % 3, record / 3);
        let id = vertex as f32;
        let mut expected = vec![f(id), f(id + 0.5), vertex * 10 + instance];
        expected.extend([id, 2.0, 3.0, 1.0, id, 1.0, 2.0, 3.0, id * 100.0].map(f));
        let at = record as usize * 12;
        if words[at..at + 12] != expected[..] {
            return Err(format!("record {record}: {:x?} instead of {expected:x?}", &words[at..at + 12]));
        }
    }
    if words[72] != u32::MAX {
        return Err("something was written behind the last record".into());
    }
    Ok(())
}

fn feedback_separate(gpu: &Gpu) -> Result<(), String> {
    let source = fragment("void main() { colour = vec4(1.0); }");
    let scene = Scene {
        vertex: FEEDBACK,
        fragment: &source,
        feedback: vec!["array", "b"],
        feedback_separate: true,
        vertices: 3,
        variant: Variant { capture_feedback: true, ..Default::default() },
        ..Default::default()
    };
    let buffers = scene.draw(gpu)?.feedback;
    let first: Vec<u32> = (0..3).flat_map(|id| [f(0.0), f(id as f32 * 100.0), f(2.0)]).collect();
    if buffers[0][..9] != first[..] || buffers[1][..3] != [0, 10, 20] {
        return Err(format!("{:x?} and {:x?}", &buffers[0][..9], &buffers[1][..3]));
    }
    Ok(())
}
