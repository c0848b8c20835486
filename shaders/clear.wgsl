// Clears one attachment (or depth and stencil only) by drawing. SCALAR and `fs` are put in by
// src/backend/wgpu/internal.rs.

struct Params {
    color: vec4<SCALAR>,
    depth: f32,
}

@group(0) @binding(0) var<uniform> params: Params;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, params.depth, 1.0);
}
