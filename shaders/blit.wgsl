// Copies texels of one level of an image to a rectangle of the target: scaled, flipped, resolved.
// SCALAR, SOURCE, and the functions `texel`, `colour` and `fs` are put in by src/backend/wgpu/internal.rs.

struct Params {
    // Where the destination and source rectangles begin, in texels.
    dst_origin: vec2<f32>,
    src_origin: vec2<f32>,
    // Source texels per destination texel, negative to flip.
    scale: vec2<f32>,
    // Size of the source level.
    size: vec2<f32>,
    // Slice of a 3D source, samples of a multisampled one, bit of a stencil blit.
    slice: u32,
    samples: u32,
    bit: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var source: SOURCE;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Source position of a destination pixel; discards where the source has no texel (GL leaves such pixels alone).
fn source_position(position: vec4<f32>) -> vec2<f32> {
    let place = params.src_origin + (position.xy - params.dst_origin) * params.scale;
    if any(place < vec2<f32>(0.0)) || any(place >= params.size) {
        discard;
    }
    return place;
}
