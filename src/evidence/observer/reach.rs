//! Which of its targets a draw can change, by the state it is made with.

use crate::gl::command::{
    BlendComponent, BlendFactor, BlendOperation, BlendStates, CompareFunction, DepthStencilState, RenderTargets,
};

/// Write mask of the three colours. Alpha alone is none of the picture's.
pub const RGB: u8 = 7;

/// What a draw may leave something in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// A bit for each colour target.
    pub colors: u32,
    pub depth: bool,
}

impl Reach {
    pub fn nothing(self) -> bool {
        self.colors == 0 && !self.depth
    }
}

/// Draw state as the stream last said it; what it never said stops nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    pub depth_stencil: Option<DepthStencilState>,
    pub blend: Option<BlendStates>,
    pub constant: [f32; 4],
    /// RASTERIZER_DISCARD.
    pub discard: bool,
    /// SAMPLE_COVERAGE lets no sample through.
    pub no_samples: bool,
}

impl State {
    /// Does it both test and write depth?
    pub fn solid(&self) -> bool {
        self.depth_stencil.is_some_and(|state| state.depth.is_some() && state.depth_write)
    }

    /// What of `targets` the next draw reaches. `faint`: three.js' material lets everything through.
    pub fn reach(&self, targets: &RenderTargets, faint: bool) -> Reach {
        if self.discard || self.no_samples || self.never(targets) {
            return Reach::default();
        }
        let mut colors = 0;
        for (n, target) in targets.colors.iter().enumerate() {
            let leaves = self.blend.as_ref().and_then(|blend| blend.get(n)).is_none_or(|state| {
                let color = state.blend.as_ref().map(|(color, _)| color);
                state.write_mask & RGB != 0 && color.is_none_or(|color| self.changes(color, faint))
            });
            if target.is_some() && leaves {
                colors |= 1 << n;
            }
        }
        let written = self.depth_stencil.is_none_or(|state| state.depth.is_some() && state.depth_write);
        Reach { colors, depth: written && targets.depth.is_some() }
    }

    /// Does no fragment pass its tests?
    fn never(&self, targets: &RenderTargets) -> bool {
        let Some(state) = self.depth_stencil else { return false };
        let never = |compare| compare == CompareFunction::Never;
        // Without a buffer to test against every test passes.
        let stencil = state.stencil.filter(|_| targets.stencil.is_some());
        state.depth.filter(|_| targets.depth.is_some()).is_some_and(never)
            || stencil.is_some_and(|faces| never(faces.front.compare) && never(faces.back.compare))
    }

    /// Can blending change the target?
    fn changes(&self, color: &BlendComponent, faint: bool) -> bool {
        let [r, g, b, _] = self.constant;
        let constant = |value: f32| [r, g, b].iter().all(|c| *c == value);
        let zero = |factor| match factor {
            BlendFactor::Zero => true,
            BlendFactor::Constant => constant(0.0),
            BlendFactor::OneMinusConstant => constant(1.0),
            // three.js multiplies colours by alpha in the shader where the factor is one.
            BlendFactor::SrcAlpha | BlendFactor::One => faint,
            _ => false,
        };
        let one = |factor| match factor {
            BlendFactor::One => true,
            BlendFactor::Constant => constant(1.0),
            BlendFactor::OneMinusConstant => constant(0.0),
            BlendFactor::OneMinusSrcAlpha => faint,
            _ => false,
        };
        let sum = matches!(color.operation, BlendOperation::Add | BlendOperation::ReverseSubtract);
        !(sum && zero(color.src) && one(color.dst))
    }
}
