//! The output folder: made, locked against a second render, with a journal that survives a kill.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::RenderError;
use super::plan::{FRAMES, INCOMPLETE_VIDEO, RenderPlan, VIDEO};
use crate::evidence;
use crate::frame::hash::Hash;

const LOCK: &str = ".replay-lock";
const PARTIAL: &str = ".replay-partial";
const PLAN: &str = "plan.json";
const JOURNAL: &str = "frames.sha256";
const RESERVE: &str = "reserve";
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
            Ok(()) => Ok(Self { root: root.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(RenderError::InUse { path: root.to_owned() }),
            Err(TryLockError::Error(e)) => Err(RenderError::write(path, e)),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Removes what an earlier render left; other files stay.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn clear(&self) -> Result<(), RenderError> {
        for name in [VIDEO, INCOMPLETE_VIDEO, "manifest.json", "timing.json", "frames.sha256", "console.log"]
            .into_iter()
            .chain(EVIDENCE)
            .chain(MEASURED)
        {
            remove(&self.path(name))?;
        }
        let frames = self.path(FRAMES);
        for file in fs::read_dir(&frames).into_iter().flatten().flatten() {
            let name = file.file_name();
            let ours = name.to_str().and_then(|n| n.strip_suffix(".png")).is_some_and(|n| n.parse::<u64>().is_ok());
            if ours {
                remove(&file.path())?;
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
        // A frame takes two lines of hashes and one of times, the rest a few kilobytes.
        let room = usize::try_from(plan.frames).unwrap_or(usize::MAX).saturating_mul(180).saturating_add(32 * 1024);
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

    #[test]
    fn clearing_leaves_what_is_not_ours() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutFolder::open(dir.path()).unwrap();
        fs::create_dir(out.path(FRAMES)).unwrap();
        for name in ["video.mp4", "notes.txt", "frames/000001.png", "frames/mine.png"] {
            fs::write(out.path(name), "x").unwrap();
        }
        out.clear().unwrap();
        let left = |name| out.path(name).exists();
        assert!(!left("video.mp4") && !left("frames/000001.png"));
        assert!(left("notes.txt") && left("frames/mine.png"));
    }
}
