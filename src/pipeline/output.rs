//! The output folder: made, locked against a second render, with a journal that survives a kill.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::RenderError;
use super::plan::{FRAMES, INCOMPLETE_VIDEO, RenderPlan, VIDEO};
use crate::evidence::sums::{self, SUMS};
use crate::evidence::{self, Manifest};
use crate::frame::hash::Hash;

const LOCK: &str = ".replay-lock";
const PARTIAL: &str = ".replay-partial";
const PLAN: &str = "plan.json";
const JOURNAL: &str = "frames.sha256";
const RESERVE: &str = "reserve";
/// Where an earlier output waits until this render has something better.
const ASIDE: &str = ".replay-before";
/// What a render leaves that gave no picture, beside the earlier output it did not replace.
pub const FAILED: &str = "failed";
/// What every render leaves besides pictures.
const TOLD: [&str; 5] = ["manifest.json", "timing.json", "frames.sha256", "console.log", SUMS];
/// What other commands found out about an earlier render.
const MEASURED: [&str; 7] =
    ["metrics.json", "series.json", "series.csv", "repeat.json", "sheet.png", "map.png", "report.html"];
/// What evidence leaves; see `evidence.rs`.
const EVIDENCE: [&str; 8] = [
    "clearance.jsonl",
    "poses.jsonl",
    "poses.csv",
    "scene.jsonl",
    "transforms.json",
    "render_meta.json",
    "topdown.png",
    "topdown.json",
];

/// An output folder that this render alone may write to, until dropped.
#[derive(Debug)]
pub struct OutFolder {
    root: PathBuf,
    /// Held for its lock.
    _lock: File,
    /// Does an earlier output wait in [`ASIDE`]?
    aside: AtomicBool,
}

impl OutFolder {
    /// Makes and locks the folder.
    ///
    /// # Errors
    /// It cannot be made or written, or another render has it.
    pub fn open(root: &Path) -> Result<Self, RenderError> {
        fs::create_dir_all(root).map_err(|e| RenderError::write(root, e))?;
        let path = root.join(LOCK);
        let lock = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&path)
            .map_err(|e| RenderError::write(root, e))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { root: root.to_owned(), _lock: lock, aside: AtomicBool::new(false) }),
            Err(TryLockError::WouldBlock) => Err(RenderError::InUse { path: root.to_owned() }),
            Err(TryLockError::Error(e)) => Err(RenderError::write(path, e)),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Puts what an earlier render left aside; other files stay. [`OutFolder::replace`] ends it, else it comes back when
    /// this is dropped.
    ///
    /// # Errors
    /// A file cannot be moved.
    pub fn set_aside(&self) -> Result<(), RenderError> {
        let aside = self.path(ASIDE);
        if aside.exists() {
            // A render was killed before it had a picture.
            self.put_back()?;
        }
        for name in TOLD {
            remove(&self.path(FAILED).join(name))?;
        }
        let _ = fs::remove_dir(self.path(FAILED));
        fs::create_dir(&aside).map_err(|e| RenderError::write(&aside, e))?;
        self.aside.store(true, Ordering::Relaxed);
        self.each_of_ours(&self.root, &|path, name| rename(path, &aside.join(name)))
    }

    /// There is a picture: the earlier output goes.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn replace(&self) -> Result<(), RenderError> {
        if self.aside.swap(false, Ordering::Relaxed) {
            let aside = self.path(ASIDE);
            fs::remove_dir_all(&aside).map_err(|e| RenderError::write(&aside, e))?;
        }
        Ok(())
    }

    /// This render gave no picture: an earlier output with pictures comes back, what this one told goes to [`FAILED`].
    ///
    /// # Errors
    /// A file cannot be moved.
    pub fn keep_earlier(&self) -> Result<(), RenderError> {
        let aside = self.path(ASIDE);
        let pictures = [VIDEO, INCOMPLETE_VIDEO, FRAMES].iter().any(|name| aside.join(name).exists());
        if !self.aside.load(Ordering::Relaxed) || !pictures {
            return self.replace();
        }
        let failed = self.path(FAILED);
        fs::create_dir_all(&failed).map_err(|e| RenderError::write(&failed, e))?;
        for name in TOLD {
            if self.path(name).exists() {
                rename(&self.path(name), &failed.join(name))?;
            }
        }
        self.put_back()
    }

    /// Removes what this render made, and brings back what is aside.
    fn put_back(&self) -> Result<(), RenderError> {
        self.aside.store(false, Ordering::Relaxed);
        let aside = self.path(ASIDE);
        self.each_of_ours(&self.root, &|path, _| {
            if path.is_dir() { fs::remove_dir_all(path).map_err(|e| RenderError::write(path, e)) } else { remove(path) }
        })?;
        self.each_of_ours(&aside, &|path, name| rename(path, &self.path(name)))?;
        fs::remove_dir_all(&aside).map_err(|e| RenderError::write(&aside, e))
    }

    /// Does `work` with every file of a render in `folder`, and its name there.
    fn each_of_ours(
        &self,
        folder: &Path,
        work: &dyn Fn(&Path, &str) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let names = [VIDEO, INCOMPLETE_VIDEO, PARTIAL].into_iter().chain(TOLD).chain(EVIDENCE).chain(MEASURED);
        for name in names {
            let path = folder.join(name);
            if path.exists() {
                work(&path, name)?;
            }
        }
        let frames = folder.join(FRAMES);
        for file in fs::read_dir(&frames).into_iter().flatten().flatten() {
            let name = file.file_name();
            let ours = name.to_str().filter(|n| n.strip_suffix(".png").is_some_and(|n| n.parse::<u64>().is_ok()));
            if let Some(name) = ours {
                work(&file.path(), &format!("{FRAMES}/{name}"))?;
            }
        }
        let _ = fs::remove_dir(&frames);
        Ok(())
    }

    /// Keeps the plan's route beside what is compared with it.
    ///
    /// # Errors
    /// It cannot be read or written.
    pub fn copy_route(&self, plan: &RenderPlan) -> Result<(), RenderError> {
        let Some((from, name)) = plan.route_file.as_ref().zip(plan.route.as_ref().and_then(|r| r.file.as_ref())) else {
            return Ok(());
        };
        let unreadable = |source| RenderError::Route { path: from.clone(), source };
        let bytes = fs::read(from).map_err(unreadable)?;
        self.write(name, &bytes).map(|_| ())
    }

    /// Begins the journal of an unfinished render.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn journal(&self, plan: &RenderPlan) -> Result<Journal, RenderError> {
        let folder = self.path(PARTIAL);
        fs::create_dir_all(&folder).map_err(|e| RenderError::write(&folder, e))?;
        let text = serde_json::to_string_pretty(plan).map_err(|e| RenderError::Internal(e.to_string()))?;
        write(&folder.join(PLAN), text.as_bytes())?;
        // A frame takes two lines of hashes and one of times, a PNG file two more entries, the rest a few kilobytes.
        let room = usize::try_from(plan.frames).unwrap_or(usize::MAX).saturating_mul(450).saturating_add(32 * 1024);
        write(&folder.join(RESERVE), &vec![0; room.min(64 << 20)])?;
        let path = folder.join(JOURNAL);
        let file = File::create(&path).map_err(|e| RenderError::write(&path, e))?;
        Ok(Journal { file, path })
    }

    /// Frees the space kept for what is written at the end, so that a full disk still gets its manifest.
    pub fn free_reserve(&self) {
        let _ = fs::remove_file(self.path(PARTIAL).join(RESERVE));
    }

    /// The evidence as it lies in the folder now, for the manifest: its files, the depths in order of frames, and the
    /// route. What can't be read is left out, and so counts as not there.
    pub fn evidence(&self, route: Option<&str>, depths: Option<&str>) -> Vec<evidence::File> {
        let depths = depths.unwrap_or_default();
        let folder = (!depths.is_empty()).then(|| fs::read_dir(self.path(depths)));
        let folder = folder.into_iter().flatten().flatten().flatten();
        let mut depths: Vec<String> =
            folder.filter_map(|file| Some(format!("{depths}/{}", file.file_name().to_str()?))).collect();
        depths.sort();
        let names = EVIDENCE.into_iter().chain(route).map(str::to_owned).chain(depths);
        names
            .filter_map(|name| {
                let file = File::open(self.path(&name)).ok()?;
                let bytes = file.metadata().ok()?.len();
                Some(evidence::File { path: name, bytes, sha256: Hash::of_reader(file).ok()?.to_string() })
            })
            .collect()
    }

    /// Writes [`SUMS`], over everything else: what `manifest` lists as it says, the rest as it lies there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn seal(&self, manifest: &Manifest) -> Result<(), RenderError> {
        let listed = manifest.pictures.iter().chain(&manifest.evidence).flatten();
        let listed = listed.filter_map(|file| Some((file.path.as_str(), Hash::from_hex(&file.sha256)?)));
        let video = manifest.video.iter().map(|video| (video.file.as_str(), video.sha256));
        let told = TOLD.into_iter().filter_map(|name| {
            let hash = File::open(self.path(name)).and_then(Hash::of_reader).ok().filter(|_| name != SUMS)?;
            Some((name, hash))
        });
        self.write(SUMS, sums::to_text(told.chain(video).chain(listed)).as_bytes()).map(|_| ())
    }

    /// Ends the journal: the render is whole.
    pub fn forget_partial(&self) {
        let _ = fs::remove_dir_all(self.path(PARTIAL));
    }

    /// Writes a file of the folder whole.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, RenderError> {
        let path = self.path(name);
        write(&path, bytes)?;
        Ok(path)
    }
}

impl Drop for OutFolder {
    fn drop(&mut self) {
        if self.aside.load(Ordering::Relaxed) {
            let _ = self.put_back();
        }
        let _ = fs::remove_file(self.path(LOCK));
    }
}

/// Hashes of the frames coded so far, on disk.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, hash: &Hash) -> Result<(), RenderError> {
        writeln!(self.file, "{hash}").map_err(|e| RenderError::write(&self.path, e))
    }
}

/// What a killed render left in `out`: its plan and the hashes of its frames.
///
/// # Errors
/// There is nothing to resume, or it cannot be read.
pub fn partial(out: &Path) -> Result<(RenderPlan, Vec<Hash>), RenderError> {
    let folder = out.join(PARTIAL);
    let path = folder.join(PLAN);
    let nothing = || RenderError::Internal(format!("{} holds no interrupted render", out.display()));
    let text = fs::read_to_string(&path).map_err(|_| nothing())?;
    let plan = serde_json::from_str(&text)
        .map_err(|e| RenderError::Internal(format!("{} was written by another version: {e}", path.display())))?;
    let journal = fs::read_to_string(folder.join(JOURNAL)).unwrap_or_default();
    // A torn last line is no hash and ends the list.
    Ok((plan, journal.lines().map_while(Hash::from_hex).collect()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), RenderError> {
    fs::write(path, bytes).map_err(|e| RenderError::write(path, e))
}

/// Moves a file of the output, with the folder it needs.
fn rename(from: &Path, to: &Path) -> Result<(), RenderError> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(|e| RenderError::write(folder, e))?;
    }
    fs::rename(from, to).map_err(|e| RenderError::write(to, e))
}

fn remove(path: &Path) -> Result<(), RenderError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(RenderError::write(path, e)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_render_into_the_folder_is_refused_until_the_first_ends() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("a/b");
        let first = OutFolder::open(&out).unwrap();
        assert!(matches!(OutFolder::open(&out), Err(RenderError::InUse { .. })));
        drop(first);
        assert!(OutFolder::open(&out).is_ok());
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("file");
        fs::write(&out, "x").unwrap();
        let e = OutFolder::open(&out).unwrap_err();
        assert!(e.to_string().contains("file") && e.exit_code() == 2, "{e}");
    }

    /// A folder with an earlier output and files of the user's.
    fn with_earlier(dir: &Path) -> OutFolder {
        let out = OutFolder::open(dir).unwrap();
        fs::create_dir(out.path(FRAMES)).unwrap();
        for name in ["video.mp4", "manifest.json", "notes.txt", "frames/000001.png", "frames/mine.png"] {
            fs::write(out.path(name), "old").unwrap();
        }
        out
    }

    fn text(out: &Path, name: &str) -> String {
        fs::read_to_string(out.join(name)).unwrap_or_default()
    }

    #[test]
    fn an_earlier_output_goes_when_there_is_a_picture_and_what_is_not_ours_stays() {
        let dir = tempfile::tempdir().unwrap();
        let out = with_earlier(dir.path());
        out.set_aside().unwrap();
        let left = |name| out.path(name).exists();
        assert!(!left("video.mp4") && !left("frames/000001.png") && !left("manifest.json"));
        assert!(left("notes.txt") && left("frames/mine.png"));
        fs::write(out.path("video.mp4"), "new").unwrap();
        out.replace().unwrap();
        drop(out);
        assert_eq!(text(dir.path(), "video.mp4"), "new");
        assert_eq!(text(dir.path(), "manifest.json"), "");
        assert_eq!(text(dir.path(), "frames/mine.png"), "old");
        let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names.len(), 3, "{names:?}");
    }

    #[test]
    fn an_earlier_output_outlives_a_render_without_a_picture() {
        let dir = tempfile::tempdir().unwrap();
        for (end, told) in [("kept", "new"), ("dropped", ""), ("killed", "")] {
            let at = dir.path().join(end);
            let out = with_earlier({
                fs::create_dir(&at).unwrap();
                &at
            });
            out.set_aside().unwrap();
            fs::write(out.path("manifest.json"), "new").unwrap();
            fs::write(out.path(INCOMPLETE_VIDEO), "new").unwrap();
            match end {
                "kept" => out.keep_earlier().unwrap(),
                "dropped" => drop(out),
                // Nothing runs then: the next render finds it all.
                _ => {
                    out.aside.store(false, Ordering::Relaxed);
                    drop(out);
                    let next = OutFolder::open(&at).unwrap();
                    next.set_aside().unwrap();
                    drop(next);
                }
            }
            for name in ["video.mp4", "manifest.json", "frames/000001.png", "frames/mine.png"] {
                assert_eq!(text(&at, name), "old", "{end}: {name}");
            }
            assert_eq!(text(&at, "failed/manifest.json"), told, "{end}");
            assert!(!at.join(INCOMPLETE_VIDEO).exists() && !at.join(ASIDE).exists(), "{end}");
        }
        // Without pictures there is nothing to keep.
        let out = OutFolder::open(&dir.path().join("empty")).unwrap();
        fs::write(out.path("manifest.json"), "old").unwrap();
        out.set_aside().unwrap();
        fs::write(out.path("manifest.json"), "new").unwrap();
        out.keep_earlier().unwrap();
        assert_eq!(text(&dir.path().join("empty"), "manifest.json"), "new");
        assert!(!out.path(FAILED).exists());
    }
}
