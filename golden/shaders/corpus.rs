//! The three.js corpus: every vertex and fragment shader pair links, validates and passes `spirv-val`.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use replay::shader::program::LoopSite;
use replay::shader::{CompileOptions, ExtensionSet, LinkLimits, LinkOptions, Stage, Variant, compile, link};

pub fn trials() -> Vec<Trial> {
    let Some(folder) = std::env::var_os("REPLAY_SHADER_CORPUS").map(PathBuf::from) else {
        return vec![Trial::test("corpus", || Ok(())).with_ignored_flag(true)];
    };
    let mut revisions: Vec<PathBuf> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    revisions.sort();
    revisions
        .into_iter()
        .map(|folder| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(format!("corpus::{name}"), move || run(&folder))
        })
        .collect()
}

/// A fragment shader and the vertex shaders it may belong to. Shaders were captured in the order of `shaderSource`
/// without repetitions: a fragment shader belongs to the vertex shader right before it, or to some earlier one.
fn pairs(folder: &Path) -> Vec<(Vec<PathBuf>, PathBuf)> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut before: Vec<PathBuf> = Vec::new();
    let mut fresh = false;
    let mut out = Vec::new();
    for file in files {
        match file.extension().and_then(|e| e.to_str()) {
            Some("vert") => {
                before.push(file);
                fresh = true;
            }
            Some("frag") => {
                let candidates = if fresh { before.last().cloned().into_iter().collect() } else { before.clone() };
                out.push((candidates, file));
                fresh = false;
            }
            _ => {}
        }
    }
    out
}

/// Programs that are wrong in the revision itself: a shader of this name does not compile in browsers either.
fn excused(revision: &Path, message: &str) -> bool {
    // r150 on WebGL 1: transmission calls textureLod; one raw shader of ours is GLSL ES 3.00.
    revision.ends_with("r150-gl1") && (message.contains("'textureLod'") || message.contains("'300'"))
}

fn run(folder: &Path) -> Result<(), Failed> {
    let webgl1 = folder.to_string_lossy().ends_with("gl1");
    let pairs = pairs(folder);
    if pairs.is_empty() {
        return Err("no shaders".into());
    }
    let started = std::time::Instant::now();
    let mut slowest = (std::time::Duration::ZERO, String::new());
    let mut building = std::time::Duration::ZERO;
    let mut failures = Vec::new();
    for (candidates, fragment) in &pairs {
        let name = file_name(fragment);
        let mut result = Err("no vertex shader before it".to_owned());
        for vertex in candidates.iter().rev() {
            let begun = std::time::Instant::now();
            result = check(vertex, fragment, webgl1);
            if result.is_ok() {
                building += begun.elapsed();
                if begun.elapsed() > slowest.0 {
                    slowest = (begun.elapsed(), name.clone());
                }
                break;
            }
        }
        match result {
            Ok((stages, loops)) => {
                for site in loops.iter().filter(|site| !UNBOUNDED.contains(&site.text.as_str())) {
                    failures.push(format!("{name}: a counter in line {}: {}", site.line, site.text));
                }
                for (stage, words) in ["vertex", "fragment"].iter().zip(stages) {
                    dump(folder, &format!("{name}.{stage}.spv"), &words);
                    if let Err(message) = spirv_val(&words) {
                        failures.push(format!("{name}: {stage}: {message}"));
                    }
                }
            }
            Err(message) if excused(folder, &message) => {}
            Err(message) => failures.push(format!("{name}: {message}")),
        }
    }
    eprintln!(
        "{}: {}/{} programs, {:?} building, {:?} with spirv-val, slowest {:?} ({})",
        folder.display(),
        pairs.len() - failures.len().min(pairs.len()),
        pairs.len(),
        building,
        started.elapsed(),
        slowest.0,
        slowest.1
    );
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Loops of three.js that no constant bounds (PMREM of r187, "a uniform so the loops aren't unrolled"); all others
/// must cost nothing.
const UNBOUNDED: [&str; 2] = ["for ( int y = 0; y < sourceSize; y ++ ) {", "for ( int x = 0; x < sourceSize; x ++ ) {"];

type Built = ([Vec<u32>; 2], Vec<LoopSite>);

fn check(vertex: &Path, fragment: &Path, webgl1: bool) -> Result<Built, String> {
    let extensions = if webgl1 {
        ExtensionSet::OES_STANDARD_DERIVATIVES
            | ExtensionSet::EXT_FRAG_DEPTH
            | ExtensionSet::EXT_SHADER_TEXTURE_LOD
            | ExtensionSet::EXT_DRAW_BUFFERS
    } else {
        ExtensionSet::WEBGL_MULTI_DRAW | ExtensionSet::WEBGL_CLIP_CULL_DISTANCE
    };
    let options = CompileOptions { webgl2: !webgl1, extensions, ..Default::default() };
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let vertex = compile(Stage::Vertex, &read(vertex)?, &options).map_err(|log| log.to_string())?;
    let fragment = compile(Stage::Fragment, &read(fragment)?, &options).map_err(|log| log.to_string())?;
    // With uniforms as flat varyings, as lavapipe gets them: it is the longer of the two ways.
    let limits = LinkLimits { max_flat_rows: 16, ..Default::default() };
    let linked = link(&vertex, &fragment, &LinkOptions { webgl2: !webgl1, limits, ..Default::default() })
        .map_err(|log| log.to_string())?;
    let code = linked.emit(Variant::default()).map_err(|error| error.to_string())?;
    Ok(([code.vertex.clone(), code.fragment.clone()], code.layout.loops.clone()))
}

/// Keeps a module in the folder `REPLAY_SPIRV_DUMP` names.
fn dump(revision: &Path, name: &str, words: &[u32]) {
    let Some(folder) = std::env::var_os("REPLAY_SPIRV_DUMP") else { return };
    let folder = Path::new(&folder).join(file_name(revision));
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(name), bytes));
    if let Err(error) = written {
        eprintln!("{}: {error}", folder.display());
    }
}

/// Runs the SPIR-V validator, which must be installed (SPIRV-Tools).
pub fn spirv_val(words: &[u32]) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = scratch.path().join("module.spv");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&file, bytes).map_err(|error| error.to_string())?;
    let output = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.1"])
        .arg(&file)
        .output()
        .map_err(|error| format!("spirv-val: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
