//! dEQP's shader library: compile, link, draw, compare.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Failed, Trial};
use replay::shader::{CompileOptions, LinkOptions, LinkedProgram, Stage, compile, link};

use super::case::{Case, Expect, parse};
use super::gpu::Gpu;
use super::source::{Program, programs};
use super::values;

/// Cases that do not hold for us, with the reason: file, case name (or its beginning).
const EXPECTED_FAILURES: &[(&str, &str)] = &[];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "test"))
        .collect();
    files.sort();
    files
}

/// Our own cases, and dEQP's if they are at hand.
pub fn trials() -> Vec<Trial> {
    let mut folders = vec![("cases", Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/shaders/cases"), true)];
    let mut out = Vec::new();
    match std::env::var_os("REPLAY_DEQP_SHADERS").map(PathBuf::from) {
        Some(folder) => {
            folders.push(("deqp::gles2", folder.join("gles2/shaders"), false));
            folders.push(("deqp::gles3", folder.join("gles3/shaders"), true));
        }
        None => out.push(Trial::test("deqp", || Ok(())).with_ignored_flag(true)),
    }
    let gpu: Arc<OnceLock<Option<Gpu>>> = Arc::new(OnceLock::new());
    for (label, folder, webgl2) in folders {
        for file in files(&folder) {
            let gpu = gpu.clone();
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = format!("{label}::{stem}");
            out.push(Trial::test(name.clone(), move || {
                let gpu = gpu.get_or_init(Gpu::open).as_ref().ok_or("no Vulkan adapter")?;
                run_file(&name, &file, webgl2, gpu)
            }));
        }
    }
    out
}

fn run_file(name: &str, file: &Path, webgl2: bool, gpu: &Gpu) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file)?;
    let only = std::env::var("REPLAY_DEQP_CASE").ok();
    let (mut run, mut failures) = (0, Vec::new());
    for case in parse(&text) {
        for program in programs(&case) {
            if only.as_ref().is_some_and(|only| !program.name.contains(only.as_str())) {
                continue;
            }
            run += 1;
            let expected = EXPECTED_FAILURES
                .iter()
                .any(|(in_file, prefix)| name.ends_with(in_file) && program.name.starts_with(prefix));
            match (run_case(&case, &program, webgl2, gpu), expected) {
                (Err(message), false) => failures.push(format!("{}: {message}", program.name)),
                (Ok(()), true) => failures.push(format!("{}: passes, but is expected to fail", program.name)),
                _ => {}
            }
        }
    }
    eprintln!("{name}: {}/{run}", run - failures.len());
    if failures.is_empty() {
        return Ok(());
    }
    Err(format!("{} of {run} failed\n{}", failures.len(), failures.join("\n")).into())
}

enum Built {
    NotCompiled(String),
    NotLinked(String),
    Program(Box<LinkedProgram>),
}

fn build(program: &Program, webgl2: bool) -> Built {
    let options = CompileOptions { webgl2, ..Default::default() };
    let vertex = match compile(Stage::Vertex, &program.vertex, &options) {
        Ok(shader) => shader,
        Err(log) => return Built::NotCompiled(log.to_string()),
    };
    let fragment = match compile(Stage::Fragment, &program.fragment, &options) {
        Ok(shader) => shader,
        Err(log) => return Built::NotCompiled(log.to_string()),
    };
    match link(&vertex, &fragment, &LinkOptions { webgl2, ..Default::default() }) {
        Ok(linked) => Built::Program(Box::new(linked)),
        Err(log) => Built::NotLinked(log.to_string()),
    }
}

fn run_case(case: &Case, program: &Program, webgl2: bool, gpu: &Gpu) -> Result<(), String> {
    let linked = match (build(program, webgl2), case.expect) {
        (Built::NotCompiled(_), Expect::CompileFail | Expect::CompileOrLinkFail) => return Ok(()),
        (Built::NotLinked(_), Expect::LinkFail | Expect::CompileOrLinkFail) => return Ok(()),
        (Built::NotCompiled(log), _) => return Err(format!("does not compile: {log}")),
        (Built::NotLinked(log), _) => return Err(format!("does not link: {log}")),
        (Built::Program(linked), Expect::Pass) => linked,
        (Built::Program(linked), Expect::BuildSuccessful) => {
            return linked.emit(Default::default()).map(drop).map_err(|error| error.to_string());
        }
        (Built::Program(_), expect) => return Err(format!("builds, expected {expect:?}")),
    };
    let empty = vec![Vec::new()];
    let blocks = if case.values.is_empty() { &empty } else { &case.values };
    for (number, block) in blocks.iter().enumerate() {
        let failed = values::failing(gpu, &linked, block, program.fragment_only)?;
        if !failed.is_empty() {
            return Err(format!("wrong pixels in block {number}, sub-cases {failed:?}"));
        }
    }
    Ok(())
}
