//! The single place that names ops, objects and shims, and the order the shims load in.

use std::borrow::Cow;

use deno_core::ExtensionFileSource;

use super::ops;
use super::ops::webgl::webgl_ops;

/// Shims, in order of loading. A debug build reads them from disk at start, so that they can be changed without compiling.
macro_rules! shims {
    ($($file:literal),* $(,)?) => {
        const SHIMS: &[ExtensionFileSource] = &[$(shim!($file)),*];
    };
}

#[cfg(debug_assertions)]
macro_rules! shim {
    ($file:literal) => {
        ExtensionFileSource::loaded_during_snapshot(
            concat!("ext:replay/", $file),
            concat!(env!("CARGO_MANIFEST_DIR"), "/js_shims/", $file),
        )
    };
}

#[cfg(not(debug_assertions))]
macro_rules! shim {
    ($file:literal) => {
        ExtensionFileSource::new(
            concat!("ext:replay/", $file),
            deno_core::ascii_str_include!(concat!(env!("CARGO_MANIFEST_DIR"), "/js_shims/", $file)),
        )
    };
}

shims![
    "00_primordials.js",
    "01_errors.js",
    "01_console.js",
    "02_realm.js",
    "02_events.js",
    "02_event_kinds.js",
    "03_clock.js",
    "04_hooks.js",
    "04_random.js",
    "05_dom_util.js",
    "05_dom_viewport.js",
    "05_dom_node.js",
    "05_dom_selectors.js",
    "05_dom_shorthands.js",
    "05_dom_style.js",
    "05_dom_length.js",
    "05_dom_media.js",
    "05_dom_sheets.js",
    "05_dom_cssom.js",
    "05_dom_imports.js",
    "05_dom_cascade.js",
    "05_dom_container.js",
    "05_dom_boxes.js",
    "05_dom_computed.js",
    "05_dom_attributes.js",
    "05_dom_rect.js",
    "05_dom_element.js",
    "05_dom_markup.js",
    "05_dom_xml.js",
    "05_dom_html.js",
    "05_dom_input.js",
    "05_dom_canvas.js",
    "05_dom_document.js",
    "05_dom_scripts.js",
    "05_dom_window.js",
    "05_dom_location.js",
    "05_dom_navigator.js",
    "05_dom_storage.js",
    "05_dom_observers.js",
    "05_messages.js",
    "05_dom_scroll.js",
    "05_dom_transitions.js",
    "05_worker_names.js",
    "05_worker_scope.js",
    "05_worker.js",
    "06_text.js",
    "06_streams.js",
    "06_blob.js",
    "06_url.js",
    "06_compression.js",
    "06_clone.js",
    "06_headers.js",
    "06_body.js",
    "06_fetch.js",
    "06_xhr.js",
    "07_image.js",
    "07_srcset.js",
    "08_geometry.js",
    "08a_canvas2d_objects.js",
    "08b_canvas2d_paths.js",
    "08c_fonts.js",
    "08d_canvas2d_state.js",
    "08e_canvas2d.js",
    "08f_bitmap_renderer.js",
    "09a_webgl_constants.js",
    "09b_webgl_base.js",
    "09c_webgl_objects.js",
    "09d_webgl_state.js",
    "09e_webgl_buffers.js",
    "09f_webgl_programs.js",
    "09g_webgl_uniforms.js",
    "09h_webgl_textures.js",
    "09i_webgl_framebuffers.js",
    "09j_webgl_draw.js",
    "09k_webgl_objects2.js",
    "09m_webgl_sources.js",
    "09p_webgl_extension_tables.js",
    "09q_webgl_extensions.js",
    "09r_webgl_context_loss.js",
    "09s_webgl_contexts.js",
    "10_media.js",
    "10_audio.js",
    "10_recording.js",
    "10_refusals.js",
    "11_evidence_log.js",
    "11_evidence_objects.js",
    "11_evidence_boxes.js",
    "11_evidence_opacity.js",
    "11_evidence_walk.js",
    "11_evidence.js",
    "12_left_out.js",
    "12_requests.js",
    "99_main.js",
];

deno_core::extension!(
    replay,
    ops_fn = webgl_ops,
    ops = [
        ops::clock::op_now_ms,
        ops::clock::op_date_ms,
        ops::clock::op_time_origin,
        ops::clock::op_timer_set,
        ops::clock::op_timer_again,
        ops::clock::op_timer_cancel,
        ops::compression::op_codec,
        ops::compression::op_codec_end,
        ops::compression::op_codec_write,
        ops::console::op_console,
        ops::console::op_unsupported,
        ops::dom::op_parse_html,
        ops::dom::op_parse_html_fragment,
        ops::encoding::op_base64_decode,
        ops::encoding::op_base64_encode,
        ops::encoding::op_data_url,
        ops::encoding::op_digest,
        ops::encoding::op_text_decode,
        ops::encoding::op_encoding_of,
        ops::encoding::op_html_encoding,
        ops::encoding::op_text_encode,
        ops::evidence::op_evidence_ancestor,
        ops::evidence::op_evidence_body_size,
        ops::evidence::op_evidence_flush,
        ops::evidence::op_evidence_instances,
        ops::evidence::op_evidence_match,
        ops::evidence::op_evidence_object,
        ops::evidence::op_evidence_open,
        ops::evidence::op_evidence_subject,
        ops::fetch::op_fetch,
        ops::fetch::op_asks,
        ops::fetch::op_lacks,
        ops::fetch::op_leaves,
        ops::fetch::op_network,
        ops::film::op_film_behind,
        ops::film::op_film_picture,
        ops::film::op_film_shown,
        ops::fetch::op_own_bytes,
        ops::image::op_image_decode,
        ops::image::op_image_encode,
        ops::media::op_decode_wav,
        ops::media::op_media_name,
        ops::media::op_media_seconds,
        ops::random::op_random,
        ops::random::op_random_fill,
        ops::script::op_asked_at,
        ops::script::op_import_map,
        ops::script::op_inline_module,
        ops::script::op_blob_module,
        ops::script::op_invoke,
        ops::script::op_report_exception,
        ops::script::op_report_missing,
        ops::script::op_run_script,
        ops::script::op_set_hook,
        ops::script::op_thrown_at,
        ops::script::op_worker_alias,
        ops::script::op_worker_rename,
        ops::script::op_worker_spelled,
        ops::script::op_worker_script,
        ops::script::op_keep_alive,
        ops::url::op_form_parse,
        ops::url::op_form_serialize,
        ops::url::op_url_parse,
        ops::url::op_url_set,
        ops::window::op_setup,
    ],
    esm_entry_point = "ext:replay/99_main.js",
    customizer = |extension: &mut deno_core::Extension| {
        extension.esm_files = Cow::Owned(SHIMS.to_vec());
        extension.ops.to_mut().extend(ops::canvas2d::canvas2d_ops());
    },
);
