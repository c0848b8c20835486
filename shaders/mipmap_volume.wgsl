// One slice of a mip level of a 3D image from the level before: trilinear, by hand.

struct Params {
    // Source texels per target texel.
    scale: vec3<f32>,
    slice: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var source: texture_3d<f32>;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let place = vec3<f32>(position.xy, f32(params.slice) + 0.5) * params.scale - 0.5;
    let base = floor(place);
    let weight = place - base;
    let limit = vec3<i32>(textureDimensions(source)) - 1;
    var sum = vec4<f32>(0.0);
    for (var corner = 0; corner < 8; corner++) {
        let step = vec3<i32>(corner & 1, (corner >> 1u) & 1, corner >> 2u);
        let texel = textureLoad(source, clamp(vec3<i32>(base) + step, vec3<i32>(0), limit), 0);
        let factor = select(1.0 - weight, weight, step == vec3<i32>(1));
        sum += texel * (factor.x * factor.y * factor.z);
    }
    return sum;
}
