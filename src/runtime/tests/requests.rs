//! What a browser would load of a page beside what is loaded here (HTML: frames, posters, links, responsive pictures; CSS: pictures).

use super::*;

/// After two frames: the addresses elsewhere that were tried, and the project's files that were read, but for the page.
fn asked(page_text: &str) -> (Vec<String>, Vec<String>) {
    let files = ["a.png", "b.png", "c.png", "page.html", "sheet.css", "ahead.js"];
    let mut all = vec![("index.html", page_text)];
    all.extend(files.map(|name| (name, if name == "sheet.css" { ".far { background: url(b.png) }" } else { "" })));
    // Pages are looked at in the first frame each second and in the last.
    let mut rt = page(&all, RuntimeOptions { width: 640, height: 480, frames: Some(2), ..Default::default() });
    rt.load().unwrap_or_else(|e| panic!("{page_text}: {e:?}"));
    for n in 0..2 {
        rt.run_frame(n).unwrap_or_else(|e| panic!("{page_text}: {e:?}"));
    }
    let report = rt.report();
    let read = report.files.into_iter().map(|file| file.path).filter(|path| path != "index.html");
    (report.blocked, read.collect())
}

/// Markup, and the address elsewhere that a browser asks for because of it.
const ELSEWHERE: [(&str, &str); 33] = [
    ("<iframe src='https://a.test/f'></iframe>", "https://a.test/f"),
    ("<object data='https://a.test/o.svg'></object>", "https://a.test/o.svg"),
    ("<embed src='//a.test/e'>", "http://a.test/e"),
    (
        "<script>const o = document.createElement('object'); o.data = 'https://a.test/1.svg'; document.body.append(o)</script>",
        "https://a.test/1.svg",
    ),
    (
        "<script>const e = document.createElement('embed'); document.body.append(e); e.src = 'https://a.test/2'</script>",
        "https://a.test/2",
    ),
    ("<img srcset='https://a.test/2.png 2x'>", "https://a.test/2.png"),
    ("<img src='a.png' srcset='a.png 320w, https://a.test/640.png 640w'>", "https://a.test/640.png"),
    (
        "<picture><source srcset='https://a.test/s.png' media='(min-width: 600px)'><img src='a.png'></picture>",
        "https://a.test/s.png",
    ),
    ("<video poster='https://a.test/p.png'></video>", "https://a.test/p.png"),
    ("<svg><image href='https://a.test/i.png'/></svg>", "https://a.test/i.png"),
    ("<style>.x { background-image: url(https://a.test/c.png) }</style><div class=x></div>", "https://a.test/c.png"),
    (
        "<style>:root { --p: url('https://a.test/v.png') } p { background: var(--p) }</style><p></p>",
        "https://a.test/v.png",
    ),
    ("<div style='border-image: url(\"https://a.test/b.png\") 30'></div>", "https://a.test/b.png"),
    ("<style>b::after { content: ''; background: url(https://a.test/g.png) }</style><b></b>", "https://a.test/g.png"),
    ("<style>b:before { content: url(https://a.test/h.png) }</style><b></b>", "https://a.test/h.png"),
    ("<input type=image src='https://a.test/go.png'>", "https://a.test/go.png"),
    (
        "<script>const b = document.createElement('input'); document.body.append(b); b.src = 'https://a.test/3.png'; b.type = 'image'</script>",
        "https://a.test/3.png",
    ),
    ("<table background='https://a.test/t.png'><tr><td>x</table>", "https://a.test/t.png"),
    ("<table><tr><td background='https://a.test/d.png'>x</table>", "https://a.test/d.png"),
    ("<script>document.body.setAttribute('background', 'https://a.test/b.png')</script>", "https://a.test/b.png"),
    ("<link rel=prefetch href='https://a.test/1'>", "https://a.test/1"),
    ("<link rel=preload as=image href='https://a.test/2'>", "https://a.test/2"),
    ("<link rel=modulepreload href='https://a.test/3.js'>", "https://a.test/3.js"),
    ("<link rel=preconnect href='https://a.test'>", "https://a.test/"),
    ("<link rel='shortcut icon' href='https://a.test/i.ico'>", "https://a.test/i.ico"),
    ("<script>open('https://a.test/w')</script>", "https://a.test/w"),
    ("<script>navigator.serviceWorker.register('https://a.test/sw.js')</script>", "https://a.test/sw.js"),
    ("<script>location.href = 'https://a.test/l'</script>", "https://a.test/l"),
    ("<script>location.replace('https://a.test/r')</script>", "https://a.test/r"),
    ("<script>location = 'https://a.test/s'</script>", "https://a.test/s"),
    ("<form action='https://a.test/f'></form><script>document.forms[0].submit()</script>", "https://a.test/f"),
    (
        "<script>const f = document.createElement('iframe'); document.body.append(f); f.src = 'https://a.test/i'</script>",
        "https://a.test/i",
    ),
    (
        "<div id=d></div><script>setTimeout(() => { document.getElementById('d').style.backgroundImage = 'url(https://a.test/t.png)' })</script>",
        "https://a.test/t.png",
    ),
];

#[test]
fn what_a_page_asks_of_other_places_counts_as_the_network() {
    for (html, url) in ELSEWHERE {
        assert_eq!(asked(&format!("<body>{html}")).0, [url], "{html}");
    }
}

#[test]
fn what_no_browser_asks_for_is_no_attempt() {
    for html in [
        "<link rel=preload href='https://a.test/p'><link rel=preload as=image media='(max-width: 9px)' href='https://a.test/m'>",
        "<a href='https://a.test/'>there</a><link rel=canonical href='https://a.test/'>",
        "<iframe src='data:text/html,hello'></iframe><iframe src='about:blank'></iframe><img srcset='data:image/png,x 2x'>",
        "<style>.none { background: url(https://a.test/c.png) } .off { display: none }</style><div class=off style='background: url(https://a.test/d.png)'></div>",
        "<img src='a.png' srcset='https://a.test/2.png 2x'>",
        "<picture><source srcset='https://a.test/n.png' media='(max-width: 99px)'><img src='a.png'></picture>",
        "<script>document.createElement('iframe').src = 'https://a.test/'; location.hash = 'x'; open('page.html')</script>",
        "<style>b::before { background: url(https://a.test/1.png) } i::before { content: none; background: url(https://a.test/2.png) } img::after { content: url(https://a.test/3.png) }</style><b></b><i></i><img>",
        "<input src='https://a.test/1.png'><div background='https://a.test/2.png'></div><style>td { background: none }</style><table><td background='https://a.test/3.png'></table>",
        "<form></form><script>document.forms[0].submit()</script><div style='filter: url(#f)'></div>",
    ] {
        assert_eq!(asked(&format!("<body>{html}")).0, [""; 0], "{html}");
    }
}

#[test]
fn files_that_are_not_shown_count_as_loaded() {
    for (html, files) in [
        ("<iframe src='page.html'></iframe>", vec!["page.html"]),
        ("<div style='background: url(a.png)'></div>", vec!["a.png"]),
        ("<link rel=stylesheet href='sheet.css'><i class=far></i>", vec!["b.png", "sheet.css"]),
        ("<video poster='a.png'></video><object data='b.png'></object>", vec!["a.png", "b.png"]),
        ("<link rel=preload as=image href='a.png'><link rel=modulepreload href='ahead.js'>", vec!["a.png", "ahead.js"]),
        ("<img src='a.png' srcset='b.png 300w, c.png 700w' sizes='(max-width: 99px) 10px, 50vw'>", vec!["c.png"]),
        ("<img srcset='a.png 200w, b.png 400w, c.png 700w' sizes='(max-width: 99px) 10px, 50vw'>", vec!["b.png"]),
        ("<link rel=icon href='a.png'><i class=far></i>", vec![]),
    ] {
        assert_eq!(
            asked(&format!("<body>{html}")),
            (Vec::new(), files.iter().map(|f| (*f).to_owned()).collect()),
            "{html}"
        );
    }
}

#[test]
fn what_links_fetch_ahead_tells_how_it_went() {
    let html = "<script>for (const href of ['a.png', 'gone.png', 'https://a.test/x']) {
        const l = document.createElement('link'); l.rel = 'preload'; l.as = 'image'; l.href = href;
        l.onload = l.onerror = (e) => console.log(href, e.type); document.head.append(l); }</script>";
    assert_eq!(
        said(&[("index.html", html), ("a.png", "")], 1),
        ["a.png load", "gone.png error", "https://a.test/x error"]
    );
}
