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
/// The JSON schema of its `scale.json`, draft 2020-12.
pub const SCALE_SCHEMA: &str = include_str!("schema/scale.schema.json");
/// Metres that a step of a pixel's value stands for: a centimetre, 655 m in all.
const STEP: f64 = 0.01;

/// What `scale.json` says; `missing`: frames that have no depth.
pub fn scale(metres_per_unit: f64, missing: &[u64]) -> serde_json::Value {
    serde_json::json!({
        "metres_per_step": STEP,
        "metres_per_unit": metres_per_unit,
        "file": "frame-NNNNNN.png, 16-bit grey",
        "value": "distance ahead of the camera, along its view axis, in steps; 0: nothing was drawn, 65535: further",
        "missing": missing,
    })
}

/// The folder of depths.
pub struct DepthFolder {
    path: PathBuf,
    metres_per_unit: f64,
    /// Frames that have none.
    missing: Vec<u64>,
}

impl DepthFolder {
    /// Makes the folder and its `scale.json`.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(path: PathBuf, metres_per_unit: f64) -> Result<Self, RenderError> {
        std::fs::create_dir_all(&path).map_err(|e| RenderError::write(&path, e))?;
        let folder = Self { path, metres_per_unit, missing: Vec::new() };
        folder.tell().map_err(|e| RenderError::write(&folder.path, e))?;
        Ok(folder)
    }

    /// Writes `scale.json` as it is now.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn tell(&self) -> std::io::Result<()> {
        let told = scale(self.metres_per_unit, &self.missing);
        std::fs::write(self.path.join("scale.json"), format!("{told:#}\n"))
    }

    /// No camera's depth was seen in this frame.
    pub fn miss(&mut self, frame: u64) {
        self.missing.push(frame);
    }

    /// What the user should know: frames without depth.
    pub fn note(&self) -> Option<String> {
        let first = self.missing.first()?;
        Some(format!(
            "--depth: {} frames have none, the first is {first} (scale.json lists them): what filled the picture was no surface of the \
             camera that was followed, or there was no such camera",
            self.missing.len()
        ))
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
