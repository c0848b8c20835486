//! Ops: convert arguments, borrow the state, one call, return. One file per interface group.

pub mod canvas2d;
pub mod clock;
pub mod compression;
pub mod console;
pub mod dom;
pub mod encoding;
pub mod evidence;
pub mod fetch;
pub mod film;
pub mod image;
pub mod media;
pub mod random;
pub mod script;
pub mod url;
pub mod webgl;
pub mod window;
