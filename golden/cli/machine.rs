//! Faults of the machine: no driver, no disk, folders in use, a render that is ended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Named;
use super::project::{FRAMES, Project};

pub fn all() -> Vec<Named> {
    vec![
        ("no_vulkan_driver", Box::new(no_vulkan_driver)),
        ("output_is_a_file", Box::new(output_is_a_file)),
        ("output_in_use", Box::new(output_in_use)),
        ("ended_and_resumed", Box::new(ended_and_resumed)),
        ("killed_beside_a_good_video", Box::new(killed_beside_a_good_video)),
        ("failed_beside_a_good_video", Box::new(failed_beside_a_good_video)),
        ("disk_full", Box::new(disk_full)),
        (
            "odd_size",
            Box::new(|| Project::page(FRAMES).render(&["--size", "63x64"]).expect(2, &["63x64", "must be even"])),
        ),
    ]
}

fn no_vulkan_driver() -> Result<(), String> {
    let project = Project::page(FRAMES);
    let out = project.out();
    let mut command = project.command(&out, &[]);
    command.env("VK_DRIVER_FILES", "/nowhere.json").env("VK_ICD_FILENAMES", "/nowhere.json");
    let output = command.output().map_err(|e| e.to_string())?;
    project
        .ended(&output, out)
        .expect(2, &["no Vulkan driver found", "apt-get install -y libvulkan1 mesa-vulkan-drivers"])
}

fn output_is_a_file() -> Result<(), String> {
    let project = Project::page(FRAMES);
    fs::write(project.out(), "").map_err(|e| e.to_string())?;
    project.render(&[]).expect(2, &["out cannot be written", "give another folder with -o"])
}

/// A render that goes on for long; returns once it has begun.
fn long(project: &Project) -> Result<std::process::Child, String> {
    let mut command = project.command(&project.out(), &["--frames", "3000"]);
    let child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().map_err(|e| e.to_string())?;
    wait_for(&project.out().join(".replay-partial/frames.sha256"))?;
    Ok(child)
}

/// Waits for twenty frames.
fn wait_for(journal: &Path) -> Result<(), String> {
    let begin = Instant::now();
    while fs::metadata(journal).map_or(0, |m| m.len()) < 65 * 20 {
        if begin.elapsed() > Duration::from_secs(60) {
            return Err("the render does not begin".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn output_in_use() -> Result<(), String> {
    let project = Project::page(FRAMES);
    let mut first = long(&project)?;
    let second = project.render(&[]);
    let _ = first.kill();
    let _ = first.wait();
    second.expect(2, &["is in use by another render", "give another folder with -o"])?;
    // A killed render holds nothing: the folder is free again.
    project.render(&[]).expect(0, &["video.mp4"])
}

fn ended_and_resumed() -> Result<(), String> {
    let project = Project::page(FRAMES);
    let mut first = long(&project)?;
    let term = Command::new("sh").args(["-c", &format!("kill -TERM {}", first.id())]).status();
    let status = first.wait().map_err(|e| e.to_string())?;
    if !term.is_ok_and(|s| s.success()) || status.code() != Some(2) {
        return Err(format!("ended with {status}"));
    }
    let out = project.out();
    let kept = super::project::frames_of(&out.join("video.incomplete.mp4"))?;
    if kept < 15 {
        return Err(format!("{kept} frames were kept"));
    }
    let resumed = Command::new(env!("CARGO_BIN_EXE_replay")).arg("resume").arg(&out).output();
    project.ended(&resumed.map_err(|e| e.to_string())?, out.clone()).expect(0, &["video.mp4"])?;
    let whole = project.out().with_file_name("whole");
    let output = project.command(&whole, &["--frames", "3000"]).output().map_err(|e| e.to_string())?;
    project.ended(&output, whole.clone()).expect(0, &[])?;
    let read = |folder: &PathBuf| fs::read(folder.join("video.mp4")).map_err(|e| e.to_string());
    if read(&out)? == read(&whole)? { Ok(()) } else { Err("the resumed video differs".into()) }
}

/// SIGKILL in a second render: the first one's video stands, and the second goes on to the same bytes.
fn killed_beside_a_good_video() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&[]).expect(0, &["video.mp4"])?;
    let out = project.out();
    let video = || fs::read(out.join("video.mp4")).map_err(|e| format!("the video: {e}"));
    let good = video()?;
    let mut second = project.command(&out, &["--frames", "3000"]);
    let mut second = second.stderr(Stdio::null()).stdout(Stdio::null()).spawn().map_err(|e| e.to_string())?;
    wait_for(&out.join("unfinished/.replay-partial/frames.sha256"))?;
    let _ = second.kill();
    let _ = second.wait();
    if video()? != good || project.ended(&nothing(), out.clone()).manifest()?["complete"] != true {
        return Err("the earlier output has changed".into());
    }
    let resumed = Command::new(env!("CARGO_BIN_EXE_replay")).arg("resume").arg(&out).output();
    project.ended(&resumed.map_err(|e| e.to_string())?, out.clone()).expect(0, &["video.mp4", "3000 frames"])?;
    let whole = out.with_file_name("whole");
    let output = project.command(&whole, &["--frames", "3000"]).output().map_err(|e| e.to_string())?;
    project.ended(&output, whole.clone()).expect(0, &[])?;
    let other = fs::read(whole.join("video.mp4")).map_err(|e| e.to_string())?;
    if out.join("unfinished").exists() || video()? != other { Err("the resumed video differs".into()) } else { Ok(()) }
}

/// An output that nothing was written by: to look at what lies in a folder.
fn nothing() -> std::process::Output {
    Command::new("true").output().expect("`true` runs")
}

/// An exception after some frames: the earlier video stands, what was rendered plays beside it.
fn failed_beside_a_good_video() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&[]).expect(0, &["video.mp4"])?;
    let out = project.out();
    let good = fs::read(out.join("video.mp4")).map_err(|e| e.to_string())?;
    let page = project.folder().join("index.html");
    let text = fs::read_to_string(&page).map_err(|e| e.to_string())?;
    fs::write(&page, text.replace("</script>", "setTimeout(() => { throw new Error('late'); }, 200);</script>"))
        .map_err(|e| e.to_string())?;
    let ended = project.render(&[]);
    ended.expect(2, &["Error: late", "the earlier output in", "is kept", "unfinished"])?;
    if fs::read(out.join("video.mp4")).map_err(|e| e.to_string())? != good || ended.manifest()?["complete"] != true {
        return Err("the earlier output has changed".into());
    }
    project.ended(&nothing(), out.join("unfinished")).expect_kept(6)
}

/// On a tmpfs of 300 KB; where none can be mounted (no user namespaces), it passes with a word.
fn disk_full() -> Result<(), String> {
    let noise = "gl.enable(gl.SCISSOR_TEST); function noise() { for (let i = 0; i < 3000; i++) { gl.scissor(Math.random() * 320, Math.random() * 240, 9, 9); gl.clearColor(Math.random(), Math.random(), Math.random(), 1); gl.clear(gl.COLOR_BUFFER_BIT); } requestAnimationFrame(noise); } c.width = 320; c.height = 240; noise();";
    let project = Project::page(noise);
    let (disk, copy) = (project.out(), project.out().with_file_name("copy"));
    fs::create_dir_all(&disk).map_err(|e| e.to_string())?;
    let script = "mount -t tmpfs -o size=300k tmpfs \"$1\" || exit 77; \"$0\" render \"$2\" -o \"$1/o\" --size 320x240 --frames 120; code=$?; cp -r \"$1/o\" \"$3\"; exit $code";
    let output = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", script, env!("CARGO_BIN_EXE_replay")])
        .args([&disk, &project.folder(), &copy])
        .output();
    let output = match output {
        Ok(output) if output.status.code() != Some(77) && !output.stderr.starts_with(b"unshare:") => output,
        _ => {
            eprintln!("disk_full: no tmpfs can be mounted here; not tested");
            return Ok(());
        }
    };
    let end = project.ended(&output, copy);
    end.expect(2, &["the disk is full", "free some space, then `replay resume`"])?;
    let frames = end.manifest()?["frames"].as_array().map_or(0, Vec::len);
    if frames == 0 { Err("nothing was kept".into()) } else { end.expect_kept(frames as u64) }
}
