//! Texture objects: levels as script defined them, and the image behind them.
//!
//! Levels of a mutable texture may be defined in any order and shape. They wait as bytes (or zero) until something
//! needs the GPU image (`settle`): then the longest run of matching levels around the base level becomes one image;
//! levels that do not match get images of their own if they are drawn to. `texStorage` makes the image at once.

use crate::gl::command::{Aspect, Command, ImageDimension, ImageId, ImageRegion, ImageView, SamplerDesc};
use crate::gl::enums::TextureTarget;
use crate::gl::formats::FormatInfo;
use crate::gl::images::sink::{ImageSink, Pixels};
use crate::gl::images::waiting::Held;
use crate::gl::objects::sampler::SamplingParameters;

/// Where the texels of a level are.
#[derive(Debug)]
enum Home {
    /// Nowhere yet; counted as long as they wait.
    Staged { pixels: Pixels, _held: Held },
    /// In the texture's image.
    Main,
    /// In an image of its own: one level, one layer (or all slices of a 3D or array level).
    Own(ImageId),
}

/// One face of one level.
#[derive(Debug)]
pub struct Level {
    pub info: &'static FormatInfo,
    pub size: [u32; 3],
    home: Home,
}

/// The image that holds the run of matching levels.
#[derive(Clone, Copy, Debug)]
struct MainImage {
    id: ImageId,
    info: &'static FormatInfo,
    /// GL level stored as the image's level 0, and that level's size.
    first: u32,
    size: [u32; 3],
    levels: u32,
}

/// Where a level lives on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub image: ImageId,
    pub level: u32,
    /// Layer of the face; 0 if the texture is no cube map.
    pub layer: u32,
}

/// What a sampler of a draw sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolved {
    pub view: ImageView,
    /// Levels that `texelFetch` and `textureSize` may name, though no filter of the sampler reads them.
    pub fetch_levels: u32,
    pub sampler: SamplerDesc,
}

#[derive(Debug)]
pub struct Texture {
    /// Fixed by the first bind.
    pub target: Option<TextureTarget>,
    pub parameters: SamplingParameters,
    /// As given; see `base` and `max`.
    pub base_level: u32,
    pub max_level: u32,
    /// Levels of `texStorage`; `None`: mutable.
    pub immutable_levels: Option<u32>,
    /// Level-major, then face.
    levels: Vec<Option<Level>>,
    main: Option<MainImage>,
    /// Levels and image agree.
    settled: bool,
    /// Goes up when a level or a parameter changes.
    pub version: u64,
    /// Answer for the texture's own parameters, at this version; by whether the shader compares.
    pub(crate) resolved: Option<(u64, bool, Option<Resolved>)>,
    /// Framebuffer attachment points that hold it.
    pub refs: u32,
    pub deleted: bool,
}

impl Default for Texture {
    fn default() -> Self {
        Self {
            target: None,
            parameters: SamplingParameters::default(),
            base_level: 0,
            max_level: 1000,
            immutable_levels: None,
            levels: Vec::new(),
            main: None,
            settled: true,
            version: 0,
            resolved: None,
            refs: 0,
            deleted: false,
        }
    }
}

/// Size of the next smaller level.
pub fn next_level_size(size: [u32; 3], volume: bool) -> [u32; 3] {
    [(size[0] / 2).max(1), (size[1] / 2).max(1), if volume { (size[2] / 2).max(1) } else { size[2] }]
}

/// Levels of a full mipmap chain that starts with `size`.
pub fn full_chain(size: [u32; 3], volume: bool) -> u32 {
    let longest = size[0].max(size[1]).max(if volume { size[2] } else { 1 });
    32 - longest.max(1).leading_zeros()
}

impl Texture {
    fn faces(&self) -> usize {
        if self.target == Some(TextureTarget::Cube) { 6 } else { 1 }
    }

    fn is_volume(&self) -> bool {
        self.target == Some(TextureTarget::D3)
    }

    pub fn dimension(&self) -> ImageDimension {
        match self.target {
            Some(TextureTarget::Cube) => ImageDimension::Cube,
            Some(TextureTarget::D3) => ImageDimension::D3,
            Some(TextureTarget::D2Array) => ImageDimension::D2Array,
            _ => ImageDimension::D2,
        }
    }

    /// Level `level` of `face` (0 unless a cube map), if defined.
    pub fn level(&self, level: u32, face: u32) -> Option<&Level> {
        self.levels.get(level as usize * self.faces() + face as usize)?.as_ref()
    }

    fn slot(&mut self, level: u32, face: u32) -> Option<&mut Level> {
        let index = level as usize * self.faces() + face as usize;
        self.levels.get_mut(index)?.as_mut()
    }

    fn level_count(&self) -> u32 {
        (self.levels.len() / self.faces()) as u32
    }

    /// Level base of ES 3.0 §3.8.10.
    pub fn base(&self) -> u32 {
        match self.immutable_levels {
            Some(levels) => self.base_level.min(levels - 1),
            None => self.base_level,
        }
    }

    /// Level max, clamped for immutable textures.
    pub fn max(&self) -> u32 {
        match self.immutable_levels {
            Some(levels) => self.max_level.clamp(self.base(), levels - 1),
            None => self.max_level,
        }
    }

    /// A parameter has changed.
    pub fn touch(&mut self) {
        self.version += 1;
    }

    /// The level range has changed: another run of levels may want the image.
    pub fn reconsider(&mut self) {
        if self.immutable_levels.is_none() {
            self.settled = false;
        }
    }

    fn redefined(&mut self, sink: &mut ImageSink<'_>) {
        self.version += 1;
        self.settled = false;
        sink.store.epoch += 1;
    }

    /// (Re)defines one face of a level. If the texel shape stays, the new contents go straight into the image.
    pub fn define(
        &mut self,
        sink: &mut ImageSink<'_>,
        level: u32,
        face: u32,
        info: &'static FormatInfo,
        size: [u32; 3],
        pixels: Pixels,
    ) {
        if let Some(place) = self.place_for_overwrite(level, face, info, size) {
            let region = whole(place, size);
            sink.fill(place.image, info, region, &pixels);
            return;
        }
        self.discard(sink, level, face);
        let index = level as usize * self.faces() + face as usize;
        if self.levels.len() <= index {
            let faces = self.faces();
            self.levels.resize_with((level as usize + 1) * faces, || None);
        }
        let held = sink.store.waiting.hold(pixels.bytes());
        self.levels[index] = Some(Level { info, size, home: Home::Staged { pixels, _held: held } });
        self.redefined(sink);
        // The GPU's memory has a limit: what waits must not escape it.
        if sink.store.waiting.is_too_much() {
            self.place(sink, level, face);
        }
    }

    /// The place of a level that already has this shape in the texture's image: uploads may write straight to it.
    pub fn place_for_overwrite(
        &self,
        level: u32,
        face: u32,
        info: &'static FormatInfo,
        size: [u32; 3],
    ) -> Option<Place> {
        let main = self.main?;
        let found = self.level(level, face)?;
        (matches!(found.home, Home::Main) && found.info == info && found.size == size && !size.contains(&0)).then_some(
            Place { image: main.id, level: level - main.first, layer: if self.faces() == 6 { face } else { 0 } },
        )
    }

    /// Forgets a level; drops its own image.
    fn discard(&mut self, sink: &mut ImageSink<'_>, level: u32, face: u32) {
        let index = level as usize * self.faces() + face as usize;
        if let Some(old) = self.levels.get_mut(index).and_then(Option::take)
            && let Home::Own(id) = old.home
        {
            sink.delete(id);
        }
    }

    /// `texStorage*`: all levels at once, for good.
    pub fn define_storage(&mut self, sink: &mut ImageSink<'_>, levels: u32, info: &'static FormatInfo, size: [u32; 3]) {
        self.drop_images(sink);
        self.levels.clear();
        let (faces, volume) = (self.faces(), self.is_volume());
        let id = sink.create(info, self.dimension(), size, levels, 1);
        let mut level_size = size;
        for level in 0..levels {
            for _ in 0..faces {
                self.levels.push(Some(Level { info, size: level_size, home: Home::Main }));
            }
            let layers = if faces == 6 { 6 } else { level_size[2] };
            let region = ImageRegion {
                level,
                origin: [0; 3],
                extent: [level_size[0], level_size[1], layers],
                aspect: Aspect::All,
            };
            sink.fill_fresh(id, info, region, &Pixels::Zero);
            level_size = next_level_size(level_size, volume);
        }
        self.main = Some(MainImage { id, info, first: 0, size, levels });
        self.immutable_levels = Some(levels);
        self.redefined(sink);
        self.settled = true;
    }

    /// Are all faces of `level` defined alike, square for cubes, not empty?
    fn level_is_whole(&self, level: u32) -> Option<(&'static FormatInfo, [u32; 3])> {
        let first = self.level(level, 0)?;
        if first.size.contains(&0) {
            return None;
        }
        if self.faces() == 6 {
            if first.size[0] != first.size[1] {
                return None;
            }
            for face in 1..6 {
                let other = self.level(level, face)?;
                if other.info != first.info || other.size != first.size {
                    return None;
                }
            }
        }
        Some((first.info, first.size))
    }

    /// The run of levels around the base level that fit one image: first level, its size, count.
    fn run(&self) -> Option<(u32, [u32; 3], u32)> {
        let base = self.base();
        let (info, base_size) = self.level_is_whole(base)?;
        let volume = self.is_volume();
        let (mut first, mut first_size) = (base, base_size);
        while first > 0 {
            match self.level_is_whole(first - 1) {
                Some((other, size)) if other == info && next_level_size(size, volume) == first_size => {
                    first -= 1;
                    first_size = size;
                }
                _ => break,
            }
        }
        let (mut last, mut size) = (base, base_size);
        // A level after the 1 × 1 one matches nothing.
        while size != next_level_size(size, volume) {
            size = next_level_size(size, volume);
            match self.level_is_whole(last + 1) {
                Some((other, found)) if other == info && found == size => last += 1,
                _ => break,
            }
        }
        Some((first, first_size, last - first + 1))
    }

    /// Brings levels and image into agreement.
    pub fn settle(&mut self, sink: &mut ImageSink<'_>) {
        if self.settled {
            return;
        }
        self.settled = true;
        let Some((first, size, levels)) = self.run() else { return self.evacuate(sink, 0..0) };
        let Some(info) = self.level(first, 0).map(|level| level.info) else { return };
        let fits = self
            .main
            .is_some_and(|main| main.info == info && main.first == first && main.size == size && main.levels == levels);
        let faces = self.faces();
        let old = self.main;
        let id = if fits && let Some(main) = old {
            main.id
        } else {
            self.evacuate(sink, first..first + levels);
            let id = sink.create(info, self.dimension(), size, levels, 1);
            self.main = Some(MainImage { id, info, first, size, levels });
            id
        };
        for level in first..first + levels {
            for face in 0..faces as u32 {
                let Some(slot) = self.slot(level, face) else { continue };
                let place = Place { image: id, level: level - first, layer: if faces == 6 { face } else { 0 } };
                let region = whole(place, slot.size);
                match std::mem::replace(&mut slot.home, Home::Main) {
                    Home::Staged { pixels, .. } => sink.fill_fresh(id, info, region, &pixels),
                    Home::Own(own) => {
                        copy_whole(sink, own, 0, 0, id, region);
                        sink.delete(own);
                    }
                    Home::Main if fits => {}
                    Home::Main => {
                        if let Some(old) = old {
                            copy_whole(sink, old.id, level - old.first, region.origin[2], id, region);
                        }
                    }
                }
            }
        }
        if !fits && let Some(old) = old {
            sink.delete(old.id);
        }
        sink.store.epoch += 1;
        self.version += 1;
    }

    /// Gives levels of the present image that lie outside `keep` images of their own; if nothing is kept, the image
    /// goes.
    fn evacuate(&mut self, sink: &mut ImageSink<'_>, keep: std::ops::Range<u32>) {
        let Some(main) = self.main else { return };
        let dimension = self.own_dimension();
        let faces = self.faces() as u32;
        for level in 0..self.level_count() {
            if keep.contains(&level) {
                continue;
            }
            for face in 0..faces {
                let Some(slot) = self.slot(level, face) else { continue };
                if !matches!(slot.home, Home::Main) {
                    continue;
                }
                let (info, size) = (slot.info, slot.size);
                let own = sink.create(info, dimension, size, 1, 1);
                let region = whole(Place { image: own, level: 0, layer: 0 }, size);
                copy_whole(sink, main.id, level - main.first, if faces == 6 { face } else { 0 }, own, region);
                slot.home = Home::Own(own);
            }
        }
        if keep.is_empty() {
            sink.delete(main.id);
            self.main = None;
        }
    }

    fn own_dimension(&self) -> ImageDimension {
        match self.dimension() {
            ImageDimension::Cube => ImageDimension::D2,
            other => other,
        }
    }

    /// Where a defined level lives on the GPU, making an image if need be; `None` if undefined or empty.
    pub fn place(&mut self, sink: &mut ImageSink<'_>, level: u32, face: u32) -> Option<Place> {
        self.settle(sink);
        let dimension = self.own_dimension();
        let faces = self.faces();
        let main = self.main;
        let slot = self.slot(level, face)?;
        if slot.size.contains(&0) {
            return None;
        }
        match &slot.home {
            Home::Main => {
                let main = main?;
                Some(Place { image: main.id, level: level - main.first, layer: if faces == 6 { face } else { 0 } })
            }
            Home::Own(own) => Some(Place { image: *own, level: 0, layer: 0 }),
            Home::Staged { .. } => {
                let own = sink.create(slot.info, dimension, slot.size, 1, 1);
                let place = Place { image: own, level: 0, layer: 0 };
                if let Home::Staged { pixels, .. } = std::mem::replace(&mut slot.home, Home::Own(own)) {
                    sink.fill_fresh(own, slot.info, whole(place, slot.size), &pixels);
                }
                sink.store.epoch += 1;
                Some(place)
            }
        }
    }

    /// `generateMipmap` has passed validation: defines the missing levels and fills all after the base.
    pub fn generate_mipmaps(&mut self, sink: &mut ImageSink<'_>) {
        let base = self.base();
        let volume = self.is_volume();
        let Some((info, size)) = self.level_is_whole(base) else { return };
        let last = (base + full_chain(size, volume) - 1).min(self.max());
        let mut level_size = size;
        for level in base + 1..=last {
            level_size = next_level_size(level_size, volume);
            for face in 0..self.faces() as u32 {
                let same = self.level(level, face).is_some_and(|old| old.info == info && old.size == level_size);
                if !same {
                    self.define(sink, level, face, info, level_size, Pixels::Zero);
                }
            }
        }
        self.settle(sink);
        if let Some(main) = self.main
            && last > base
        {
            sink.stream.commands.push(Command::GenerateMipmaps {
                id: main.id,
                base_level: base - main.first,
                last_level: last - main.first,
            });
        }
    }

    /// Is level base (all faces) defined and fit to sample without mipmaps?
    pub fn is_base_complete(&self) -> bool {
        self.level_is_whole(self.base()).is_some()
    }

    /// Row of the base level.
    pub fn base_info(&self) -> Option<&'static FormatInfo> {
        Some(self.level(self.base(), 0)?.info)
    }

    pub fn base_size(&self) -> Option<[u32; 3]> {
        Some(self.level(self.base(), 0)?.size)
    }

    /// Levels base..=q of a mipmap complete texture (ES 3.0 §3.8.13), as a count; `None` if it is not complete.
    pub fn mipmap_levels(&self) -> Option<u32> {
        let base = self.base();
        if base > self.max() {
            return None;
        }
        let (first, _, count) = self.run()?;
        let last = (base + full_chain(self.base_size()?, self.is_volume()) - 1).min(self.max());
        (first + count > last).then_some(last - base + 1)
    }

    /// The view of `levels` levels from the base, after `settle`.
    pub fn view(&self, levels: u32) -> Option<ImageView> {
        let main = self.main?;
        let aspect = if main.info.has_depth() { Aspect::Depth } else { Aspect::All };
        Some(ImageView {
            image: main.id,
            dimension: self.dimension(),
            base_level: self.base().checked_sub(main.first)?,
            levels,
            aspect,
        })
    }

    /// Deletes every image of the texture.
    pub fn drop_images(&mut self, sink: &mut ImageSink<'_>) {
        if let Some(main) = self.main.take() {
            sink.delete(main.id);
        }
        for level in self.levels.iter_mut().flatten() {
            if let Home::Own(id) = level.home {
                sink.delete(id);
            }
            level.home = Home::Staged { pixels: Pixels::Zero, _held: Held::default() };
        }
    }
}

/// The whole of a level at its place; for cubes, one face.
pub fn whole(place: Place, size: [u32; 3]) -> ImageRegion {
    ImageRegion { level: place.level, origin: [0, 0, place.layer], extent: size, aspect: Aspect::All }
}

fn copy_whole(sink: &mut ImageSink<'_>, src: ImageId, level: u32, layer: u32, dst: ImageId, region: ImageRegion) {
    let src_region = ImageRegion { level, origin: [0, 0, layer], ..region };
    sink.stream.commands.push(Command::CopyImage { src, src_region, dst, dst_region: region });
}
