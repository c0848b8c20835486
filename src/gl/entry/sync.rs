//! Sync objects (WebGL 2 §3.7.14). Deterministic: unsignalled in the task that made them, signalled from the next on.

use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::ParameterValue;
use crate::gl::error::GlError;
use crate::gl::objects::sync::Sync;

impl Context {
    /// Returns 0 (null) on error.
    pub fn fence_sync(&mut self, condition: u32, flags: u32) -> u32 {
        if condition != c::SYNC_GPU_COMMANDS_COMPLETE {
            self.fail("fenceSync", GlError::invalid_enum("condition must be SYNC_GPU_COMMANDS_COMPLETE"));
            return 0;
        }
        if flags != 0 {
            self.fail("fenceSync", GlError::invalid_value("flags must be 0"));
            return 0;
        }
        self.objects.syncs.insert(Sync { task: self.task })
    }

    pub fn is_sync(&self, sync: u32) -> bool {
        self.objects.syncs.contains(sync)
    }

    pub fn delete_sync(&mut self, sync: u32) {
        self.objects.syncs.remove(sync);
    }

    fn is_signaled(&self, sync: &Sync) -> bool {
        sync.task < self.task
    }

    pub fn client_wait_sync(&mut self, sync: u32, flags: u32, timeout: u64) -> u32 {
        let Some(sync) = self.objects.syncs.get(sync) else {
            self.fail("clientWaitSync", GlError::invalid_value("the sync object has been deleted"));
            return c::WAIT_FAILED;
        };
        if flags & !c::SYNC_FLUSH_COMMANDS_BIT != 0 {
            self.fail("clientWaitSync", GlError::invalid_value("unknown flag"));
            return c::WAIT_FAILED;
        }
        if timeout > 0 {
            // MAX_CLIENT_WAIT_TIMEOUT_WEBGL is 0.
            self.fail("clientWaitSync", GlError::invalid_operation("timeout is above MAX_CLIENT_WAIT_TIMEOUT_WEBGL"));
            return c::WAIT_FAILED;
        }
        if self.is_signaled(sync) { c::ALREADY_SIGNALED } else { c::TIMEOUT_EXPIRED }
    }

    pub fn wait_sync(&mut self, sync: u32, flags: u32, timeout: i64) {
        if !self.objects.syncs.contains(sync) {
            return self.fail("waitSync", GlError::invalid_value("the sync object has been deleted"));
        }
        // TIMEOUT_IGNORED is −1. Commands run in order: there is nothing to wait for.
        if flags != 0 || timeout != -1 {
            self.fail("waitSync", GlError::invalid_value("flags must be 0 and timeout TIMEOUT_IGNORED"));
        }
    }

    pub fn get_sync_parameter(&mut self, sync: u32, name: u32) -> ParameterValue {
        let Some(object) = self.objects.syncs.get(sync) else {
            self.fail("getSyncParameter", GlError::invalid_value("the sync object has been deleted"));
            return ParameterValue::Null;
        };
        ParameterValue::Uint(match name {
            c::OBJECT_TYPE => c::SYNC_FENCE,
            c::SYNC_STATUS if self.is_signaled(object) => c::SIGNALED,
            c::SYNC_STATUS => c::UNSIGNALED,
            c::SYNC_CONDITION => c::SYNC_GPU_COMMANDS_COMPLETE,
            c::SYNC_FLAGS => 0,
            _ => {
                self.fail("getSyncParameter", GlError::invalid_enum("unknown sync parameter"));
                return ParameterValue::Null;
            }
        })
    }
}
