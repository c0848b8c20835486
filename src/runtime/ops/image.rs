//! Decoded pictures: what `Image`, `ImageBitmap` and canvas snapshots hold.

use std::sync::Arc;

use deno_core::{GarbageCollected, op2, v8};
use deno_error::JsErrorBox;

/// RGBA8, row 0 = top, not premultiplied, tightly packed; shared, never changed.
#[derive(Clone, Debug)]
pub struct Bitmap {
    pub width: u32,
    pub height: u32,
    pub rgba: Arc<[u8]>,
}

// SAFETY: holds no V8 handles, so there is nothing to trace.
unsafe impl GarbageCollected for Bitmap {
    fn trace(&self, _visitor: &mut v8::cppgc::Visitor) {}

    fn get_name(&self) -> &'static std::ffi::CStr {
        c"Bitmap"
    }
}

/// Most pixels a decoded picture may have: 16384², WebGL's largest texture here.
const MAX_PIXELS: u64 = 16_384 * 16_384;

impl Bitmap {
    /// A transparent picture; `None` if a side is 0 or it is too large.
    pub fn blank(width: u32, height: u32) -> Option<Self> {
        let pixels = u64::from(width).checked_mul(u64::from(height)).filter(|n| (1..=MAX_PIXELS).contains(n))?;
        Some(Self { width, height, rgba: vec![0; usize::try_from(pixels).ok()? * 4].into() })
    }

    /// `rgba` as a picture; `None` unless the length is right.
    pub fn from_rgba(width: u32, height: u32, rgba: Arc<[u8]>) -> Option<Self> {
        let len = u64::from(width).checked_mul(u64::from(height))?.checked_mul(4)?;
        (len > 0 && rgba.len() as u64 == len).then_some(Self { width, height, rgba })
    }

    /// Decodes PNG, JPEG, WebP, GIF (first picture) or BMP; EXIF orientation is applied as browsers do.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        use image::ImageDecoder;
        let mut reader =
            image::ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string())?;
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(32_767);
        limits.max_image_height = Some(32_767);
        limits.max_alloc = Some(MAX_PIXELS * 4);
        reader.limits(limits);
        let mut decoder = reader.into_decoder().map_err(|e| e.to_string())?;
        let orientation = decoder.orientation().unwrap_or(image::metadata::Orientation::NoTransforms);
        let mut picture = image::DynamicImage::from_decoder(decoder).map_err(|e| e.to_string())?;
        picture.apply_orientation(orientation);
        let picture = picture.into_rgba8();
        let (width, height) = picture.dimensions();
        Self::from_rgba(width, height, picture.into_raw().into()).ok_or_else(|| "the picture is empty".to_owned())
    }
}

#[op2]
impl Bitmap {
    #[fast]
    #[getter]
    fn width(&self) -> u32 {
        self.width
    }

    #[fast]
    #[getter]
    fn height(&self) -> u32 {
        self.height
    }
}

/// Decodes `bytes`; throws `EncodingError`'s text if it is no picture.
#[op2]
#[cppgc]
pub fn op_image_decode(#[buffer] bytes: &[u8]) -> Result<Bitmap, JsErrorBox> {
    Bitmap::decode(bytes).map_err(JsErrorBox::generic)
}

/// A picture of `data` (RGBA, not premultiplied).
#[op2]
#[cppgc]
pub fn op_image_from_rgba(width: u32, height: u32, #[buffer] data: &[u8]) -> Result<Bitmap, JsErrorBox> {
    Bitmap::from_rgba(width, height, data.into()).ok_or_else(|| JsErrorBox::range_error("the picture's size is wrong"))
}

/// The picture's pixels (RGBA, not premultiplied), copied.
#[op2]
#[buffer]
pub fn op_image_pixels(#[cppgc] picture: &Bitmap) -> Vec<u8> {
    picture.rgba.to_vec()
}
