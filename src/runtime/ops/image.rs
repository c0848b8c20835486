//! Pictures: files to pixels, pixels to files.

use deno_core::{OpState, ToJsBuffer, op2, v8};
use deno_error::JsErrorBox;
use serde::Serialize;

use crate::runtime::memory::admit;

/// RGBA8, row 0 = top, not premultiplied, tightly packed.
#[derive(Serialize)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub data: ToJsBuffer,
}

/// Longest side of a picture, as in browsers.
const MAX_SIDE: u32 = 32_767;
/// Most bytes a decoded picture may have: 16384² pixels.
const MAX_BYTES: u64 = 16_384 * 16_384 * 4;

/// Decodes PNG, JPEG, WebP, GIF (first picture) or BMP to size and pixels; EXIF orientation is applied as browsers do.
pub fn decode(bytes: &[u8]) -> Result<(u32, u32, Vec<u8>), String> {
    use image::ImageDecoder;
    let mut reader =
        image::ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string())?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|e| e.to_string())?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) * 4 > MAX_BYTES {
        return Err(format!("a picture of {width}x{height} is too large"));
    }
    let orientation = decoder.orientation().unwrap_or(image::metadata::Orientation::NoTransforms);
    let mut picture = image::DynamicImage::from_decoder(decoder).map_err(|e| e.to_string())?;
    picture.apply_orientation(orientation);
    let picture = picture.into_rgba8();
    let (width, height) = picture.dimensions();
    Ok((width, height, picture.into_raw()))
}

/// Encodes pixels as `image/png`, `image/jpeg` or `image/webp` (lossless); `None` if the sizes do not fit.
pub fn encode(width: u32, height: u32, rgba: &[u8], mime: &str, quality: f64) -> Option<Vec<u8>> {
    let picture = image::RgbaImage::from_raw(width, height, rgba.to_vec())?;
    let mut out = std::io::Cursor::new(Vec::new());
    let done = match mime {
        "image/jpeg" => {
            // JPEG has no alpha: browsers lay the picture on black.
            let rgb = image::RgbImage::from_fn(width, height, |x, y| {
                let image::Rgba([r, g, b, a]) = *picture.get_pixel(x, y);
                let over = |c: u8| ((u32::from(c) * u32::from(a) + 127) / 255) as u8;
                image::Rgb([over(r), over(g), over(b)])
            });
            let quality = if (0.0..=1.0).contains(&quality) { (quality * 100.0).round().max(1.0) as u8 } else { 92 };
            rgb.write_with_encoder(image::codecs::jpeg::JpegEncoder::new_with_quality(&mut out, quality))
        }
        "image/webp" => picture.write_with_encoder(image::codecs::webp::WebPEncoder::new_lossless(&mut out)),
        _ => picture.write_with_encoder(image::codecs::png::PngEncoder::new(&mut out)),
    };
    done.ok().map(|()| out.into_inner())
}

#[op2]
#[serde]
pub fn op_image_decode(
    scope: &mut v8::PinScope<'_, '_>,
    state: &mut OpState,
    #[buffer] bytes: &[u8],
) -> Result<Picture, JsErrorBox> {
    let (width, height, data) = decode(bytes).map_err(JsErrorBox::generic)?;
    if !admit(scope, state, data.len()) {
        return Err(JsErrorBox::generic("out of memory"));
    }
    Ok(Picture { width, height, data: data.into() })
}

#[op2]
#[buffer]
pub fn op_image_encode(
    width: u32,
    height: u32,
    #[buffer] rgba: &[u8],
    #[string] mime: &str,
    quality: f64,
) -> Result<Vec<u8>, JsErrorBox> {
    encode(width, height, rgba, mime, quality).ok_or_else(|| JsErrorBox::generic("the picture cannot be encoded"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn png_keeps_every_value() {
        let rgba = [255, 0, 0, 255, 1, 2, 3, 4, 0, 0, 0, 0, 9, 8, 7, 255];
        let png = encode(2, 2, &rgba, "image/png", 0.0).expect("png");
        assert_eq!(decode(&png), Ok((2, 2, rgba.to_vec())));
        assert!(decode(b"not a picture").is_err());
        assert!(encode(3, 2, &rgba, "image/png", 0.0).is_none());
    }
}
