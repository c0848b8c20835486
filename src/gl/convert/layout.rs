//! Where pixels lie in client memory: ES 3.0 §3.7.2 and §4.3.2.

use crate::gl::error::{GlError, GlResult};

/// A box of pixels in memory. All sizes in bytes unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLayout {
    /// Pixels.
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    pub pixel_size: u32,
    /// From the start of memory to the first pixel (skips applied).
    pub offset: usize,
    pub row_stride: usize,
    pub image_stride: usize,
}

/// The pixel-store parameters of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// 1, 2, 4 or 8.
    pub alignment: u32,
    /// Pixels; 0 = width.
    pub row_length: u32,
    /// Rows; 0 = height.
    pub image_height: u32,
    pub skip_pixels: u32,
    pub skip_rows: u32,
    pub skip_images: u32,
}

impl Default for Store {
    fn default() -> Self {
        Self { alignment: 4, row_length: 0, image_height: 0, skip_pixels: 0, skip_rows: 0, skip_images: 0 }
    }
}

impl MemoryLayout {
    /// Layout of a `size` box under `store`. `volume`: image height and skipped images count (3D calls only).
    ///
    /// Errors: INVALID_OPERATION if the sizes do not fit the address space, or if skipped and read pixels do not fit
    /// a row, or skipped and read rows of a volume an image (WebGL 2 §3.7.6, "pixel store parameter constraints").
    pub fn new(store: &Store, size: [u32; 3], pixel_size: u32, volume: bool) -> GlResult<Self> {
        let overflow = || GlError::invalid_operation("the image does not fit the address space");
        let [width, height, depth] = size;
        let row_pixels = if store.row_length > 0 { store.row_length } else { width };
        if u64::from(store.skip_pixels) + u64::from(width) > u64::from(row_pixels) {
            return Err(GlError::invalid_operation("SKIP_PIXELS + width exceeds ROW_LENGTH (the width where it is 0)"));
        }
        let rows = if volume && store.image_height > 0 { store.image_height } else { height };
        if volume && u64::from(store.skip_rows) + u64::from(height) > u64::from(rows) {
            return Err(GlError::invalid_operation(
                "SKIP_ROWS + height exceeds IMAGE_HEIGHT (the height where it is 0)",
            ));
        }
        let row_stride = u64::from(row_pixels)
            .checked_mul(u64::from(pixel_size))
            .and_then(|bytes| bytes.checked_next_multiple_of(u64::from(store.alignment)))
            .ok_or_else(overflow)?;
        let image_stride = row_stride.checked_mul(u64::from(rows)).ok_or_else(overflow)?;
        let skip_images = if volume { u64::from(store.skip_images) } else { 0 };
        let offset = image_stride
            .checked_mul(skip_images)
            .and_then(|bytes| bytes.checked_add(row_stride.checked_mul(u64::from(store.skip_rows))?))
            .and_then(|bytes| bytes.checked_add(u64::from(store.skip_pixels) * u64::from(pixel_size)))
            .ok_or_else(overflow)?;
        let layout = Self {
            width,
            height,
            depth,
            pixel_size,
            offset: usize::try_from(offset).map_err(|_| overflow())?,
            row_stride: usize::try_from(row_stride).map_err(|_| overflow())?,
            image_stride: usize::try_from(image_stride).map_err(|_| overflow())?,
        };
        layout.end().ok_or_else(overflow)?;
        Ok(layout)
    }

    /// The same box one after another without gaps.
    pub fn tight(size: [u32; 3], pixel_size: u32) -> GlResult<Self> {
        Self::new(&Store { alignment: 1, ..Store::default() }, size, pixel_size, true)
    }

    /// The layout as seen `bytes` further on in memory (an offset into a buffer object).
    pub fn shifted(mut self, bytes: usize) -> GlResult<Self> {
        self.offset = self
            .offset
            .checked_add(bytes)
            .filter(|offset| *offset <= isize::MAX as usize)
            .ok_or_else(|| GlError::invalid_operation("the offset does not fit the address space"))?;
        self.end().ok_or_else(|| GlError::invalid_operation("the image does not fit the address space"))?;
        Ok(self)
    }

    fn end(&self) -> Option<usize> {
        if self.width == 0 || self.height == 0 || self.depth == 0 {
            return Some(0);
        }
        let last = self
            .image_stride
            .checked_mul(self.depth as usize - 1)?
            .checked_add(self.row_stride.checked_mul(self.height as usize - 1)?)?;
        self.offset.checked_add(last)?.checked_add((self.width as usize).checked_mul(self.pixel_size as usize)?)
    }

    /// Bytes of memory the box needs; 0 if it is empty. The last row is not padded.
    pub fn required_bytes(&self) -> usize {
        self.end().unwrap_or(usize::MAX)
    }

    /// Are the rows one after another without gaps?
    pub fn is_tight(&self) -> bool {
        let row = self.width as usize * self.pixel_size as usize;
        (self.row_stride == row || (self.height <= 1 && self.depth <= 1))
            && (self.depth <= 1 || self.image_stride == row * self.height as usize)
    }

    /// Offset of row `y` of image `z`.
    pub fn row_offset(&self, y: usize, z: usize) -> usize {
        self.offset + z * self.image_stride + y * self.row_stride
    }

    /// The pixels of row `y` of image `z`; `None` if `memory` is too short.
    pub fn row<'a>(&self, memory: &'a [u8], y: usize, z: usize) -> Option<&'a [u8]> {
        let start = self.row_offset(y, z);
        memory.get(start..start + self.width as usize * self.pixel_size as usize)
    }
}
