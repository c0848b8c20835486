//! The architecture, as tests: which module may use which, what may stand at the top, how long a file may be.
//!
//! ARCHITECTURE.md explains the edges. Comments, documentation and tests are left out, except that a test may
//! reach one layer down to the recording back end ([`TEST_EDGES`]).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// `(module, what it may use)`, in the order of the data's flow. A module may always use itself.
const EDGES: [(&str, &[&str]); 20] = [
    ("host", &[]),
    ("clock", &[]),
    ("frame", &[]),
    ("scene", &[]),
    ("project", &["host", "clock"]),
    ("canvas2d", &["frame"]),
    ("shader", &[]),
    ("gl", &["shader", "scene"]),
    ("runtime", &["project", "clock", "host", "gl", "canvas2d", "scene", "frame"]),
    ("backend", &["gl", "shader", "frame", "scene"]),
    ("encode", &["frame", "clock"]),
    ("mux", &["encode", "frame", "clock"]),
    ("rules", &[]),
    ("evidence", &["frame", "clock", "scene", "gl", "shader"]),
    ("verify", &["frame", "encode", "rules", "evidence"]),
    ("metrics", &["host", "project", "clock", "frame", "rules", "evidence"]),
    ("report", &["frame", "canvas2d", "encode", "evidence", "verify", "metrics"]),
    (
        "pipeline",
        &[
            "host", "project", "clock", "scene", "canvas2d", "runtime", "gl", "frame", "backend", "encode", "mux",
            "evidence", "verify",
        ],
    ),
    ("cli", &["pipeline", "report", "metrics", "verify", "rules", "evidence", "encode", "frame", "project", "host"]),
    ("main", &["cli"]),
];

/// What only tests may use: the front end is tested on the back end that records; whether a document keeps its schema is
/// checked where the schemas of rules are read.
const TEST_EDGES: [(&str, &str); 3] = [("gl", "backend"), ("runtime", "backend"), ("evidence", "rules")];

/// `(module, crate)`: the only modules that may name this crate of others.
const CRATES: [(&str, &[&str]); 8] = [
    ("deno_core", &["runtime"]),
    ("wgpu", &["backend"]),
    ("ash", &["backend"]),
    ("naga", &["shader", "backend"]),
    ("openh264", &["encode", "verify"]),
    ("rav1e", &["encode"]),
    ("mp4_atom", &["mux"]),
    ("clap", &["cli"]),
];

/// What stands at the top of the repository. A new entry is a decision: put it here and in ARCHITECTURE.md.
const TOP: [&str; 23] = [
    ".cargo",
    ".ci",
    ".config",
    ".git",
    ".github",
    ".gitignore",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "STATUS.md",
    "benches",
    "clippy.toml",
    "deny.toml",
    "examples",
    "golden",
    "js_shims",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "shaders",
    "src",
    "tools",
];

const LONGEST_FILE: usize = 800;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file under `folder`, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

/// A module at the top: the name of its folder or file.
fn module(file: &Path) -> String {
    let first = file.strip_prefix(root().join("src")).unwrap().components().next().unwrap();
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

fn is_test_file(file: &Path) -> bool {
    let is = |name: &str| matches!(name, "tests" | "tests.rs") || name.ends_with("_tests.rs");
    file.components().any(|c| c.as_os_str().to_str().is_some_and(is))
}

/// The lines of code of a file: `(number, text, in a test)`, without comments. An inline `mod tests` is a file's last item.
fn code(file: &Path, text: &str) -> Vec<(usize, String, bool)> {
    let mut test = is_test_file(file);
    let mut out = Vec::new();
    let mut before = "";
    for (number, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or_default();
        test |= before.trim() == "#[cfg(test)]" && line.starts_with("mod ") && line.ends_with('{');
        if !line.starts_with("#[allow(") && !line.starts_with("#[expect(") {
            before = line;
        }
        out.push((number + 1, line.to_owned(), test));
    }
    out
}

/// The modules named after `crate::` or `replay::` on this line; `crate::{a, b::c}` names two.
fn uses(line: &str, prefix: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>();
    let mut out = Vec::new();
    for (at, _) in line.match_indices(prefix) {
        if line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':' || c == '$') {
            continue;
        }
        let rest = &line[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => out.extend(list.split(',').map(|part| name(part.trim()))),
            None => out.push(name(rest)),
        }
    }
    out.retain(|name| !name.is_empty());
    out
}

#[test]
fn modules_use_only_what_stands_before_them() {
    let modules: BTreeSet<&str> = EDGES.iter().map(|(name, _)| *name).collect();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for file in rust_files(&root().join("src")) {
        let from = module(&file);
        if matches!(from.as_str(), "lib" | "layering_tests") {
            continue;
        }
        let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == from) else {
            wrong.push(format!("{}: `{from}` is not in the list of modules", file.display()));
            continue;
        };
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line, test) in code(&file, &text) {
            if line.contains("crate::{") && !line.contains('}') {
                wrong.push(format!(
                    "{}:{number}: a list over several lines can't be read: one `use` each",
                    file.display()
                ));
            }
            for to in uses(&line, "crate::").into_iter().chain(uses(&line, "replay::")) {
                if !modules.contains(to.as_str()) || to == from {
                    continue;
                }
                seen.insert((from.clone(), to.clone()));
                let in_test = test && TEST_EDGES.contains(&(from.as_str(), to.as_str()));
                if !allowed.contains(&to.as_str()) && !in_test {
                    wrong.push(format!("{}:{number}: `{from}` may not use `{to}`", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Were the reading of the sources broken, nothing would be wrong.
    assert!(seen.contains(&("runtime".into(), "gl".into())) && seen.contains(&("cli".into(), "pipeline".into())));
}

#[test]
fn foreign_crates_stay_in_their_layer() {
    let mut wrong = Vec::new();
    for file in rust_files(&root().join("src")) {
        let from = module(&file);
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line, _) in code(&file, &text) {
            for (name, allowed) in CRATES {
                let named = !uses(&format!(" {line}"), &format!("{name}::")).is_empty();
                if named && !allowed.contains(&from.as_str()) && from != "layering_tests" {
                    wrong.push(format!("{}:{number}: `{from}` may not use the crate `{name}`", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_order_of_the_list_is_the_order_of_the_layers() {
    for (at, (name, allowed)) in EDGES.iter().enumerate() {
        for to in *allowed {
            let place = EDGES.iter().position(|(other, _)| other == to);
            assert!(place.is_some_and(|place| place < at), "`{name}` uses `{to}`, which does not stand before it");
        }
    }
}

#[test]
fn nothing_new_stands_at_the_top() {
    // In a checkout without git (a package of the sources), what git would ignore can't be told apart.
    let listed = std::process::Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    let Some(listed) = listed.ok().filter(|out| out.status.success()) else { return };
    let listed = String::from_utf8(listed.stdout).unwrap();
    let top: BTreeSet<&str> = listed.lines().filter_map(|path| path.split('/').next()).collect();
    assert!(top.contains("src"), "git lists no sources: {listed}");
    let new: Vec<_> = top.iter().filter(|name| !TOP.contains(name)).collect();
    assert!(new.is_empty(), "new at the top of the repository: {new:?}");
}

#[test]
fn no_file_is_too_long() {
    let mut wrong = Vec::new();
    for folder in ["src", "golden/cli", "golden/runner", "golden/shaders"] {
        for file in rust_files(&root().join(folder)) {
            let lines = std::fs::read_to_string(&file).unwrap().lines().count();
            if lines > LONGEST_FILE {
                wrong.push(format!("{}: {lines} lines, more than {LONGEST_FILE}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn uses_are_read_from_paths_and_lists() {
    assert_eq!(uses("use crate::gl::command;", "crate::"), ["gl"]);
    assert_eq!(uses("use crate::{gl, frame::Frame};", "crate::"), ["gl", "frame"]);
    assert_eq!(uses("fn f(a: crate::gl::A, b: &crate::frame::B)", "crate::"), ["gl", "frame"]);
    assert_eq!(uses("$crate::gl::x; other_crate::gl::y; a::wgpu::z", "crate::"), Vec::<String>::new());
}

#[test]
fn an_inline_test_module_is_told_from_the_code_before_it() {
    let text = "use crate::gl; // crate::backend\n#[cfg(test)]\nfn helper() {}\n#[cfg(test)]\nmod tests {\n}\n";
    let read: Vec<(String, bool)> =
        code(Path::new("src/gl/x.rs"), text).into_iter().map(|(_, line, test)| (line, test)).collect();
    assert_eq!(read[0], ("use crate::gl; ".to_owned(), false));
    assert_eq!(read[2], ("fn helper() {}".to_owned(), false));
    assert_eq!(read[5], ("}".to_owned(), true));
}
