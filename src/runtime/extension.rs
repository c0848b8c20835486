//! The single place that names ops, objects and shims, and the order the shims load in.

use super::ops;

deno_core::extension!(
    replay,
    ops = [
        ops::console::op_console,
        ops::console::op_unsupported,
        ops::image::op_image_decode,
        ops::image::op_image_from_rgba,
        ops::image::op_image_pixels,
    ],
    objects = [ops::image::Bitmap],
    esm_entry_point = "ext:replay/99_main.js",
    esm = [
        dir "js_shims",
        "00_primordials.js",
        "99_main.js",
    ],
);
