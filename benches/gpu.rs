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
        let backend = ThreadedBackend::new(backend).expect("a thread");
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
