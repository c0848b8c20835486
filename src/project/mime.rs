use crate::host::RelPath;

/// Media type by extension, as a static file server would say.
pub fn mime_of(path: &RelPath) -> &'static str {
    match path.extension().as_deref() {
        Some("html" | "htm") => "text/html",
        Some("xhtml") => "application/xhtml+xml",
        Some("js" | "mjs" | "cjs") => "text/javascript",
        Some("json" | "map") => "application/json",
        Some("css") => "text/css",
        Some("txt" | "glsl" | "vert" | "frag" | "vs" | "fs" | "obj" | "mtl" | "md" | "csv" | "cube") => "text/plain",
        Some("svg") => "image/svg+xml",
        Some("xml" | "dae") => "text/xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("gif") => "image/gif",
        Some("bmp") => "image/bmp",
        Some("avif") => "image/avif",
        Some("wasm") => "application/wasm",
        Some("gltf") => "model/gltf+json",
        Some("glb") => "model/gltf-binary",
        Some("mp3") => "audio/mpeg",
        Some("ogg") => "audio/ogg",
        Some("wav") => "audio/wav",
        Some("mp4") => "video/mp4",
        Some("webm") => "video/webm",
        Some("ttf") => "font/ttf",
        Some("otf") => "font/otf",
        Some("woff") => "font/woff",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
