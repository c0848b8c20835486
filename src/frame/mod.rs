//! A finished picture on its way from the GPU to the encoder: pixels, colour conversion, hash.
//!
//! Takes RGBA8 frames, gives BT.709 4:2:0 pictures and SHA-256 names. Must not know where a frame
//! came from (V8, GL, wgpu) nor where it goes (codec, container).

use std::sync::Arc;

pub mod color;
pub mod fit;
pub mod hash;
pub mod rate;
pub mod yuv;

pub use rate::FrameRate;
pub use yuv::Yuv420;

/// RGBA8, sRGB-encoded, not premultiplied, row 0 = top, tightly packed.
#[derive(Clone, Debug)]
pub struct Frame {
    pub index: u64,
    pub width: u32,
    pub height: u32,
    pub rgba: Arc<[u8]>,
}

impl Frame {
    /// The one colour of a picture that shows nothing else, or `None` if two pixels differ.
    pub fn uniform_color(&self) -> Option<[u8; 4]> {
        uniform_color(&self.rgba)
    }
}

/// What the page shows behind the filmed canvas in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind {
    /// Its colour: that of the page's backgrounds, white where there is none.
    pub color: [u8; 3],
    /// Is there more than that colour, which the video leaves out?
    pub picture: bool,
}

impl Default for Behind {
    /// A page without styles.
    fn default() -> Self {
        Self { color: [255; 3], picture: false }
    }
}

/// The one colour of tightly packed RGBA8 pixels, or `None` if two differ (or there is no pixel).
pub fn uniform_color(rgba: &[u8]) -> Option<[u8; 4]> {
    let first: [u8; 4] = rgba.get(..4)?.try_into().ok()?;
    // A picture equals itself shifted by one pixel exactly when all its pixels are equal.
    (rgba[4..] == rgba[..rgba.len() - 4]).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::uniform_color;

    #[test]
    fn one_differing_channel_anywhere_ends_uniformity() {
        let mut rgba = [7, 8, 9, 255].repeat(50);
        assert_eq!(uniform_color(&rgba), Some([7, 8, 9, 255]));
        for at in [0, 3, 101, 199] {
            rgba[at] ^= 1;
            assert_eq!(uniform_color(&rgba), None, "byte {at}");
            rgba[at] ^= 1;
        }
        assert_eq!(uniform_color(&[]), None);
    }
}
