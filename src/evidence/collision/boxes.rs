//! Boxes around neighbouring triangles: two levels of them to go through in order, and a hierarchy for rays.

use std::cell::OnceCell;

use super::shapes::Bounds;
use super::tree::{Ray, Tree};

/// Chunks that share a box.
const BLOCK: usize = 16;

/// Boxes around chunks, and around runs of them.
#[derive(Debug, Default)]
pub struct Boxes {
    chunks: Vec<Bounds>,
    blocks: Vec<Bounds>,
    /// Made when a ray asks.
    tree: OnceCell<Tree>,
}

impl Boxes {
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

    pub fn get(&self, number: usize) -> Bounds {
        self.chunks.get(number).copied().unwrap_or(Bounds::EMPTY)
    }

    /// Calls `visit` with the number of each chunk that `near` lets through, in order; what it keeps out of a box, it keeps
    /// out of every box inside.
    pub fn visit(&self, near: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(usize)) {
        for (block, all) in self.blocks.iter().enumerate() {
            if !near(all) {
                continue;
            }
            let chunks = self.chunks.iter().enumerate().skip(block * BLOCK).take(BLOCK);
            chunks.filter(|(_, chunk)| near(chunk)).for_each(|(number, _)| visit(number));
        }
    }

    /// Calls `visit` with the number of each chunk that the ray enters before `limit()`, in any order.
    pub fn along(&self, ray: Ray, limit: impl Fn() -> f64, mut visit: impl FnMut(usize)) {
        let look = |number: usize| {
            if self.chunks.get(number).is_some_and(|chunk| ray.enter(chunk, limit()).is_some()) {
                visit(number);
            }
        };
        if self.chunks.len() <= BLOCK {
            (0..self.chunks.len()).for_each(look);
        } else {
            self.tree.get_or_init(|| Tree::new(self.chunks.iter().copied())).along(ray, &limit, look);
        }
    }
}
