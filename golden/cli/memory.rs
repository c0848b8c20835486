//! Programs that take memory without end, by every way to take it: the limit ends them, the message names their line and what it
//! was for, and what was filmed before plays.

use super::Named;
use super::project::{FRAMES, Project};

const BUFFERS: &str =
    "more than 200 MiB of memory for ArrayBuffers: typed arrays, contents of files, decoded pictures (in frame 4";

/// `act`, on line 4 of the page, in frame 4.
fn project(act: &str) -> Project {
    let act = format!("const kept = []; async function act() {{\n{act}\n}}\n");
    let late = "function late() { if (n == 5) act(); requestAnimationFrame(late); } late();";
    let page = format!(
        "<canvas id=c width=64 height=64></canvas><script>const gl = document.getElementById('c').getContext('webgl2'); let n = 0;\n{FRAMES}{act}{late}</script>"
    );
    Project::new(&[("index.html", &page), ("big.txt", &"0123456789".repeat(1_000_000))])
}

fn trial(name: &'static str, act: &'static str, texts: &'static [&'static str]) -> Named {
    let test = move || {
        let ended = project(act).render(&["--memory-limit", "200"]);
        ended.expect(2, &["--memory-limit"])?;
        ended.expect(2, texts)?;
        ended.expect_kept(4)
    };
    (name, Box::new(test))
}

pub fn all() -> Vec<Named> {
    vec![
        trial("memory_of_array_buffers", "for (;;) kept.push(new ArrayBuffer(1e8));", &[BUFFERS, "index.html:5:20"]),
        trial(
            "memory_that_a_program_catches",
            "for (;;) try { kept.push(new Float32Array(1e6)); } catch {}",
            &[BUFFERS, "index.html:5:"],
        ),
        trial(
            "memory_of_canvases",
            "for (;;) { const d = document.createElement('canvas'); d.width = d.height = 2048; kept.push(d.getContext('2d')); }",
            &["more than 200 MiB of memory for 2D canvases (in frame 4, index.html:5:"],
        ),
        trial("memory_of_image_data", "for (;;) kept.push(new ImageData(1024, 1024));", &[BUFFERS, "index.html:5:20"]),
        trial(
            "memory_of_pixels",
            "const d = document.createElement('canvas'); d.width = d.height = 1024; const x = d.getContext('2d');\nfor (;;) kept.push(x.getImageData(0, 0, 1024, 1024));",
            &[BUFFERS, "index.html:6:"],
        ),
        trial("memory_of_blobs", "for (;;) kept.push(new Blob(['x'.repeat(1e6)]));", &[BUFFERS, "index.html:5:"]),
        trial(
            "memory_of_bitmaps",
            "const d = document.createElement('canvas'); d.width = d.height = 1024; d.getContext('2d');\nfor (;;) kept.push(await createImageBitmap(d));",
            &[BUFFERS, "index.html:6:"],
        ),
        trial("memory_of_files", "for (;;) kept.push(await fetch('big.txt'));", &[BUFFERS, "index.html:5:"]),
        trial(
            "memory_of_encoded_text",
            "const s = 'x'.repeat(1e7); for (;;) kept.push(new TextEncoder().encode(s));",
            &[BUFFERS, "index.html:5:"],
        ),
        ("memory_that_nobody_holds", Box::new(dropped)),
    ]
}

/// 4 GB in all, a tenth of the limit at a time.
fn dropped() -> Result<(), String> {
    let act = "const d = document.createElement('canvas'); d.width = d.height = 1024; const x = d.getContext('2d');
for (let i = 0; i < 300; i++) { new ImageData(1024, 1024); x.getImageData(0, 0, 1024, 1024); new TextEncoder().encode('x'.repeat(4e6)); }";
    project(act).render(&["--memory-limit", "200"]).expect(0, &["video.mp4"])
}
