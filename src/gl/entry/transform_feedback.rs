//! Transform feedback objects (WebGL 2 §3.7.15).

use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::PrimitiveMode;
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::transform_feedback::{ActiveFeedback, TransformFeedback};

impl Context {
    pub fn create_transform_feedback(&mut self) -> u32 {
        self.objects.transform_feedbacks.insert(TransformFeedback::default())
    }

    pub fn is_transform_feedback(&self, name: u32) -> bool {
        self.objects.transform_feedbacks.get(name).is_some_and(|feedback| feedback.created)
    }

    pub fn delete_transform_feedback(&mut self, name: u32) {
        let Some(feedback) = self.objects.transform_feedbacks.get(name) else { return };
        if feedback.active.is_some() {
            return self.fail("deleteTransformFeedback", GlError::invalid_operation("it is active"));
        }
        if self.state.bindings.transform_feedback == name {
            self.state.bindings.transform_feedback = 0;
        }
        if let Some(feedback) = self.objects.transform_feedbacks.remove(name) {
            for binding in feedback.bindings.iter().filter(|binding| binding.buffer != 0) {
                self.drop_buffer_refs(binding.buffer, 1);
            }
        }
    }

    pub fn bind_transform_feedback(&mut self, target: u32, name: u32) {
        let current = self.objects.transform_feedback(self.state.bindings.transform_feedback);
        let error = if target != c::TRANSFORM_FEEDBACK {
            GlError::invalid_enum("target must be TRANSFORM_FEEDBACK")
        } else if current.active.is_some_and(|active| !active.paused) {
            GlError::invalid_operation("transform feedback is active")
        } else if name != 0 && !self.objects.transform_feedbacks.contains(name) {
            GlError::invalid_operation("the transform feedback has been deleted")
        } else {
            self.objects.transform_feedback_mut(name).created = true;
            self.state.bindings.transform_feedback = name;
            return;
        };
        self.fail("bindTransformFeedback", error);
    }

    pub fn begin_transform_feedback(&mut self, mode: u32) {
        let result = self.validate_begin(mode);
        let mode = match result {
            Ok(mode) => mode,
            Err(error) => return self.fail("beginTransformFeedback", error),
        };
        let program = self.state.bindings.program;
        if let Some(program) = self.objects.programs.get_mut(program) {
            program.refs += 1;
        }
        let feedback = self.objects.transform_feedback_mut(self.state.bindings.transform_feedback);
        feedback.active = Some(ActiveFeedback { mode, paused: false, program, vertices: 0 });
    }

    fn validate_begin(&self, mode: u32) -> GlResult<PrimitiveMode> {
        let mode = match mode {
            c::POINTS => PrimitiveMode::Points,
            c::LINES => PrimitiveMode::Lines,
            c::TRIANGLES => PrimitiveMode::Triangles,
            _ => return Err(GlError::invalid_enum("mode must be POINTS, LINES or TRIANGLES")),
        };
        let feedback = self.objects.transform_feedback(self.state.bindings.transform_feedback);
        if feedback.active.is_some() {
            return Err(GlError::invalid_operation("transform feedback is active"));
        }
        let linked = self
            .objects
            .programs
            .get(self.state.bindings.program)
            .and_then(|program| program.linked.as_deref())
            .ok_or_else(|| GlError::invalid_operation("no program is in use"))?;
        if linked.feedback_strides.is_empty() {
            return Err(GlError::invalid_operation("the program captures no varyings"));
        }
        let bound = feedback.bindings.iter().take(linked.feedback_strides.len());
        for (i, binding) in bound.enumerate() {
            if binding.buffer == 0 {
                return Err(GlError::invalid_operation("a needed transform feedback binding has no buffer"));
            }
            // WebGL 2, "Transform feedback": one buffer may not be written through two bindings.
            if feedback.bindings.iter().take(i).any(|other| other.buffer == binding.buffer) {
                return Err(GlError::invalid_operation("one buffer is bound to several transform feedback points"));
            }
        }
        Ok(mode)
    }

    pub fn end_transform_feedback(&mut self) {
        let feedback = self.objects.transform_feedback_mut(self.state.bindings.transform_feedback);
        match feedback.active.take() {
            Some(active) => {
                if let Some(program) = self.objects.programs.get_mut(active.program) {
                    program.refs -= 1;
                    self.collect_program(active.program);
                }
            }
            None => self.fail("endTransformFeedback", GlError::invalid_operation("transform feedback is not active")),
        }
    }

    pub fn pause_transform_feedback(&mut self) {
        let feedback = self.objects.transform_feedback_mut(self.state.bindings.transform_feedback);
        match &mut feedback.active {
            Some(active) if !active.paused => active.paused = true,
            _ => self.fail(
                "pauseTransformFeedback",
                GlError::invalid_operation("transform feedback is not active, or paused already"),
            ),
        }
    }

    pub fn resume_transform_feedback(&mut self) {
        let program = self.state.bindings.program;
        let feedback = self.objects.transform_feedback_mut(self.state.bindings.transform_feedback);
        match &mut feedback.active {
            Some(active) if active.paused && active.program == program => active.paused = false,
            _ => self.fail(
                "resumeTransformFeedback",
                GlError::invalid_operation("transform feedback is not paused, or another program is in use"),
            ),
        }
    }
}
