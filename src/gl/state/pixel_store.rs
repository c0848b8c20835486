//! Pixel pack and unpack state (helper `glb` owns this file).

#[derive(Clone, Debug)]
pub struct PixelStore {
    pub unpack_alignment: u32,
    pub pack_alignment: u32,
}

impl Default for PixelStore {
    fn default() -> Self {
        Self { unpack_alignment: 4, pack_alignment: 4 }
    }
}
