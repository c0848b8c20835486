//! The output folder: made, locked against a second render, with a journal that survives a kill.
//!
//! Where an earlier render left pictures, the new one works in the folder [`UNFINISHED`] inside and takes the place of the
//! earlier output at its end, in a few renames: neither an exception nor a kill costs a finished video.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::RenderError;
use super::depth::DEPTHS;
use super::plan::{FRAMES, INCOMPLETE_VIDEO, RenderPlan, VIDEO};
use crate::evidence::partial::PARTIAL;
pub use crate::evidence::partial::UNFINISHED;
use crate::evidence::sums::{self, SUMS};
use crate::evidence::{self, Manifest};
use crate::frame::hash::Hash;

const LOCK: &str = ".replay-lock";
const PLAN: &str = "plan.json";
const JOURNAL: &str = "frames.sha256";
const RESERVE: &str = "reserve";
const MANIFEST: &str = "manifest.json";
/// Lies in [`UNFINISHED`] once nothing of the earlier output is left: what is in its place then is new.
const MOVING: &str = ".replay-moving";
/// What every render leaves besides pictures.
const TOLD: [&str; 5] = [MANIFEST, "timing.json", "frames.sha256", "console.log", SUMS];
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
    /// Where files grow: `root`, or [`UNFINISHED`] in it.
    work: PathBuf,
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
            Ok(()) => Ok(Self { root: root.to_owned(), work: root.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(RenderError::InUse { path: root.to_owned() }),
            Err(TryLockError::Error(e)) => Err(RenderError::write(path, e)),
        }
    }

    /// Takes the file of the lock away where this is not dropped: the process ends.
    pub fn leave(&self) {
        let _ = fs::remove_file(self.root.join(LOCK));
    }

    /// Where a file of this render grows.
    pub fn path(&self, name: &str) -> PathBuf {
        self.work.join(name)
    }

    /// Where it is once the render is whole.
    pub fn final_path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Makes room for a render: beside an earlier output that has pictures, else in place of what is left of one. Files
    /// that no render writes stay.
    ///
    /// # Errors
    /// A file cannot be removed or moved, or a film lies there that no render left.
    pub fn begin(&mut self) -> Result<(), RenderError> {
        self.take_up()?;
        // Every render leaves one of these before its film has its name.
        let ours = TOLD.iter().chain([&PARTIAL]).any(|name| self.root.join(name).exists());
        if let Some(film) = film_in(&self.root).filter(|_| !ours) {
            return Err(RenderError::NotOurs { path: film });
        }
        let unfinished = self.root.join(UNFINISHED);
        each_of_ours(&unfinished, &|path, _| remove(path))?;
        let _ = fs::remove_file(unfinished.join(MOVING));
        let _ = fs::remove_dir(&unfinished);
        if has_pictures(&self.root) {
            fs::create_dir_all(&unfinished).map_err(|e| RenderError::write(&unfinished, e))?;
            self.work = unfinished;
            return Ok(());
        }
        each_of_ours(&self.root, &|path, _| remove(path))
    }

    /// A whole render may have been killed while it took the place of an earlier output: finishes that. Was it so?
    ///
    /// # Errors
    /// A file cannot be moved.
    pub fn take_up(&self) -> Result<bool, RenderError> {
        let cut_short = says_complete(&self.root.join(UNFINISHED)) == Some(true);
        if cut_short {
            self.promote()?;
        }
        Ok(cut_short)
    }

    /// The render is over: what it made takes the place of an earlier output, unless it is not whole and the earlier one is,
    /// or it has no picture.
    ///
    /// # Errors
    /// A file cannot be moved.
    pub fn end(&self, whole: bool) -> Result<(), RenderError> {
        let stays = self.work != self.root && !whole && (is_complete(&self.root) || !has_pictures(&self.work));
        if stays || self.work == self.root {
            return Ok(());
        }
        self.promote()
    }

    /// Puts what is in [`UNFINISHED`] in the place of the earlier output.
    fn promote(&self) -> Result<(), RenderError> {
        let unfinished = self.root.join(UNFINISHED);
        let moving = unfinished.join(MOVING);
        if !moving.exists() {
            each_of_ours(&self.root, &|path, _| remove(path))?;
            write(&moving, b"")?;
        }
        move_all(&unfinished, &self.root)?;
        // It moves last: while it is here, the move can be taken up again.
        let manifest = unfinished.join(MANIFEST);
        if manifest.exists() {
            rename(&manifest, &self.root.join(MANIFEST))?;
        }
        let _ = fs::remove_file(&moving);
        let _ = fs::remove_dir(&unfinished);
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
        // Resumed from another folder, it must find the same files.
        let text = serde_json::to_string_pretty(&plan.at_home()).map_err(|e| RenderError::Internal(e.to_string()))?;
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
        // Empty where the render ended before it wrote anything.
        let _ = fs::remove_dir(self.root.join(UNFINISHED));
        let _ = fs::remove_file(self.root.join(LOCK));
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

/// [`OutFolder::take_up`] for the output in `out`, if there is one.
///
/// # Errors
/// A file cannot be moved, or another render works there.
pub fn take_up(out: &Path) -> Result<bool, RenderError> {
    if !out.join(UNFINISHED).join(MANIFEST).exists() {
        return Ok(false);
    }
    OutFolder::open(out)?.take_up()
}

/// What a killed render left in `out`: its plan and the hashes of its frames.
///
/// # Errors
/// There is nothing to resume, or it cannot be read.
pub fn partial(out: &Path) -> Result<(RenderPlan, Vec<Hash>), RenderError> {
    let beside = out.join(UNFINISHED).join(PARTIAL);
    let folder = if beside.join(PLAN).exists() { beside } else { out.join(PARTIAL) };
    let path = folder.join(PLAN);
    let nothing = || match out.exists() {
        true => RenderError::Internal(format!(
            "{} holds no interrupted render: there is nothing to go on with (a failed or whole one is rendered anew)",
            out.display()
        )),
        false => RenderError::Internal(format!(
            "{} does not exist: `replay resume` takes the output folder of a render that was killed",
            out.display()
        )),
    };
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

/// Removes a file, or a folder with all it holds; what is not there is removed already.
fn remove(path: &Path) -> Result<(), RenderError> {
    let removed = if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(RenderError::write(path, e)),
        _ => Ok(()),
    }
}

/// Moves everything but the manifest from one folder into another; folders of pictures are joined.
fn move_all(from: &Path, to: &Path) -> Result<(), RenderError> {
    let entries = fs::read_dir(from).map_err(|e| RenderError::write(from, e))?;
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if name == MANIFEST || name == MOVING {
            continue;
        }
        if path.is_dir() && to.join(&name).is_dir() {
            move_all(&path, &to.join(&name))?;
            let _ = fs::remove_dir(&path);
        } else {
            rename(&path, &to.join(&name))?;
        }
    }
    Ok(())
}

/// Does `work` with every file of a render in `folder`, and its name there.
fn each_of_ours(folder: &Path, work: &dyn Fn(&Path, &str) -> Result<(), RenderError>) -> Result<(), RenderError> {
    let names = [VIDEO, INCOMPLETE_VIDEO, PARTIAL].into_iter().chain(TOLD).chain(EVIDENCE).chain(MEASURED);
    for name in names {
        let path = folder.join(name);
        if path.exists() {
            work(&path, name)?;
        }
    }
    for pictures in [FRAMES, DEPTHS] {
        let inner = folder.join(pictures);
        for file in fs::read_dir(&inner).into_iter().flatten().flatten() {
            let name = file.file_name();
            if let Some(name) = name.to_str().filter(|name| is_picture(pictures, name)) {
                work(&file.path(), &format!("{pictures}/{name}"))?;
            }
        }
        let _ = fs::remove_dir(&inner);
    }
    Ok(())
}

/// `000001.png` of the frames, `frame-000001.png` and `scale.json` of the depths.
fn is_picture(folder: &str, name: &str) -> bool {
    let number = if folder == DEPTHS { name.strip_prefix("frame-") } else { Some(name) };
    (folder == DEPTHS && name == "scale.json")
        || number.and_then(|n| n.strip_suffix(".png")).is_some_and(|n| n.parse::<u64>().is_ok())
}

/// Is there anything to look at?
fn has_pictures(folder: &Path) -> bool {
    film_in(folder).is_some()
}

/// A video, or the first picture found of a sequence.
fn film_in(folder: &Path) -> Option<PathBuf> {
    let video = [VIDEO, INCOMPLETE_VIDEO].iter().map(|name| folder.join(name)).find(|path| path.exists());
    let is_frame =
        |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(|name| is_picture(FRAMES, name));
    let frames = || fs::read_dir(folder.join(FRAMES)).into_iter().flatten().flatten();
    video.or_else(|| frames().map(|file| file.path()).filter(is_frame).min())
}

/// Is the output whole? A manifest says so; what has none but a video by its final name counts.
fn is_complete(folder: &Path) -> bool {
    match says_complete(folder) {
        Some(complete) => complete && has_pictures(folder),
        None => folder.join(VIDEO).exists(),
    }
}

/// What the manifest in `folder` says, if there is one.
fn says_complete(folder: &Path) -> Option<bool> {
    let told = fs::read(folder.join(MANIFEST)).ok();
    let told = told.and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
    told.and_then(|manifest| manifest.get("complete")?.as_bool())
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
    fn a_film_of_somebody_else_is_not_replaced() {
        for name in [VIDEO, "frames/000000.png"] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "mine").unwrap();
            let e = OutFolder::open(dir.path()).unwrap().begin().unwrap_err();
            assert!(e.to_string().contains(name) && e.exit_code() == 2, "{e}");
            assert_eq!(text(dir.path(), name), "mine");
        }
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
    fn with_earlier(dir: &Path, complete: bool) -> OutFolder {
        let mut out = OutFolder::open(dir).unwrap();
        fs::create_dir_all(out.path(FRAMES)).unwrap();
        for name in ["notes.txt", "frames/000001.png", "frames/mine.png", "clearance.jsonl"] {
            fs::write(out.path(name), "old").unwrap();
        }
        fs::write(out.path(if complete { VIDEO } else { INCOMPLETE_VIDEO }), "old").unwrap();
        fs::write(out.path(MANIFEST), format!("{{\"complete\": {complete}, \"old\": 1}}")).unwrap();
        out.begin().unwrap();
        out
    }

    /// What a render writes that ends so.
    fn film(out: &OutFolder, name: &str, complete: bool) {
        fs::write(out.path(name), "new").unwrap();
        fs::write(out.path("console.log"), "new").unwrap();
        fs::write(out.path(MANIFEST), format!("{{\"complete\": {complete}}}")).unwrap();
    }

    fn text(out: &Path, name: &str) -> String {
        fs::read_to_string(out.join(name)).unwrap_or_default()
    }

    #[test]
    fn a_whole_render_takes_the_place_of_an_earlier_one_and_what_is_not_ours_stays() {
        let dir = tempfile::tempdir().unwrap();
        let out = with_earlier(dir.path(), true);
        film(&out, VIDEO, true);
        assert_eq!(text(dir.path(), VIDEO), "old");
        out.end(true).unwrap();
        drop(out);
        assert_eq!(
            (text(dir.path(), VIDEO), text(dir.path(), MANIFEST)),
            ("new".into(), "{\"complete\": true}".into())
        );
        assert_eq!((text(dir.path(), "frames/mine.png"), text(dir.path(), "notes.txt")), ("old".into(), "old".into()));
        let mut names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["console.log", "frames", MANIFEST, "notes.txt", VIDEO]);
        assert!(!dir.path().join("frames/000001.png").exists());
    }

    #[test]
    fn a_whole_output_outlives_a_render_that_fails_or_is_killed() {
        let dir = tempfile::tempdir().unwrap();
        for end in ["failed", "killed", "nothing"] {
            let at = dir.path().join(end);
            let out = with_earlier(&at, true);
            if end != "nothing" {
                film(&out, INCOMPLETE_VIDEO, false);
            }
            if end == "failed" {
                out.end(false).unwrap();
            }
            // Nothing else runs when a render is killed.
            drop(out);
            for name in [VIDEO, "frames/000001.png", "frames/mine.png", "clearance.jsonl"] {
                assert_eq!(text(&at, name), "old", "{end}: {name}");
            }
            assert!(text(&at, MANIFEST).contains("old"), "{end}");
            let kept = if end == "nothing" { "" } else { "new" };
            assert_eq!(text(&at, "unfinished/video.incomplete.mp4"), kept, "{end}");
            assert_eq!(at.join(UNFINISHED).exists(), end != "nothing", "{end}");
            // The next one begins anew.
            let mut next = OutFolder::open(&at).unwrap();
            next.begin().unwrap();
            assert!(!at.join("unfinished/video.incomplete.mp4").exists() && text(&at, VIDEO) == "old");
        }
    }

    #[test]
    fn an_unfinished_output_makes_way_for_one_with_pictures() {
        let dir = tempfile::tempdir().unwrap();
        let out = with_earlier(dir.path(), false);
        fs::write(out.path(MANIFEST), "{\"complete\": false}").unwrap();
        out.end(false).unwrap();
        assert_eq!(text(dir.path(), INCOMPLETE_VIDEO), "old");
        drop(out);
        let out = with_earlier(dir.path(), false);
        film(&out, INCOMPLETE_VIDEO, false);
        out.end(false).unwrap();
        assert_eq!((text(dir.path(), INCOMPLETE_VIDEO), text(dir.path(), "console.log")), ("new".into(), "new".into()));
        assert!(!dir.path().join(UNFINISHED).exists() && !dir.path().join("clearance.jsonl").exists());
    }

    #[test]
    fn a_move_that_was_cut_short_is_taken_up_again() {
        let dir = tempfile::tempdir().unwrap();
        let out = with_earlier(dir.path(), true);
        film(&out, VIDEO, true);
        // Killed among the renames, when nothing of the earlier one was left.
        for name in [VIDEO, "console.log"] {
            fs::rename(out.path(name), out.final_path(name)).unwrap();
        }
        fs::write(out.path(MOVING), "").unwrap();
        drop(out);
        let mut next = OutFolder::open(dir.path()).unwrap();
        next.begin().unwrap();
        assert_eq!(text(dir.path(), VIDEO), "new");
    }

    #[test]
    fn a_sequence_whose_move_was_cut_short_is_ours_and_is_taken_up() {
        let dir = tempfile::tempdir().unwrap();
        // Killed while the earlier pictures went, or after the last new one had come.
        for moved in [false, true] {
            let root = dir.path().join(moved.to_string());
            let at = |name: &str| root.join(if moved { name.to_owned() } else { format!("unfinished/{name}") });
            fs::create_dir_all(root.join("unfinished/frames")).unwrap();
            fs::create_dir_all(root.join(FRAMES)).unwrap();
            if !moved {
                fs::write(root.join("frames/000009.png"), "old").unwrap();
            }
            fs::write(at("frames/000000.png"), "new").unwrap();
            if moved {
                fs::write(root.join("unfinished").join(MOVING), "").unwrap();
            }
            fs::write(root.join("unfinished/manifest.json"), "{\"complete\": true}").unwrap();
            let out = OutFolder::open(&root).unwrap();
            assert!(out.take_up().unwrap());
            assert!(!out.take_up().unwrap());
            assert_eq!(text(&root, "frames/000000.png"), "new");
            assert!(root.join(MANIFEST).exists() && !root.join("frames/000009.png").exists());
            assert!(!root.join(UNFINISHED).exists());
        }
    }
}
