//! The wgpu back end: executes command streams on a Vulkan device.
//!
//! Takes validated commands and emitted programs, gives frames, pixels and answers. Knows the command stream and
//! the programs' interface; knows neither GL's rules nor V8. `NOTES.md` tells how passes, binds and clears work.

mod bind;
mod blit;
mod buffer;
mod clear;
mod context;
mod copy;
mod device;
mod draw;
mod error;
mod format;
mod gpu_time;
mod internal;
mod loop_flags;
mod memo;
mod mipmap;
mod observe;
mod pass;
mod pipeline_cache;
mod pipeline_key;
mod present;
mod program;
mod query;
mod readback;
mod record;
mod sampler;
mod staging;
mod state;
mod texture;
mod texture_bind;

pub use context::{WgpuBackend, WgpuOptions};
pub use device::{DeviceOptions, WgpuDevice};
pub use gpu_time::GpuTime;

#[cfg(test)]
mod tests;
