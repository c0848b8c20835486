//! What of a page the video leaves out. Expected is what Chromium shows of each page, as far as no layout is needed to know it.

use super::*;

/// A canvas of 640x480 that is drawn on: the film.
const FILM: &str = "<canvas id=film width=640 height=480></canvas><script>const g = document.getElementById('film').getContext('2d'); g.fillRect(0, 0, 9, 9);</script>";

/// What was seen over the canvas and perhaps beside it, in `frames` frames at 10 fps.
fn seen(html: &str, frames: u64) -> (String, String) {
    let out = report(html, frames).left_out;
    (out.over, out.perhaps)
}

fn report(html: &str, frames: u64) -> Report {
    let options = RuntimeOptions {
        fps: "10".parse().expect("rate"),
        width: 640,
        height: 480,
        frames: Some(frames),
        ..Default::default()
    };
    let mut rt = page(&[("index.html", html)], options);
    rt.load().unwrap_or_else(|e| panic!("{e:?}"));
    for n in 0..frames {
        rt.run_frame(n).unwrap_or_else(|e| panic!("{e:?}"));
    }
    rt.report()
}

#[test]
fn an_ordinary_page_leaves_nothing_out() {
    for (before, after) in [
        ("", ""),
        ("<style>html, body { margin: 0; background: #000; overflow: hidden } canvas { display: block }</style>", ""),
        ("<title>t</title><noscript>no script</noscript><div id=app></div>", "<script>0</script>"),
        (
            "<div hidden>Loading</div><div style='display:none'>x</div>",
            "<input type=file style='display: none'><input type=hidden>",
        ),
        ("<style>.off { opacity: 0 } .gone { visibility: hidden }</style><p class=off>a</p><p class=gone>b</p>", ""),
        (
            "<template><p>later</p></template><dialog>closed</dialog>",
            "<div style='position:fixed;left:-9999px;width:10px'>away</div>",
        ),
        // Below a canvas that fills the viewport, in the flow.
        ("", "<h2>About</h2><p>text</p>"),
        // Without contents or a size a background covers nothing.
        (
            "<div style='position:absolute;background:red'></div>",
            "<div style='background:red;height:0;overflow:hidden'>x</div>",
        ),
        (
            "<svg style='position:absolute' width=0 height=0><defs></defs></svg>",
            "<canvas style='position:fixed'></canvas>",
        ),
        ("<div style='position:fixed;transform:scale(0)'>x</div>", "<details style='position:fixed'></details>"),
    ] {
        let html = format!("<body>{before}<div id=box>{FILM}</div>{after}");
        assert_eq!(seen(&html, 3), (String::new(), String::new()), "{html}");
    }
}

#[test]
fn what_stands_over_the_canvas_is_named() {
    for (html, over, perhaps) in [
        (
            "<div id=hud class='panel dark x' style='position:fixed'>Speed <b>12</b></div>",
            "<div#hud.panel.dark> \"Speed 12\"",
            "",
        ),
        (
            "<style>.hud { position: absolute; top: 0 }</style><div class=hud><p>a</p><p>b</p></div>",
            "<div.hud> \"a b\"",
            "",
        ),
        ("<h1>Title</h1>", "", "<h1> \"Title\""),
        ("<dialog id=d>Paused</dialog><script>d.showModal()</script>", "<dialog#d> \"Paused\"", ""),
        ("<div style='position:fixed;inset:0;background:rgb(0 0 0 / 50%)'></div>", "<div>", ""),
        ("<div class=glass style='position:fixed;inset:0;backdrop-filter:blur(5px)'></div>", "<div.glass>", ""),
        ("<div style='position:fixed;width:9px;height:9px;border:1px solid red'></div>", "<div>", ""),
        // As stats.js makes it: a canvas that was drawn on.
        (
            "<div style='position:fixed'><canvas id=s></canvas></div><script>document.getElementById('s').getContext('2d').fillRect(0, 0, 5, 5)</script>",
            "<div> with <canvas#s>",
            "",
        ),
        ("<button id=go>Go</button>", "", "<button#go> \"Go\""),
        // CSS2DRenderer places labels so.
        (
            "<div style='position:absolute;top:0'><div style='position:absolute;transform:translate(-50%,-50%) translate(320px,240px)'>Moon</div></div>",
            "<div> \"Moon\"",
            "",
        ),
        // As dat.GUI makes it: no height, its contents overflow.
        (
            "<div class=dg style='position:fixed;top:0;left:0;right:0;height:0'><div><b>speed</b></div></div>",
            "<div.dg> \"speed\"",
            "",
        ),
        (
            "<p style='position:absolute'>0123456789 0123456789 0123456789 0123456789</p>",
            "<p> \"0123456789 0123456789 01234567...\"",
            "",
        ),
    ] {
        assert_eq!(seen(&format!("<body>{html}{FILM}"), 3), (over.to_owned(), perhaps.to_owned()), "{html}");
    }
    // A canvas out of the flow lies under what flows.
    let behind = FILM.replace("<canvas ", "<canvas style='position:fixed;z-index:-1' ");
    assert_eq!(seen(&format!("<body>{behind}<h1>Title</h1>"), 3).0, "<h1> \"Title\"");
    let below = format!("<body><div id=sky style='position:fixed;inset:0;z-index:-1;background:red'></div>{FILM}");
    let out = report(&below, 1).left_out;
    assert_eq!([out.over, out.perhaps, out.under], ["", "", ""], "a plain colour is in the video");
    let out = report(&below.replace("background:red", "background:linear-gradient(red, blue)"), 1).left_out;
    assert_eq!([out.over, out.perhaps, out.under], ["", "", "<div#sky>"]);
    let out = report(
        &below.replace("id=sky", "id=sky class='a b'").replace("inset:0", "left:0;top:0;width:50%;height:9px"),
        1,
    );
    assert_eq!(out.left_out.under, "<div#sky.a.b>", "not all over it");
}

/// Boxes of `::before` and `::after`, as Chromium shows them.
#[test]
fn what_styles_generate_is_told_as_elements_are() {
    let styled = |css: &str, html: &str| format!("<body><style>{css}</style>{html}{FILM}");
    for (css, html, over, perhaps) in [
        ("body::before { content: 'v1.2'; position: fixed; top: 0 }", "", "<body>::before \"v1.2\"", ""),
        (
            "html:after { content: ''; position: fixed; inset: 0; background: rgb(0 0 0 / 50%) }",
            "",
            "<html>::after",
            "",
        ),
        (
            ".hud::before { content: 'Speed ' attr(data-of) '\\41'; position: absolute }",
            "<div class=hud data-of=12></div>",
            "<div.hud> \"Speed 12A\"",
            "",
        ),
        ("#app::before { content: 'note' }", "<div id=app></div>", "", "<div#app> \"note\""),
        ("#p::after { content: url(x.png) }", "<p id=p></p>", "", "<p#p> with <p#p>::after"),
        // Not there: no content, hidden, elements that have none, nothing to see.
        ("body::before { position: fixed; inset: 0; background: red }", "", "", ""),
        ("body::before { content: none; position: fixed; inset: 0; background: red }", "", "", ""),
        ("body::before { content: 'x'; display: none } i:hover::after { content: 'y' }", "<i></i>", "", ""),
        ("canvas::before { content: 'x'; position: fixed }", "", "", ""),
        (
            ".c::after { content: ''; display: table; clear: both } b::before { content: ''; width: 9px; height: 9px; background: red }",
            "<div class=c></div><b></b>",
            "",
            "",
        ),
        ("#off { display: none } #off::before { content: 'x' }", "<p id=off></p>", "", ""),
    ] {
        assert_eq!(seen(&styled(css, html), 3), (over.to_owned(), perhaps.to_owned()), "{css}");
    }
    // Below the canvas: what is a plain colour all over is in the video, the rest is told.
    let below = "content: ''; position: fixed; inset: 0; z-index: -1;";
    for (css, color, under) in [
        (format!("body::before {{ {below} background: #b5179e }}"), [181, 23, 158], ""),
        (format!("html {{ background: red }} body::after {{ {below} background: rgb(0 0 0 / 50%) }}"), [128, 0, 0], ""),
        (format!("html::before {{ {below} --c: #010203; background: var(--c) }}"), [1, 2, 3], ""),
        (
            format!("body::before {{ {below} background: linear-gradient(red, blue) }}"),
            [255, 255, 255],
            "<body>::before",
        ),
        (format!("body::before {{ {below} background: red; width: 50% }}"), [255, 255, 255], "<body>::before"),
        (format!("body::before {{ {below} background: red; content: none }}"), [255, 255, 255], ""),
    ] {
        let options = RuntimeOptions { width: 640, height: 480, ..Default::default() };
        let mut rt = page(&[("index.html", &styled(&css, ""))], options);
        rt.load().unwrap_or_else(|e| panic!("{e:?}"));
        let frame = rt.run_frame(0).unwrap_or_else(|e| panic!("{e:?}"));
        let out = rt.report().left_out;
        assert_eq!((frame.behind.color, &*out.under, &*out.over), (color, under, ""), "{css}");
    }
}

/// As three.js' AsciiEffect does it: what is drawn never gets onto the page, text does.
#[test]
fn a_canvas_that_is_never_on_the_page_is_told() {
    let never = "const c = document.createElement('canvas'); c.width = 640; c.height = 480;
        const g = c.getContext('webgl2') ?? c.getContext('2d'); g.fillRect?.(0, 0, 9, 9);";
    let look = |script: &str| {
        let out = report(&format!("<body><div id=app></div><script>{never}{script}</script>"), 3).left_out;
        (out.over, out.perhaps)
    };
    assert_eq!(look(""), (String::new(), String::new()));
    let ascii = "const d = document.createElement('div'); d.innerHTML = '<table><tr><td>..::@@</td></tr></table>'; document.body.append(d);";
    assert_eq!(look(ascii), (String::new(), "<div> \"..::@@\"".to_owned()));
}

#[test]
fn it_is_looked_at_in_the_first_frame_each_second_and_in_the_last() {
    let toast = |at: u32, until: u32| {
        format!(
            "<body>{FILM}<script>const d = document.createElement('div'); d.style.position = 'fixed'; d.textContent = 'Hi';
            setTimeout(() => document.body.append(d), {at}); setTimeout(() => d.remove(), {until});</script>"
        )
    };
    // Frames of 100 ms: a loader that goes before the first one is no lack.
    let loader = format!(
        "<body><div id=l style='position:fixed;inset:0'>Loading</div>{FILM}<script>document.getElementById('l').remove()</script>"
    );
    assert_eq!(seen(&loader, 15).0, "");
    assert_eq!(seen(&toast(0, 50), 15).0, "<div> \"Hi\"");
    assert_eq!(seen(&toast(950, 1050), 15).0, "<div> \"Hi\" (from frame 10 or a little earlier)");
    assert_eq!(seen(&toast(1350, 9000), 15).0, "<div> \"Hi\" (from frame 14 or a little earlier)");
    assert_eq!(seen(&toast(1150, 1250), 15).0, "");
}

#[test]
fn the_colour_behind_is_the_pages() {
    let behind = |html: &str| {
        let options = RuntimeOptions { width: 640, height: 480, ..Default::default() };
        let mut rt = page(&[("index.html", html)], options);
        rt.load().unwrap_or_else(|e| panic!("{e:?}"));
        let frame = rt.run_frame(0).unwrap_or_else(|e| panic!("{e:?}"));
        (frame.behind.color, rt.report().left_out.behind)
    };
    for (html, color, text) in [
        (String::new(), [255, 255, 255], ""),
        ("<style>body { background: #102030 }</style>".into(), [16, 32, 48], ""),
        (
            "<style>html { background: #fff } body { background: rgba(0, 0, 0, 0.5) }</style>".into(),
            [128, 128, 128],
            "",
        ),
        ("<style>body { background: red } #film { background-color: #00f }</style>".into(), [0, 0, 255], ""),
        ("<style>:root { color-scheme: dark }</style>".into(), [18, 18, 18], ""),
        (
            "<style>body { background: url(sky.png) #123456 }</style>".into(),
            [18, 52, 86],
            "the background of <body> (url(sky.png) #123456)",
        ),
        ("<script>document.body.setAttribute('bgcolor', '102030')</script>".into(), [16, 32, 48], ""),
        (
            "<style>body { background-color: #040506 }</style><script>document.body.setAttribute('bgcolor', 'red')</script>".into(),
            [4, 5, 6],
            "",
        ),
        (
            "<script>document.body.setAttribute('background', 'sky.png')</script>".into(),
            [255, 255, 255],
            "the background of <body> (url(\"sky.png\"))",
        ),
        // Half black, half white: their mean.
        (
            "<style>body { background: linear-gradient(#000, #fff) }</style>".into(),
            [128, 128, 128],
            "the background of <body> (linear-gradient(#000, #fff))",
        ),
        // What is not read, or changes, is told.
        (
            "<style>body { background: #102030; background: hsl(from red h s l) }</style>".into(),
            [16, 32, 48],
            "the background of <body> (hsl(from red h s l)), which is not read",
        ),
        (
            "<style>@keyframes hue { to { background: red } } body { background: #102030; animation: hue 2s }</style>"
                .into(),
            [16, 32, 48],
            "the background of <body>, which the animation hue changes",
        ),
        // A picture under an opaque colour is hidden.
        ("<style>body { background: url(a.png) } #film { background: #040506 }</style>".into(), [4, 5, 6], ""),
    ] {
        let (seen, left) = behind(&format!("<body>{html}{FILM}"));
        assert_eq!((seen, left.as_str()), (color, text), "{html}");
    }
}

#[test]
fn styles_of_the_canvas_are_told() {
    let html = format!("<body><style>canvas {{ filter: blur(3px); opacity: 0.5 }}</style>{FILM}");
    assert_eq!(report(&html, 2).left_out.worn, "opacity: 0.5 of <canvas#film>, filter: blur(3px) of <canvas#film>");
    for (style, worn) in [
        ("#film { transform: translate(-50%, -50%); border-radius: 0 }", ""),
        ("#film { transform: rotate(90deg) }", "transform: rotate(90deg) of <canvas#film>"),
        ("#film { border-radius: 12px }", "border-radius: 12px of <canvas#film>"),
        ("#film { display: none }", "display: none of <canvas#film>"),
        ("#film { position: absolute; left: -5000px }", "a place outside of the window of <canvas#film>"),
        ("#film { position: absolute; left: -20px }", ""),
        ("#film { width: 0; height: 0 }", "a width or height of 0 of <canvas#film>, or around it"),
        ("#film { visibility: hidden }", "visibility: hidden of <canvas#film>"),
        ("#box { display: none }", "display: none of <div#box>"),
        ("#box { border-radius: 9px; overflow: hidden }", "border-radius: 9px of <div#box>"),
        ("#box { border-radius: 9px }", ""),
    ] {
        let html = format!("<body><style>{style}</style><div id=box>{FILM}</div>");
        assert_eq!(report(&html, 1).left_out.worn, worn, "{style}");
    }
}

#[test]
fn characters_without_a_glyph_are_named() {
    let text = |text: &str| {
        let report = report(&format!("<body>{FILM}<script>g.fillText('{text}', 9, 9)</script>"), 1);
        let told = report.warnings.iter().any(|w| w.contains("no font here has"));
        assert_eq!(told, report.unsupported.iter().any(|u| u.member.contains("without a glyph")), "{report:?}");
        report.warnings.join("\n")
    };
    assert_eq!(text("Caf\u{e9} \u{416}\u{3b1}\u{200d}\u{fe0f} fi"), "");
    let said = text("\u{4e2d}\u{6587} a \u{1f600}\u{1f980}");
    for name in ["U+4E2D", "U+6587", "U+1F980"] {
        assert!(said.contains(name), "{said}");
    }
    // DejaVu Sans has this face.
    assert!(!said.contains("U+1F600"), "{said}");
    // What is measured only is not seen.
    let measured = report(&format!("<body>{FILM}<script>g.measureText('\u{4e2d}')</script>"), 1);
    assert!(measured.warnings.is_empty(), "{:?}", measured.warnings);
}

/// DejaVu Sans Mono under another name: every letter is as wide as every other (0.602 em, its `hmtx`), by each way of loading it.
#[test]
fn fonts_of_the_page_are_drawn_with() {
    let file = |name: &'static str| (name, dejavu::sans_mono::regular().to_vec());
    let run = |html: &str| {
        let files = [
            ("index.html", html.as_bytes().to_vec()),
            file("mono.ttf"),
            file("f/deep.ttf"),
            ("a.woff2", b"wOF2".to_vec()),
        ];
        let style = ("f/s.css", b"@font-face { font-family: Linked; src: url(deep.ttf) }".to_vec());
        let root = MemoryRoot::new(files.into_iter().chain([style]));
        let project = Project::from_roots(Arc::new(root), Vec::new(), None).expect("project");
        let mut rt = Runtime::new(Arc::new(project), RuntimeOptions::default(), no_gl()).expect("runtime");
        rt.load().unwrap_or_else(|e| panic!("{e:?}"));
        rt.report()
    };
    let measure = "const width = (f, t) => { g.font = `100px ${f}`; return g.measureText(t).width.toFixed(1); };";
    let html =
        |head: &str, script: &str| format!("<!doctype html>{head}<body>{FILM}<script>{measure}{script}</script>");
    let said = |report: &Report| report.console.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    for (head, script) in [
        (
            "<style>@font-face { font-family: 'My Mono'; src: url(a.woff2) format('woff2'), url(mono.ttf) format('truetype') }</style>",
            "console.log(width('\"My Mono\"', 'ii'), width('\"My Mono\"', 'MM'))",
        ),
        ("<link rel=stylesheet href=f/s.css>", "console.log(width('Linked, serif', 'ii'), width('Linked', 'MM'))"),
        (
            "",
            "new FontFace('M', 'url(mono.ttf)').load().then((f) => { document.fonts.add(f); console.log(width('M', 'ii'), width('M', 'MM')) })",
        ),
        (
            "",
            "fetch('mono.ttf').then((r) => r.arrayBuffer()).then((b) => { const f = new FontFace('Arial', b); document.fonts.add(f); console.log(width('Arial', 'ii'), width('Arial', 'MM'), f.status) })",
        ),
    ] {
        let report = run(&html(head, script));
        assert_eq!(said(&report).join(" ").replace(" loaded", ""), "120.4 120.4", "{head}{script}");
        assert!(report.unsupported.is_empty(), "{:?}", report.unsupported);
    }
    // What cannot be read is said, and text falls back.
    let report = run(&html(
        "<style>@font-face { font-family: W; src: url(a.woff2) }</style>",
        "console.log(width('W', 'ii') !== width('W', 'MM'))",
    ));
    assert_eq!(said(&report), ["true"]);
    assert_eq!(report.unsupported[0].member, "load(woff2)");
    let report = run(&html("", "new FontFace('N', 'url(none.ttf)').load().catch((e) => console.log(e.name))"));
    assert!(said(&report).contains(&"NetworkError".to_owned()), "{report:?}");
    assert!(!report.missing.is_empty());
}
