//! The list of this interface's ops, for the extension.

use deno_core::OpDecl;

use super::{draw, length, path, state, style};

/// All of them.
pub fn canvas2d_ops() -> Vec<OpDecl> {
    vec![
        draw::op_c2d_rect(),
        draw::op_c2d_paint(),
        draw::op_c2d_paint_path(),
        draw::op_c2d_is_point_in(),
        draw::op_c2d_is_point_in_path2d(),
        draw::op_c2d_text(),
        draw::op_c2d_measure_text(),
        draw::op_c2d_draw_image(),
        draw::op_c2d_image_data(),
        draw::op_c2d_put_image_data(),
        draw::op_c2d_pixels(),
        length::op_svg_length_new(),
        length::op_svg_length(),
        length::op_svg_point(),
        path::op_c2d_begin_path(),
        path::op_c2d_path(),
        path::op_c2d_path2d(),
        path::op_c2d_ellipse(),
        path::op_c2d_ellipse2d(),
        path::op_c2d_round_rect(),
        path::op_c2d_round_rect2d(),
        path::op_c2d_new_path(),
        path::op_c2d_copy_path(),
        path::op_c2d_add_path(),
        state::op_c2d_new(),
        state::op_c2d_resize(),
        state::op_c2d_save(),
        state::op_c2d_restore(),
        state::op_c2d_reset(),
        state::op_c2d_transform(),
        state::op_c2d_get_transform(),
        state::op_c2d_set_number(),
        state::op_c2d_set_dash(),
        state::op_c2d_set_word(),
        state::op_c2d_set_font(),
        state::op_c2d_set_shadow_color(),
        state::op_c2d_add_font(),
        style::op_c2d_set_color(),
        style::op_css_color(),
        style::op_c2d_set_gradient(),
        style::op_c2d_set_pattern(),
        style::op_c2d_new_gradient(),
        style::op_c2d_add_stop(),
        style::op_c2d_new_pattern(),
        style::op_c2d_pattern_transform(),
    ]
}
