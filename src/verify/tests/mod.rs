//! The whole of `verify` from outside: against ffprobe and MediaInfo on other encoders' files, against closed forms, and
//! against files that were broken on purpose.

mod agreement;
mod damage;
mod loudness;
mod pictures;
mod report;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Runs a program that the tests need (tools/test installs it); its standard output.
fn tool(name: &str, args: &[&str]) -> Vec<u8> {
    let out = Command::new(name)
        .args(args)
        .output()
        .unwrap_or_else(|e| panic!("this test needs `{name}` (Debian packages ffmpeg, mediainfo): {e}"));
    assert!(out.status.success(), "{name} {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

/// Makes a file with ffmpeg: the words of its command line before the output.
fn ffmpeg(dir: &Path, name: &str, command: &str) -> PathBuf {
    let path = dir.join(name);
    let mut args: Vec<&str> = vec!["-v", "error", "-y"];
    args.extend(command.split_whitespace());
    let shown = path.to_string_lossy();
    args.push(&shown);
    tool("ffmpeg", &args);
    path
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

/// Two seconds of moving pictures at 30 fps, as input 0; a tone, as input 1.
const PICTURES: &str = "-f lavfi -i testsrc2=size=320x240:rate=30:duration=2";
const TONE: &str = "-f lavfi -i sine=frequency=997:sample_rate=48000:duration=2";
