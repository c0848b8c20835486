//! A back end that draws nothing: counts and, if asked, keeps the streams. For tests and CPU benches.

use std::sync::{Arc, Mutex};

use crate::gl::backend::{BackendCaps, BackendError, GlBackend};
use crate::gl::command::{BufferId, Command, CommandStream, ImageId, ImageRegion, QueryId};

/// What a [`NullBackend`] has seen; shared with the test that made it.
#[derive(Clone, Debug, Default)]
pub struct NullRecord {
    /// Streams in order, if recording.
    pub streams: Vec<CommandStream>,
    pub commands: u64,
    pub draws: u64,
    pub bytes: u64,
}

impl NullRecord {
    /// All commands of all streams, in order.
    pub fn all_commands(&self) -> impl Iterator<Item = &Command> {
        self.streams.iter().flat_map(|stream| &stream.commands)
    }
}

/// Answers every question with zeroes.
pub struct NullBackend {
    caps: BackendCaps,
    record: Arc<Mutex<NullRecord>>,
    keep: bool,
}

impl NullBackend {
    /// Counts only.
    pub fn new() -> Self {
        Self { caps: full_caps(), record: Arc::default(), keep: false }
    }

    /// Keeps every stream; read them through the handle.
    pub fn recording() -> (Self, Arc<Mutex<NullRecord>>) {
        let record = Arc::<Mutex<NullRecord>>::default();
        (Self { caps: full_caps(), record: record.clone(), keep: true }, record)
    }

    pub fn with_caps(mut self, caps: BackendCaps) -> Self {
        self.caps = caps;
        self
    }
}

impl Default for NullBackend {
    fn default() -> Self {
        Self::new()
    }
}

/// Everything there is, with the limits of lavapipe.
pub fn full_caps() -> BackendCaps {
    BackendCaps {
        vendor: "replay".into(),
        renderer: "null".into(),
        driver: "none".into(),
        max_texture_size: 16384,
        max_3d_texture_size: 2048,
        max_array_texture_layers: 2048,
        max_samples: 4,
        max_color_attachments: 8,
        max_vertex_attributes: 16,
        max_texture_units_per_stage: 16,
        max_uniform_blocks_per_stage: 14,
        max_uniform_block_size: 65536,
        uniform_buffer_offset_alignment: 16,
        max_varying_vectors: 31,
        max_point_size: 255.0,
        max_anisotropy: 16,
        float32_filterable: true,
        float32_blendable: true,
        rg11b10_renderable: true,
        norm16: true,
        bc: true,
        etc2: true,
        astc: true,
        depth32_stencil8: true,
        depth_clamp: true,
        clip_distances: true,
        polygon_mode_line: true,
        dual_source_blending: true,
        vertex_writable_storage: true,
        observes: false,
        max_loop_rounds: 1_000_000,
        max_flat_rows: 0,
        truncates_half: false,
        clips_no_lines: false,
        sample_counts: vec![1, 4],
        narrower_sample_counts: Vec::new(),
    }
}

impl GlBackend for NullBackend {
    fn caps(&self) -> &BackendCaps {
        &self.caps
    }

    fn submit(&mut self, stream: CommandStream) -> Result<(), BackendError> {
        let mut record =
            self.record.lock().map_err(|_| BackendError::Internal("the record's lock is poisoned".into()))?;
        record.commands += stream.commands.len() as u64;
        record.bytes += stream.data.len() as u64;
        record.draws +=
            stream.commands.iter().filter(|c| matches!(c, Command::Draw(_) | Command::DrawIndexed(_))).count() as u64;
        if self.keep {
            record.streams.push(stream);
        }
        Ok(())
    }

    fn read_image(&mut self, _: ImageId, region: ImageRegion) -> Result<Vec<u8>, BackendError> {
        // The widest texel is 16 bytes; callers take what their format needs.
        let texels = region.extent.iter().map(|&n| n as usize).product::<usize>();
        Ok(vec![0; texels * 16])
    }

    fn read_buffer(&mut self, _: BufferId, _: u64, size: u64) -> Result<Vec<u8>, BackendError> {
        Ok(vec![0; size as usize])
    }

    fn query_result(&mut self, _: QueryId) -> Result<bool, BackendError> {
        Ok(false)
    }

    fn finish(&mut self) -> Result<(), BackendError> {
        Ok(())
    }
}
