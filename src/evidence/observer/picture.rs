//! A presented picture, followed back to the shots behind it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::images::Share;
use super::shot::{Shot, ShotKey};
use super::{OLDEST, Observer, Work};
use crate::gl::command::{ImageId, ImageRegion};

/// What is behind a presented picture.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    pub frame: u64,
    /// Its shots: those of the frame itself, and if they are flat, those of the newest frame that drew others.
    pub parts: Vec<Part>,
    /// Whether a draw of this frame is behind it.
    pub fresh: bool,
    /// Everything that was drawn for the frame, behind the picture or not.
    pub all: Work,
    pub alive: Alive,
}

/// What exists at the end of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alive {
    pub programs: u32,
    pub textures: u32,
    pub texture_bytes: u64,
    pub buffers: u32,
    pub buffer_bytes: u64,
}

/// What the contexts that are not filmed drew in a frame, each by itself, and what a frame of the film was made from.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Of the filmed context; `None` if the filmed canvas is none of WebGL's, or nothing was presented.
    pub picture: Option<Picture>,
    pub off_film: Vec<OffFilm>,
}

/// A context that is not filmed, in one frame.
#[derive(Clone, Debug, Default)]
pub struct OffFilm {
    /// What it drew.
    pub all: Work,
    /// What was behind its pixels when they were last read as a whole: as a 2D canvas does that draws the canvas onto itself.
    pub read: Option<Picture>,
}

/// A shot's part of the picture.
#[derive(Clone, Debug)]
pub struct Part {
    pub shot: Shot,
    /// Left, bottom, right, top, in parts of the picture; through passes, of the image that was passed on.
    pub region: [f32; 4],
    /// Most of the picture's pixels that can be of it, 0 to 1.
    pub share: f64,
    pub hops: u32,
    /// Only into targets without colour.
    pub shadow: bool,
}

/// Resolved shares of flat shots, while a picture is followed.
type Memo = FxHashMap<ShotKey, Vec<Share>>;

impl Observer {
    pub(super) fn present(&mut self, image: ImageId, frame: u64) {
        let mut memo = Memo::default();
        let picture = self.picture(image, frame, &mut memo);
        let all = std::mem::take(&mut self.all);
        self.pictures.push(Picture { all, ..picture });
        self.settle(&mut memo);
    }

    /// Pixels of an image are read; what counts is an image as a whole.
    pub fn read(&mut self, image: ImageId, region: &ImageRegion) {
        let whole = |[width, height]: [u32; 2]| region.level == 0 && region.extent == [width, height, 1];
        if !self.images.size(image).is_some_and(whole) {
            return;
        }
        let picture = self.picture(image, 0, &mut Memo::default());
        if !picture.parts.is_empty() {
            self.read = Some(picture);
        }
    }

    /// Ends a frame that is not presented.
    pub fn leave(&mut self, frame: u64) -> OffFilm {
        let all = std::mem::take(&mut self.all);
        let read = self.read.take().map(|picture| Picture { frame, all, ..picture });
        self.settle(&mut Memo::default());
        OffFilm { all, read }
    }

    /// What is behind an image now.
    fn picture(&self, image: ImageId, frame: u64, memo: &mut Memo) -> Picture {
        let content = self.images.content(image).map(|(_, content)| content.to_vec()).unwrap_or_default();
        let found = resolve(&content, self, memo, &mut FxHashSet::default());
        let flat = |share: &&Share| self.shot(&share.shot).is_none_or(Shot::is_flat);
        let newest = found.iter().filter(|share| !share.shadow && !flat(share)).map(|share| share.frame).max();
        let newest = newest.or(found.iter().map(|share| share.frame).max());
        let wanted = |share: &&Share| Some(share.frame) == newest || share.frame == self.frame;
        let [width, height] = self.images.size(image).unwrap_or([1, 1]);
        let pixels = f64::from(width) * f64::from(height);
        let mut parts: Vec<Part> = Vec::new();
        for share in found.iter().filter(wanted) {
            let Some(shot) = self.shot(&share.shot) else { continue };
            let part = Part {
                shot: shot.plain(),
                region: share.region,
                share: (share.pixels / pixels).min(1.0),
                hops: share.hops,
                shadow: share.shadow,
            };
            parts.push(part);
        }
        parts.sort_by_key(|part| (part.shot.key, part.hops));
        let alive = Alive {
            programs: count(self.programs.len()),
            textures: count(self.images.len()),
            texture_bytes: self.images.bytes,
            buffers: count(self.blocks.len()),
            buffer_bytes: self.blocks.bytes,
        };
        let fresh = found.iter().any(|share| share.frame == self.frame);
        Picture { frame, parts, fresh, all: self.all, alive }
    }

    /// Ends the frame: images say what they hold without the frame's passes, and its shots become old ones.
    fn settle(&mut self, memo: &mut Memo) {
        let mut images = std::mem::take(&mut self.images);
        let limit = self.frame.saturating_sub(OLDEST);
        images.settle(|content| {
            let mut found = resolve(content, self, memo, &mut FxHashSet::default());
            found.retain(|share| share.frame >= limit);
            found
        });
        let held: FxHashSet<ShotKey> = images.held().collect();
        self.images = images;
        self.old.retain(|key, _| held.contains(key));
        for mut shot in self.shots.drain(..) {
            if held.contains(&shot.key) {
                // A shot of draws without a call has the same key in each frame: the newer one stays.
                shot.age();
                self.old.insert(shot.key, shot);
            }
        }
        self.index.clear();
        self.read = None;
        self.open = None;
        self.sampling = true;
        self.frame += 1;
    }

    fn shot(&self, key: &ShotKey) -> Option<&Shot> {
        match self.index.get(key).and_then(|at| self.shots.get(*at)) {
            Some(shot) => Some(shot),
            None => self.old.get(key),
        }
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Shares kept of one image or picture.
const MOST: usize = 64;

/// Follows shares through the flat shots of the present frame. Flat shots stay in the list beside what they show.
fn resolve(content: &[Share], observer: &Observer, memo: &mut Memo, under_way: &mut FxHashSet<ShotKey>) -> Vec<Share> {
    let mut found: Vec<Share> = Vec::new();
    for share in content {
        merge(&mut found, *share);
        let Some(shot) = observer.index.get(&share.shot).and_then(|at| observer.shots.get(*at)) else { continue };
        if shot.inputs.is_empty() || !shot.is_flat() {
            continue;
        }
        if !memo.contains_key(&share.shot) {
            // A shot that samples what it drew (ping-pong within one call) shows nothing new.
            if !under_way.insert(share.shot) {
                continue;
            }
            let mut shown: Vec<Share> = Vec::new();
            for (_, _, input) in &shot.inputs {
                for inner in resolve(input, observer, memo, under_way) {
                    merge(&mut shown, Share { hops: inner.hops + 1, ..inner });
                }
            }
            under_way.remove(&share.shot);
            memo.insert(share.shot, shown);
        }
        for inner in memo.get(&share.shot).into_iter().flatten() {
            merge(&mut found, Share { pixels: inner.pixels.min(share.pixels), ..*inner });
        }
    }
    if found.len() > MOST {
        found
            .sort_by(|a, b| (b.frame, b.pixels).partial_cmp(&(a.frame, a.pixels)).unwrap_or(std::cmp::Ordering::Equal));
        found.truncate(MOST);
    }
    found
}

/// One share a shot and region: the largest, by the shortest way.
fn merge(found: &mut Vec<Share>, share: Share) {
    match found.iter_mut().find(|s| s.shot == share.shot && s.region == share.region && s.shadow == share.shadow) {
        Some(known) => {
            known.pixels = known.pixels.max(share.pixels);
            known.hops = known.hops.min(share.hops);
            known.frame = known.frame.max(share.frame);
        }
        None => found.push(share),
    }
}
