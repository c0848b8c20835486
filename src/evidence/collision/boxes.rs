//! Boxes around neighbouring triangles, two levels of them.

use super::shapes::Bounds;

/// Chunks that share a box.
const BLOCK: usize = 16;

/// Boxes around chunks, and around runs of them.
#[derive(Debug, Default)]
pub struct Boxes {
    chunks: Vec<Bounds>,
    blocks: Vec<Bounds>,
}

impl Boxes {
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    pub fn clear(&mut self) {
        self.chunks.clear();
        self.blocks.clear();
    }

    pub fn push(&mut self, chunk: Bounds) {
        match self.blocks.last_mut() {
            Some(block) if !self.chunks.len().is_multiple_of(BLOCK) => *block = block.union(chunk),
            _ => self.blocks.push(chunk),
        }
        self.chunks.push(chunk);
    }

    pub fn all(&self) -> Bounds {
        self.blocks.iter().fold(Bounds::EMPTY, |all, block| all.union(*block))
    }

    /// Calls `visit` with the number of each chunk that `near` lets through; what it keeps out of a box, it keeps out of
    /// every box inside.
    pub fn visit(&self, near: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(usize)) {
        for (block, all) in self.blocks.iter().enumerate() {
            if !near(all) {
                continue;
            }
            let chunks = self.chunks.iter().enumerate().skip(block * BLOCK).take(BLOCK);
            chunks.filter(|(_, chunk)| near(chunk)).for_each(|(number, _)| visit(number));
        }
    }
}
