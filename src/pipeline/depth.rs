//! `--depth`: how far ahead of the camera's plane each pixel is, as 16-bit PNGs with one scale for the whole run.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use image::{ExtendedColorType, ImageEncoder as _};

use super::RenderError;
use crate::evidence::collision::Depths;

/// Name of the folder in the output folder.
pub const DEPTHS: &str = "depth";
/// Metres that a step of a pixel's value stands for: a centimetre, 655 m in all.
const STEP: f64 = 0.01;

/// The folder of depths.
pub struct DepthFolder {
    path: PathBuf,
    metres_per_unit: f64,
}

impl DepthFolder {
    /// Makes the folder and its `scale.json`.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(path: PathBuf, metres_per_unit: f64) -> Result<Self, RenderError> {
        let told = serde_json::json!({
            "metres_per_step": STEP,
            "metres_per_unit": metres_per_unit,
            "file": "frame-NNNNNN.png, 16-bit grey",
            "value": "distance ahead of the camera, along its view axis, in steps; 0: nothing was drawn, 65535: further",
        });
        std::fs::create_dir_all(&path).map_err(|e| RenderError::write(&path, e))?;
        let scale = path.join("scale.json");
        std::fs::write(&scale, format!("{told:#}\n")).map_err(|e| RenderError::write(&scale, e))?;
        Ok(Self { path, metres_per_unit })
    }

    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, frame: u64, depths: &Depths) -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(self.path.join(format!("frame-{frame:06}.png")))?);
        let bytes = steps(depths, self.metres_per_unit);
        let encoder = image::codecs::png::PngEncoder::new(&mut out);
        encoder
            .write_image(&bytes, depths.width, depths.height, ExtendedColorType::L16)
            .map_err(std::io::Error::other)?;
        out.flush()
    }
}

/// Top row first, in the machine's byte order as the encoder wants it.
fn steps(depths: &Depths, metres_per_unit: f64) -> Vec<u8> {
    let step = |distance: &f32| -> u16 {
        if !distance.is_finite() {
            return 0;
        }
        (f64::from(*distance) * metres_per_unit / STEP).round().clamp(1.0, 65535.0) as u16
    };
    let rows = depths.values.chunks(depths.width.max(1) as usize).rev();
    rows.flatten().flat_map(|distance| step(distance).to_ne_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_centimetre_and_the_top_row_comes_first() {
        let values = vec![1.0, f32::INFINITY, 1e9, 0.0];
        let bytes = steps(&Depths { width: 2, height: 2, values }, 2.0);
        let values: Vec<u16> = bytes.as_chunks().0.iter().map(|b| u16::from_ne_bytes(*b)).collect();
        assert_eq!(values, [65535, 1, 200, 0]);
    }
}
