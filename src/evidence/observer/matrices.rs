//! Camera matrices as they lie in uniform blocks, and how often draws carried each.

use crate::shader::{CameraUniforms, UniformHome, UniformPlace};

/// Column-major, as uploaded.
pub type Matrix = [f32; 16];

/// The matrices in effect, as the current program has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transform {
    pub view: Option<Matrix>,
    pub projection: Option<Matrix>,
    pub model_view: Option<Matrix>,
    pub model: Option<Matrix>,
}

impl Transform {
    /// Takes what the block `home` holds of the camera.
    pub fn read(&mut self, places: &CameraUniforms, home: UniformHome, block: &[u8]) {
        let take = |slot: &mut Option<Matrix>, place: Option<UniformPlace>| {
            if let Some(place) = place.filter(|place| place.home == home) {
                *slot = matrix(block, place.offset);
            }
        };
        take(&mut self.view, places.view);
        take(&mut self.projection, places.projection);
        take(&mut self.model_view, places.model_view);
        take(&mut self.model, places.model);
    }
}

fn matrix(block: &[u8], offset: u32) -> Option<Matrix> {
    let bytes = block.get(offset as usize..)?.first_chunk::<64>()?;
    let (words, _) = bytes.as_chunks::<4>();
    let mut matrix = [0.0; 16];
    for (entry, word) in matrix.iter_mut().zip(words) {
        *entry = f32::from_le_bytes(*word);
    }
    Some(matrix)
}

/// A matrix as a key; zero for none.
pub fn bits(matrix: Option<&Matrix>) -> [u32; 16] {
    matrix.map_or([0; 16], |matrix| matrix.map(f32::to_bits))
}

/// Does the projection divide by depth?
pub fn is_perspective(projection: &Matrix) -> bool {
    projection[15].abs() < 1e-6 && projection[11].abs() > 1e-6
}

/// Matrices and how many draws carried each, in order of first sight.
#[derive(Clone, Debug, Default)]
pub struct Tally(Vec<(Matrix, u64)>);

/// Different matrices kept of one shot.
const MOST: usize = 64;

impl Tally {
    pub fn add(&mut self, matrix: &Matrix) {
        // The last one nearly always.
        if let Some((_, count)) = self.0.last_mut().filter(|(known, _)| known == matrix) {
            *count += 1;
        } else if let Some((_, count)) = self.0.iter_mut().find(|(known, _)| known == matrix) {
            *count += 1;
        } else if self.0.len() < MOST {
            self.0.push((*matrix, 1));
        }
    }

    /// The matrix of most draws, the first of equals, and its count.
    pub fn most(&self) -> Option<(Matrix, u64)> {
        let best = self.0.iter().map(|(_, count)| *count).max()?;
        self.0.iter().find(|(_, count)| *count == best).copied()
    }

    pub fn merge(&mut self, other: &Self) {
        for (matrix, count) in &other.0 {
            let room = self.0.len() < MOST;
            match self.0.iter_mut().find(|(known, _)| known == matrix) {
                Some((_, have)) => *have += count,
                None if room => self.0.push((*matrix, *count)),
                None => {}
            }
        }
    }
}
