//! wgpu's errors as [`BackendError`]: scopes for what happens on this thread, a latch for the rest.

use std::sync::{Arc, Mutex};

use crate::gl::backend::BackendError;

/// First error nobody caught by a scope, device loss included. Once set it stays.
#[derive(Clone, Debug, Default)]
pub struct ErrorLatch(Arc<Mutex<Option<BackendError>>>);

impl ErrorLatch {
    /// Keeps `error` unless one is kept already.
    pub fn set(&self, error: BackendError) {
        let mut slot = self.0.lock().unwrap_or_else(|poison| poison.into_inner());
        slot.get_or_insert(error);
    }

    pub fn check(&self) -> Result<(), BackendError> {
        match &*self.0.lock().unwrap_or_else(|poison| poison.into_inner()) {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }
}

/// Text of an error with all its causes, as wgpu keeps the telling part in the sources.
pub fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let line = cause.to_string();
        if !text.contains(&line) {
            text.push_str(": ");
            text.push_str(&line);
        }
        source = cause.source();
    }
    text
}

/// Sorts a wgpu error into ours.
pub fn convert(error: &wgpu::Error) -> BackendError {
    let text = describe(error);
    match error {
        wgpu::Error::OutOfMemory { .. } => BackendError::OutOfMemory(text),
        _ if text.contains("device is lost") || text.contains("Device is lost") => BackendError::DeviceLost(text),
        _ => BackendError::Internal(text),
    }
}

/// Catches every wgpu error raised on this thread between `open` and `close`.
#[must_use]
pub struct ErrorScopes([wgpu::ErrorScopeGuard; 3]);

impl ErrorScopes {
    pub fn open(device: &wgpu::Device) -> Self {
        Self([
            device.push_error_scope(wgpu::ErrorFilter::Internal),
            device.push_error_scope(wgpu::ErrorFilter::OutOfMemory),
            device.push_error_scope(wgpu::ErrorFilter::Validation),
        ])
    }

    /// Pops the scopes; the first error wins, exhaustion before validation (it is the cause of it).
    pub fn close(self) -> Result<(), BackendError> {
        let [internal, memory, validation] = self.0;
        let validation = pollster::block_on(validation.pop());
        let memory = pollster::block_on(memory.pop());
        let internal = pollster::block_on(internal.pop());
        match memory.or(internal).or(validation) {
            Some(error) => Err(convert(&error)),
            None => Ok(()),
        }
    }
}
