pub mod blit;
pub mod framebuffer;
pub mod texture;
