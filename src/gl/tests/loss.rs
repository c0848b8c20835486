//! Context loss: on request, and by a back end that fails.

use crate::backend::null::full_caps;
use crate::gl::backend::{BackendCaps, BackendError, GlBackend};
use crate::gl::command::{BufferId, CommandStream, ImageId, ImageRegion, QueryId};
use crate::gl::constants as c;
use crate::gl::context::{Context, ContextSettings};

/// Loses its device at the first stream.
struct Failing(BackendCaps);

impl GlBackend for Failing {
    fn caps(&self) -> &BackendCaps {
        &self.0
    }

    fn submit(&mut self, _: CommandStream) -> Result<(), BackendError> {
        Err(BackendError::DeviceLost("pulled out".into()))
    }

    fn read_image(&mut self, _: ImageId, _: ImageRegion) -> Result<Vec<u8>, BackendError> {
        unreachable!("a lost context asks nothing")
    }

    fn read_buffer(&mut self, _: BufferId, _: u64, _: u64) -> Result<Vec<u8>, BackendError> {
        unreachable!("a lost context asks nothing")
    }

    fn query_result(&mut self, _: QueryId) -> Result<bool, BackendError> {
        unreachable!("a lost context asks nothing")
    }

    fn finish(&mut self) -> Result<(), BackendError> {
        unreachable!("a lost context asks nothing")
    }
}

#[test]
fn a_failing_back_end_loses_the_context_for_good() {
    let mut gl = Context::new(ContextSettings::default(), Box::new(Failing(full_caps())));
    let buffer = gl.create_buffer();
    gl.bind_buffer(c::ARRAY_BUFFER, buffer);
    gl.buffer_data(c::ARRAY_BUFFER, &[1, 2, 3, 4], c::STATIC_DRAW);
    assert!(!gl.is_context_lost());
    gl.finish();
    assert!(gl.is_context_lost());
    assert!(matches!(gl.backend_error(), Some(BackendError::DeviceLost(text)) if text == "pulled out"));
    gl.draw_arrays(c::TRIANGLES, 0, 3);
    gl.finish();
    assert!(!gl.restore_context());
}

/// WEBGL_lose_context §2: the error flag tells once.
#[test]
fn loss_on_request() {
    let mut gl = Context::new(ContextSettings::default(), Box::new(crate::backend::null::NullBackend::new()));
    gl.lose_context();
    assert_eq!(gl.get_error(), c::CONTEXT_LOST_WEBGL);
    assert_eq!(gl.get_error(), c::NO_ERROR);
    gl.lose_context();
    assert_eq!(gl.get_error(), c::INVALID_OPERATION);
    assert!(gl.restore_context());
}
