//! What leaves the GPU: clear, present, copy out, put upright.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use criterion::{Criterion, Throughput};
use replay::backend::threaded::ThreadedBackend;
use replay::backend::wgpu::{DeviceOptions, WgpuBackend, WgpuDevice, WgpuOptions};
use replay::gl::constants as c;
use replay::gl::{Context, ContextSettings};

use crate::size;

pub fn readback(criterion: &mut Criterion) {
    let (width, height) = size();
    let device = match WgpuDevice::open(&DeviceOptions::default()) {
        Ok(device) => device,
        Err(error) => return eprintln!("readback is left out: {error}"),
    };
    let mut group = criterion.benchmark_group("readback");
    group.throughput(Throughput::Bytes(u64::from(width) * u64::from(height) * 4));
    for antialias in [false, true] {
        let count = Arc::new(AtomicU64::new(0));
        let seen = count.clone();
        let sink = Box::new(move |_| {
            seen.fetch_add(1, Ordering::Relaxed);
        });
        let backend = WgpuBackend::new(device.clone(), WgpuOptions::default(), sink);
        let backend = ThreadedBackend::new(backend, Default::default()).expect("a thread");
        let settings = ContextSettings { width, height, antialias, alpha: false, ..ContextSettings::default() };
        let mut gl = Context::new(settings, Box::new(backend));
        let mut frame = 0;
        group.bench_function(if antialias { "clear_and_present_4x" } else { "clear_and_present" }, |b| {
            b.iter(|| {
                gl.clear_color((frame % 2) as f32, 0.5, 0.5, 1.0);
                gl.clear(c::COLOR_BUFFER_BIT | c::DEPTH_BUFFER_BIT);
                gl.present(frame);
                frame += 1;
            });
        });
        gl.finish();
        drop(gl);
        assert_eq!(count.load(Ordering::Relaxed), frame, "every frame comes out");
    }
    group.finish();
}

/// Draws of a city-like frame, each with its own buffer and uniforms.
const DRAWS: u64 = 3000;

/// Recording and encoding many small draws: what the engine adds to the driver's own time.
pub fn draws(criterion: &mut Criterion) {
    let device = match WgpuDevice::open(&DeviceOptions::default()) {
        Ok(device) => device,
        Err(error) => return eprintln!("draws are left out: {error}"),
    };
    let mut group = criterion.benchmark_group("draws");
    group.throughput(Throughput::Elements(DRAWS));
    let backend = WgpuBackend::new(device, WgpuOptions::default(), Box::new(drop));
    let settings = ContextSettings { width: 64, height: 64, ..ContextSettings::default() };
    let mut gl = Context::new(settings, Box::new(backend));
    let program = gl.create_program();
    for (ty, source) in [(c::VERTEX_SHADER, crate::front_end::VERTEX), (c::FRAGMENT_SHADER, crate::front_end::FRAGMENT)]
    {
        let shader = gl.create_shader(ty);
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        gl.attach_shader(program, shader);
    }
    gl.link_program(program);
    gl.use_program(program);
    let color = gl.get_uniform_location(program, "color");
    let buffers: Vec<u32> = (0..700)
        .map(|_| {
            let buffer = gl.create_buffer();
            gl.bind_buffer(c::ARRAY_BUFFER, buffer);
            gl.buffer_data(c::ARRAY_BUFFER, &[0; 36], c::STATIC_DRAW);
            buffer
        })
        .collect();
    gl.enable_vertex_attrib_array(0);
    let mut frame = 0;
    group.bench_function("points", |b| {
        b.iter(|| {
            gl.clear(c::COLOR_BUFFER_BIT | c::DEPTH_BUFFER_BIT);
            for (index, buffer) in buffers.iter().cycle().take(DRAWS as usize).enumerate() {
                gl.bind_buffer(c::ARRAY_BUFFER, *buffer);
                gl.vertex_attrib_pointer(0, 3, c::FLOAT, false, 0, 0);
                gl.uniform_4f(program, color, index as f32, frame as f32, 0.0, 1.0);
                gl.draw_arrays(c::POINTS, 0, 1);
            }
            gl.present(frame);
            gl.finish();
            frame += 1;
        });
    });
    group.finish();
    assert_eq!(gl.get_error(), c::NO_ERROR);
}
