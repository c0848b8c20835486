//! Whole renders, from the folder to the file.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, SamplingMode, Throughput};
use replay::pipeline::{BackendKind, Codec, RenderPlan, Silent, render};
use replay::project::EvidenceSettings;

use crate::{size, smoke};

fn plan(example: &str, frames: u64, backend: BackendKind, (width, height): (u32, u32), out: &Path) -> RenderPlan {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples");
    RenderPlan {
        project: examples.join(example),
        node_modules: vec![examples.join("node_modules")],
        query: String::new(),
        out: out.to_owned(),
        width,
        height,
        fps: replay::frame::FrameRate::new(30, 1).expect("a rate"),
        frames,
        warm_up: 0,
        seed: 0,
        pixel_ratio: 1.0,
        canvas: None,
        drive: "raf".to_owned(),
        start_time: None,
        codec: Codec::H264,
        audio: None,
        background: Some([0; 3]),
        max_bits_per_second: 20_000_000,
        max_bytes: 200_000_000,
        strict: false,
        // The null back end shows one colour.
        allow_blank: true,
        trace: None,
        backend,
        adapter: None,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        time_limit: None,
        memory_limit: None,
        gpu_memory_limit: None,
        evidence: Some(EvidenceSettings::default()),
        route: None,
        route_file: None,
        depth: false,
    }
}

/// `engine_only` is the same render on a back end that draws nothing: what is not the rasteriser's.
pub fn end_to_end(criterion: &mut Criterion) {
    if !Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/node_modules/three").exists() {
        return eprintln!("end_to_end is left out: run `npm ci` in examples/");
    }
    let mut group = criterion.benchmark_group("end_to_end");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    let frames = if smoke() { 2 } else { 10 };
    let folder = tempfile::tempdir().expect("a folder");
    group.throughput(Throughput::Elements(frames));
    for (name, example, backend, size) in [
        ("town", "town", BackendKind::Wgpu, size()),
        ("town_engine_only", "town", BackendKind::Null, size()),
        ("cube_256", "cube", BackendKind::Wgpu, (256, 256)),
    ] {
        let plan = plan(example, frames, backend, size, &folder.path().join(name));
        let run = || render(&plan, Vec::new(), &AtomicBool::new(false), &mut Silent);
        if let Err(error) = run() {
            eprintln!("end_to_end/{name} is left out: {error}");
            continue;
        }
        group.bench_function(name, |b| b.iter(|| run().expect("it rendered before")));
    }
    group.finish();
}
