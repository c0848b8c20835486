//! Entry points by noun, each `impl Context`. Names are GL's in snake case; object name 0 = null; GLenum = `u32`.

pub mod blit;
pub mod clear;
pub mod copy_tex;
pub mod drawing_buffer;
pub mod framebuffer;
pub mod framebuffer_query;
pub mod image_access;
pub mod read_pixels;
pub mod renderbuffer;
pub mod resolve;
pub mod sampler;
pub mod tex_image;
pub mod texture;
pub mod upload;
