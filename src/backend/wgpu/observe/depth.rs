//! The depth of the passes that observed draws are in.

use super::super::blit::{BlitDraw, Place};
use super::super::context::WgpuBackend;
use super::super::pass::{Op, Pass};
use super::super::texture::ImageSlot;
use super::plane;
use crate::gl::backend::BackendError;
use crate::gl::format::StorageFormat;
use crate::scene::Subject;

/// Most depths taken of a picture. Through a lens of 60° they are never further apart than 3 mm a metre ahead.
const MOST: u64 = 150_000;

#[derive(Debug)]
pub(super) struct DepthNow {
    pub subject: Subject,
    pub image: ImageSlot,
    pub width: u32,
    pub height: u32,
    pub pixels: [u32; 2],
    pub range: [f32; 2],
    pub zero_to_one: bool,
}

impl WgpuBackend {
    /// The captures that go ahead of the pass being closed, and the copy of its depth that goes after it.
    pub(in super::super) fn observe_pass(&mut self, pass: &Pass) -> Result<Option<Box<Pass>>, BackendError> {
        let Some(observer) = &mut self.observer else { return Ok(None) };
        let (step, subject, capture) = (observer.depth_step, observer.in_pass.take(), observer.pass.take());
        self.ops.extend(capture.map(|capture| Op::Pass(Box::new(capture))));
        let (Some(depth), Some(subject)) = (pass.depth.as_ref().filter(|depth| depth.has_depth), subject) else {
            return Ok(None);
        };
        if step == 0 {
            return Ok(None);
        }
        let step = step_for(step, pass.width, pass.height);
        let (width, height) = ((pass.width / step).max(1), (pass.height / step).max(1));
        let pixels = [(width * step).min(pass.width), (height * step).min(pass.height)];
        let image = self.depth_image(subject, width, height, pixels)?;
        let draw = BlitDraw {
            src: Place { image: depth.attachment.image, level: depth.attachment.level, layer: depth.attachment.layer },
            dst: Place { image, level: 0, layer: 0 },
            src_rect: [0, 0, pixels[0] as i32, pixels[1] as i32],
            dst_rect: [0, 0, width as i32, height as i32],
            scissor: None,
            linear: false,
            mask: 0xf,
        };
        self.blit_pass(&draw, wgpu::TextureAspect::DepthOnly).map(|pass| pass.map(Box::new))
    }

    /// The image that takes a render call's depth this frame.
    fn depth_image(
        &mut self,
        subject: Subject,
        width: u32,
        height: u32,
        pixels: [u32; 2],
    ) -> Result<ImageSlot, BackendError> {
        let viewport = self.state.viewport;
        let range = [viewport.min_depth, viewport.max_depth];
        let zero_to_one = self.program.as_ref().is_some_and(|program| program.layout.zero_to_one);
        let Some(observer) = &mut self.observer else { return Err(BackendError::Internal("nobody observes".into())) };
        let same = |now: &&mut DepthNow| {
            (now.subject.render, now.subject.camera, now.width, now.height)
                == (subject.render, subject.camera, width, height)
        };
        if let Some(now) = observer.depths.iter_mut().find(same) {
            (now.range, now.zero_to_one) = (range, zero_to_one);
            return Ok(now.image);
        }
        let free = |image: &ImageSlot| observer.depths.iter().all(|now| now.image != *image);
        let found = observer.depth_images.iter().find(|(w, h, image)| (*w, *h) == (width, height) && free(image));
        let image = match found {
            Some((.., image)) => *image,
            None => {
                let image = self.new_image(plane(StorageFormat::R32Float, width, height))?;
                if let Some(observer) = &mut self.observer {
                    observer.depth_images.push((width, height, image));
                }
                image
            }
        };
        if let Some(observer) = &mut self.observer {
            observer.depths.push(DepthNow { subject, image, width, height, pixels, range, zero_to_one });
        }
        Ok(image)
    }
}

/// Every how many pixels depth is taken: all of them where that is asked, else from `least` on as far apart as [`MOST`] allows.
fn step_for(least: u32, width: u32, height: u32) -> u32 {
    let taken = |step: u32| u64::from((width / step).max(1)) * u64::from((height / step).max(1));
    if least <= 1 { 1 } else { (least..u32::MAX).find(|step| taken(*step) <= MOST).unwrap_or(least) }
}

#[cfg(test)]
mod tests {
    use super::step_for;

    #[test]
    fn depths_lie_further_apart_in_large_pictures_unless_all_are_asked_for() {
        for (size, step) in [((320, 180), 2), ((540, 960), 2), ((1280, 720), 3), ((1080, 1920), 4), ((3840, 2160), 8)] {
            assert_eq!(step_for(2, size.0, size.1), step, "{size:?}");
            assert_eq!(step_for(1, size.0, size.1), 1, "{size:?}");
        }
        assert_eq!(step_for(2, 1, 1), 2);
    }
}
