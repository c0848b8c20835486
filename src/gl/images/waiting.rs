//! How many bytes of texels wait for an image of the GPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that may wait, of all textures of a context together; what comes beyond gets an image at once.
pub const MOST: u64 = 128 << 20;

/// The bytes that wait at present.
#[derive(Clone, Debug, Default)]
pub struct Waiting(Arc<AtomicU64>);

/// Bytes that wait until this is dropped.
#[derive(Debug, Default)]
pub struct Held {
    of: Waiting,
    bytes: u64,
}

impl Waiting {
    pub fn hold(&self, bytes: u64) -> Held {
        self.0.fetch_add(bytes, Ordering::Relaxed);
        Held { of: self.clone(), bytes }
    }

    pub fn is_too_much(&self) -> bool {
        self.0.load(Ordering::Relaxed) > MOST
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.of.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
