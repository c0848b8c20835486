//! Frames as PNG files: RGB where every pixel is opaque, else RGBA with straight alpha.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::fs;
use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};

use super::EncodeError;

/// The file of frame `index` in a sequence.
pub fn file_name(index: u64) -> String {
    format!("{index:06}.png")
}

/// PNG bytes of tightly packed RGBA8, row 0 = top.
///
/// # Errors
/// `rgba` is not width × height × 4 bytes long.
pub fn encode(rgba: &[u8], width: u32, height: u32) -> Result<Vec<u8>, EncodeError> {
    let fail = |e: image::ImageError| EncodeError::library("png", "coding a picture", e);
    if rgba.len() as u64 != u64::from(width) * u64::from(height) * 4 {
        return Err(EncodeError::library("png", "coding a picture", "the pixels do not fill it"));
    }
    let mut out = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Adaptive);
    if rgba.chunks_exact(4).all(|p| p[3] == 255) {
        let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
        encoder.write_image(&rgb, width, height, ExtendedColorType::Rgb8).map_err(fail)?;
    } else {
        encoder.write_image(rgba, width, height, ExtendedColorType::Rgba8).map_err(fail)?;
    }
    Ok(out)
}

/// Writes one frame into `folder`; gives its path.
///
/// # Errors
/// The file cannot be written.
pub fn write(folder: &Path, index: u64, rgba: &[u8], width: u32, height: u32) -> Result<PathBuf, EncodeError> {
    let path = folder.join(file_name(index));
    let bytes = encode(rgba, width, height)?;
    fs::write(&path, bytes).map_err(|source| EncodeError::Io { path: path.clone(), source })?;
    Ok(path)
}

/// Reads a PNG file as RGBA8: pixels, width, height.
///
/// # Errors
/// Not a readable PNG file.
pub fn read(path: &Path) -> Result<(Vec<u8>, u32, u32), EncodeError> {
    let bytes = fs::read(path).map_err(|source| EncodeError::Io { path: path.to_owned(), source })?;
    let picture = image::load_from_memory_with_format(&bytes, image::ImageFormat::Png)
        .map_err(|e| EncodeError::library("png", "reading a picture", format!("{}: {e}", path.display())))?
        .into_rgba8();
    let (width, height) = picture.dimensions();
    Ok((picture.into_raw(), width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_come_back_as_they_went_in_with_and_without_alpha() {
        let dir = tempfile::tempdir().unwrap();
        let opaque: Vec<u8> = (0..12 * 5u8).flat_map(|i| [i, 255 - i, i / 2, 255]).collect();
        let clear: Vec<u8> = (0..12 * 5u8).flat_map(|i| [i, 3, 200, i]).collect();
        for (index, rgba) in [(0, &opaque), (41, &clear)] {
            let path = write(dir.path(), index, rgba, 12, 5).unwrap();
            assert_eq!(read(&path).unwrap(), (rgba.clone(), 12, 5));
        }
        assert!(dir.path().join("000041.png").exists());
        assert!(encode(&opaque, 12, 6).is_err());
    }
}
