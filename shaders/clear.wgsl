// Clears one attachment (or depth and stencil only) by drawing. SCALAR and `fs` are put in by
// src/backend/wgpu/internal.rs.

struct Params {
    color: vec4<SCALAR>,
    depth: f32,
}

@group(0) @binding(0) var<uniform> params: Params;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    // Two triangles that fill the viewport exactly: lavapipe 22.3's scissor is half a pixel too wide for samples.
    let right = (0x32u >> index) & 1u;
    let top = (0x2cu >> index) & 1u;
    return vec4<f32>(f32(right) * 2.0 - 1.0, f32(top) * 2.0 - 1.0, params.depth, 1.0);
}
