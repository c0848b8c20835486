//! Modules, scripts, fetch, pictures and blobs.

use super::*;

#[test]
fn scripts_run_in_the_order_of_the_standard() {
    // HTML 4.12.1: classic at once, deferred and modules after parsing in order, then DOMContentLoaded, then load.
    let html = r#"<!doctype html><html><head>
<script>log = []; document.addEventListener('DOMContentLoaded', () => log.push('content')); window.onload = () => { log.push('load'); console.log(log.join(' ')); };</script>
<script type="module">log.push('module ' + document.readyState);</script>
<script defer src="d.js"></script>
<script src="c.js"></script>
<script type="text/x-template">not a script</script>
</head><body>
<script>log.push('body ' + (document.querySelector('p') === null) + (document.currentScript.parentNode === document.body));</script>
<p>later</p>
<script type="module" src="m.js"></script>
</body></html>"#;
    let files = [
        ("index.html", html),
        ("d.js", "log.push('deferred')"),
        ("c.js", "log.push('classic')"),
        ("m.js", "import './n.js'; log.push('m ' + import.meta.url + ' ' + (document.currentScript === null))"),
        ("n.js", "log.push('n')"),
    ];
    assert_eq!(
        said(&files, 0),
        ["classic body truetrue module interactive deferred n m http://localhost/m.js true content load"]
    );
}

#[test]
fn scripts_can_be_added_by_the_page() {
    let js = "const s = document.createElement('script'); s.src = 'x.js'; s.onload = () => console.log('loaded', window.x); document.head.append(s);
        const t = document.createElement('script'); t.textContent = 'window.y = 2'; document.head.append(t); console.log(window.y);
        const u = document.createElement('script'); u.src = 'none.js'; u.onerror = () => console.log('error event'); document.head.append(u);
        document.body.innerHTML = '<script>window.z = 3<' + '/script>'; console.log(window.z);";
    assert_eq!(said(&[("main.js", js), ("x.js", "window.x = 1")], 1), ["2", "undefined", "loaded 1", "error event"]);
}

#[test]
fn modules_of_every_kind() {
    let js = "import data from './d.json'; import data2 from './d.json' with { type: 'json' }; import text from './s.glsl'; import url from './p.bin';
        import { named } from 'pkg/sub'; import './style.css';
        console.log(data.a, data2.a, text, url, named, import.meta.resolve('pkg/sub'), new URL('./q', import.meta.url).href);
        const inline = await import('data:text/javascript,export default 5'); const blob = URL.createObjectURL(new Blob(['export const b = 6'], { type: 'text/javascript' }));
        console.log(inline.default, (await import(blob)).b);";
    let files = [
        ("main.js", js),
        ("d.json", r#"{"a":1}"#),
        ("s.glsl", "void main(){}"),
        ("p.bin", ""),
        ("style.css", "a{}"),
        ("node_modules/pkg/package.json", r#"{"exports":{"./sub":"./lib/s.js"}}"#),
        ("node_modules/pkg/lib/s.js", "export const named = 'N'"),
    ];
    assert_eq!(
        said(&files, 0),
        [
            "1 1 void main(){} http://localhost/p.bin N http://localhost/node_modules/pkg/lib/s.js http://localhost/q",
            "5 6"
        ]
    );
}

#[test]
fn fetch_gives_responses() {
    let js = "const r = await fetch('./d.json?x=1#y'); console.log(r.ok, r.status, r.url, r.headers.get('Content-Type'), r.bodyUsed);
        const c = r.clone(); console.log((await r.json()).a, r.bodyUsed, (await c.text()).length, (await (await fetch('data:text/plain;base64,aGk=')).text()));
        try { await r.text() } catch (e) { console.log(e.name) }
        const reader = (await fetch('d.json')).body.getReader(); let n = 0; for (;;) { const { done, value } = await reader.read(); if (done) break; n += value.length; } console.log(n);
        const x = new XMLHttpRequest(); x.open('GET', 'd.json'); x.responseType = 'json'; x.onload = () => console.log(x.status, x.response.a, x.readyState); x.send();
        const b = new Blob(['ab', new Uint8Array([99])], { type: 'Text/Plain' }); console.log(b.size, b.type, await b.text(), await b.slice(1).text());
        const f = new FileReader(); f.onload = () => console.log(f.result); f.readAsDataURL(b);
        console.log(await (await fetch(URL.createObjectURL(b))).text(), new TextDecoder().decode(await new Response('é').arrayBuffer()));
        const a = new AbortController(); a.abort(); try { await fetch('d.json', { signal: a.signal }) } catch (e) { console.log(e.name) }";
    // Tasks interleave with awaits: the same lines, whatever their order.
    let mut got = said(&[("main.js", js), ("d.json", r#"{"a":1}"#)], 1);
    got.sort();
    let mut want = [
        "true 200 http://localhost/d.json?x=1#y application/json false",
        "1 true 7 hi",
        "TypeError",
        "7",
        "3 text/plain abc bc",
        "abc é",
        "AbortError",
        "200 1 4",
        "data:text/plain;base64,YWJj",
    ];
    want.sort_unstable();
    assert_eq!(got, want);
}

#[test]
fn pictures_decode() {
    // A 2×1 PNG: red, then green at half alpha.
    let png =
        crate::runtime::ops::image::encode(2, 1, &[255, 0, 0, 255, 0, 255, 0, 128], "image/png", 0.0).expect("png");
    let data = format!("data:image/png;base64,{}", crate::runtime::ops::encoding::base64_encode(&png));
    let js = format!(
        "const src = '{data}';
        const img = new Image(); img.onload = () => console.log('load', img.width, img.height, img.naturalWidth, img.complete); img.onerror = () => console.log('bad'); img.src = src;
        console.log(img.complete, img instanceof HTMLImageElement, img.localName);
        await img.decode(); console.log('decoded');
        const bad = new Image(); bad.onerror = () => console.log('error', bad.complete, bad.naturalWidth); bad.src = 'none.png';
        const b = await createImageBitmap(await (await fetch(src)).blob(), {{ imageOrientation: 'flipY' }}); console.log(b.width, b.height, b instanceof ImageBitmap);
        const d = new ImageData(2, 3); console.log(d.data.length, d.width, d.height); try {{ new ImageData(0, 1) }} catch (e) {{ console.log(e.name) }}
        const c = document.createElement('canvas'); console.log(c.width, c.height, c.toDataURL('image/png').slice(0, 22));"
    );
    let got = said(&[("main.js", &js)], 1);
    assert_eq!(
        got,
        [
            "false true img",
            "load 2 1 2 true",
            "decoded",
            "error true 0",
            "2 1 true",
            "24 2 3",
            "IndexSizeError",
            "300 150 data:image/png;base64,"
        ]
    );
}

#[test]
fn digests_are_right() {
    // FIPS 180-2: SHA-256 of "abc".
    let js = "const h = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('abc'))); console.log(h[0], h[31], h.length);
        try { await crypto.subtle.digest('MD5', h) } catch (e) { console.log(e.name) }";
    assert_eq!(logs(js), ["186 173 32", "NotSupportedError"]);
}

#[test]
fn packages_in_commonjs_can_be_imported() {
    let umd = "(function(r,f){'object'===typeof exports&&'undefined'!==typeof module?module.exports=f(require('three')):r.P=f(r.THREE)})(this,function(T){return{rev:T.REVISION}});";
    let files = [
        ("main.js", "import P from 'p';\nimport { one } from 'q'; console.log(P.rev, one);"),
        ("node_modules/p/index.js", umd),
        ("node_modules/q/index.js", "exports.one = process.env.NODE_ENV;"),
        ("node_modules/three/package.json", "{\"module\": \"three.module.js\"}"),
        ("node_modules/three/three.module.js", "export const REVISION = '186';"),
    ];
    assert_eq!(said(&files, 0), ["186 production"]);
}

#[test]
fn streams_are_packed_and_unpacked() {
    // "expected output" as zlib 1.2.13 packs it; the streams as the Compression Standard's tests use them.
    let js = "const zlib = new Uint8Array([120, 156, 75, 173, 40, 72, 77, 46, 73, 77, 81, 200, 47, 45, 41, 40, 45, 1, 0, 48, 173, 6, 36]);
        const unpack = async (bytes, format) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))).text();
        console.log(await unpack(zlib, 'deflate'), await unpack(zlib.slice(2, 19), 'deflate-raw'));
        for (const format of ['gzip', 'deflate', 'deflate-raw']) {
            const packed = await new Response(new Blob(['a'.repeat(100000)]).stream().pipeThrough(new CompressionStream(format))).arrayBuffer();
            console.log(format, packed.byteLength < 1000, (await unpack(packed, format)).length);
        }
        for (const bad of [zlib.slice(0, 15), new Uint8Array([...zlib, 0]), new Uint8Array([1, 2, 3])]) {
            try { await unpack(bad, 'deflate'); console.log('fine') } catch (e) { console.log(e.name) }
        }
        const writer = new DecompressionStream('deflate'); const w = writer.writable.getWriter(); w.write(zlib); w.close();
        console.log(new TextDecoder().decode((await writer.readable.getReader().read()).value));
        try { new CompressionStream('brotli') } catch (e) { console.log(e.name) }
        const text = new Blob([new Uint8Array([0xe2, 0x82, 0xac])]).stream().pipeThrough(new TextDecoderStream()); console.log((await text.getReader().read()).value);";
    assert_eq!(
        logs(js),
        [
            "expected output expected output",
            "gzip true 100000",
            "deflate true 100000",
            "deflate-raw true 100000",
            "TypeError",
            "TypeError",
            "TypeError",
            "expected output",
            "TypeError",
            "\u{20ac}"
        ]
    );
}
