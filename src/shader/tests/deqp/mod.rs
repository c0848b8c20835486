//! Khronos' dEQP shader cases (`sdk/tests/deqp/data/{gles2,gles3}/shaders/*.test` of the WebGL repository):
//! does each shader compile, or not, as the case says?
//!
//! `REPLAY_DEQP_DATA` names the `data` folder; none of it is in this repository. Running the shaders is another
//! test's work; [`specialize`] gives it the same sources.

mod parse;
mod specialize;

use std::path::PathBuf;

use self::parse::{Case, Source, parse_file};
use crate::shader::{CompileOptions, Stage, compile};

/// Cases whose verdict differs from ours, each with the reason.
const KNOWN: &[(&str, &str)] = &[];

struct Outcome {
    total: usize,
    wrong: Vec<String>,
}

fn check(case: &Case, outcome: &mut Outcome) {
    let options = CompileOptions { webgl2: true, ..CompileOptions::default() };
    let must_fail = case.expect == "compile_fail";
    let mut check_one = |label: &str, shaders: &[(Stage, String)]| {
        outcome.total += 1;
        let failure = shaders.iter().find_map(|(stage, text)| compile(*stage, text, &options).err());
        let wrong = match (&failure, must_fail) {
            (Some(log), false) if case.expect != "compile_or_link_fail" => Some(log.to_string()),
            (None, true) => Some("accepted".to_owned()),
            _ => None,
        };
        if let Some(what) = wrong
            && !KNOWN.iter().any(|(name, _)| *name == case.name)
        {
            outcome.wrong.push(format!("{} ({label}): {}", case.name, what.trim()));
        }
    };
    match &case.source {
        Source::Both(text) => {
            check_one("vertex", &[(Stage::Vertex, specialize::vertex(text, case))]);
            check_one("fragment", &[(Stage::Fragment, specialize::fragment(text, case))]);
        }
        Source::Pair { vertex, fragment } => {
            let shaders = [
                (Stage::Vertex, specialize::vertex(vertex, case)),
                (Stage::Fragment, specialize::fragment(fragment, case)),
            ];
            check_one("pair", &shaders);
        }
    }
}

#[test]
fn deqp_verdicts() {
    let Some(data) = std::env::var_os("REPLAY_DEQP_DATA") else {
        eprintln!("SKIPPED: REPLAY_DEQP_DATA does not name dEQP's data folder");
        return;
    };
    let mut outcome = Outcome { total: 0, wrong: Vec::new() };
    for suite in ["gles2", "gles3"] {
        let folder = PathBuf::from(&data).join(suite).join("shaders");
        let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "test"));
        files.sort();
        assert!(!files.is_empty(), "no cases in {}", folder.display());
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let prefix = format!("{suite}.{}", file.file_stem().unwrap().to_string_lossy());
            for case in parse_file(&text, &prefix) {
                check(&case, &mut outcome);
            }
        }
    }
    eprintln!("{} verdicts, {} wrong", outcome.total, outcome.wrong.len());
    assert!(
        outcome.wrong.is_empty(),
        "{} of {} wrong:\n{}",
        outcome.wrong.len(),
        outcome.total,
        outcome.wrong.join("\n")
    );
}
