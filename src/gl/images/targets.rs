//! Render targets and scissor as the stream last said them.

use crate::gl::command::{Command, CommandStream, Rect, RenderTargets};

/// What `SetRenderTargets` and `SetScissor` last sent; `None`: nothing yet, or forgotten.
#[derive(Debug, Default)]
pub struct SentTargets {
    targets: Option<RenderTargets>,
    scissor: Option<Option<Rect>>,
    /// Answer of the last `send_targets`.
    pub(crate) visible: bool,
}

/// The scissor leaves nothing to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyScissor;

/// Scissor test and box as GL has them, cut to a target of that size. `Ok(None)`: the whole target; `Err`:
/// nothing is left.
pub fn cut_scissor(test: bool, scissor: [i32; 4], width: u32, height: u32) -> Result<Option<Rect>, EmptyScissor> {
    if !test {
        return Ok(None);
    }
    let [x, y, w, h] = scissor.map(i64::from);
    let (x0, y0) = (x.max(0), y.max(0));
    let (x1, y1) = ((x + w).min(i64::from(width)), (y + h).min(i64::from(height)));
    if x0 >= x1 || y0 >= y1 {
        return Err(EmptyScissor);
    }
    if (x0, y0, x1, y1) == (0, 0, i64::from(width), i64::from(height)) {
        return Ok(None);
    }
    Ok(Some(Rect { x: x0 as u32, y: y0 as u32, width: (x1 - x0) as u32, height: (y1 - y0) as u32 }))
}

impl SentTargets {
    /// Sends what differs.
    pub fn send(&mut self, stream: &mut CommandStream, targets: &RenderTargets, scissor: Option<Rect>) {
        if self.targets.as_ref() != Some(targets) {
            self.targets = Some(*targets);
            stream.commands.push(Command::SetRenderTargets(*targets));
        }
        if self.scissor != Some(scissor) {
            self.scissor = Some(scissor);
            stream.commands.push(Command::SetScissor(scissor));
        }
    }

    /// Somebody else sent targets or scissor.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scissor_is_cut_to_the_target() {
        assert_eq!(cut_scissor(false, [5, 5, 0, 0], 8, 8), Ok(None));
        assert_eq!(cut_scissor(true, [-2, 0, 100, 8], 8, 8), Ok(None));
        assert_eq!(cut_scissor(true, [-2, 3, 4, 9], 8, 8), Ok(Some(Rect { x: 0, y: 3, width: 2, height: 5 })));
        assert_eq!(cut_scissor(true, [8, 0, 4, 4], 8, 8), Err(EmptyScissor));
        assert_eq!(cut_scissor(true, [i32::MAX, 0, i32::MAX, 4], 8, 8), Err(EmptyScissor));
    }
}
