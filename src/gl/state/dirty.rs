//! Which groups of draw state may differ from what the stream last said.

bitflags::bitflags! {
    /// Set by entry points, cleared when a draw has compared and sent the group. Order of sending is the order here.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Dirty: u32 {
        /// Draw framebuffer binding, its attachments, drawBuffers, or the drawing buffer's size.
        const RENDER_TARGETS = 1 << 0;
        const VIEWPORT = 1 << 1;
        const SCISSOR = 1 << 2;
        const RASTER = 1 << 3;
        const BLEND = 1 << 4;
        const DEPTH_STENCIL = 1 << 5;
        const MULTISAMPLE = 1 << 6;
        /// Current program, its link, or a variant bit.
        const PROGRAM = 1 << 7;
        /// Vertex array binding or content, generic attributes, data of lowered buffers.
        const VERTEX_INPUT = 1 << 8;
        /// Texture or sampler bindings, parameters or completeness; sampler uniforms.
        const TEXTURES = 1 << 9;
        /// Indexed uniform buffer bindings or block bindings.
        const UNIFORM_BUFFERS = 1 << 10;
        const FEEDBACK = 1 << 11;
    }
}
