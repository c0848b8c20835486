//! Entry points by noun, each `impl Context`. Names are GL's in snake case; object name 0 = null; GLenum = `u32`.
