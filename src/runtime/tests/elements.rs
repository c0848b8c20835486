//! What elements say of themselves. Expected values are Chromium 150's (headless, the same expressions).

use super::*;

#[test]
fn attributes_are_found_by_name() {
    expect(
        "const el = document.createElement('div'); el.id = 'i'; el.setAttribute('onsubmit', 't'); el.setAttribute('item', '1');
         const xml = new DOMParser().parseFromString('<a id=\"0\" Type=\"t\"/>', 'text/xml').documentElement;",
        &[
            ("el.attributes.onsubmit.value + el.attributes['id'].textContent", "ti"),
            ("typeof el.attributes.item + typeof el.attributes.none + Object.keys(el.attributes).join()", "functionundefined0,1,2"),
            ("xml.attributes.id.textContent + xml.attributes.Type.value + typeof xml.attributes.type", "0tundefined"),
        ],
    );
}

#[test]
fn rectangles_can_be_changed() {
    expect(
        "const r = new DOMRect(1, 2, 3, 4); const fixed = new DOMRectReadOnly(1, 2, 3, 4);",
        &[
            (
                "(r.x = 5, r.y -= 1, r.width = '7', r.height = -2, JSON.stringify(r))",
                r#"{"x":5,"y":1,"width":7,"height":-2,"top":-1,"right":12,"bottom":1,"left":5}"#,
            ),
            ("(() => { 'use strict'; fixed.x = 9; })()", "!TypeError"),
            ("(() => { 'use strict'; r.left = 9; })()", "!TypeError"),
            ("r instanceof DOMRectReadOnly && DOMRect.fromRect({ x: 1, width: 2 }).right", "3"),
            ("(() => { const box = document.body.getBoundingClientRect(); box.x += 10; return box.left; })()", "10"),
        ],
    );
}

#[test]
fn values_are_held_against_what_the_input_allows() {
    expect(
        "document.body.innerHTML = '<input type=range min=0 max=1 step=0.1><input type=range><input type=range min=5 max=8 step=2 value=7.2><input max=10 type=range value=40>';
         const parsed = [...document.querySelectorAll('input')].map((e) => e.value).join();
         const make = (...list) => { const e = document.createElement('input'); for (const [k, v] of list) e.setAttribute(k, v); return e; };
         const range = ['type', 'range'];
         const then = (e, ...steps) => steps.map((step) => (step(e), e.value)).join();",
        &[
            ("parsed", "0.5,50,7,10"),
            ("make(range, ['min', 0], ['max', 1], ['step', 0.01]).value", "1"),
            ("make(['min', 0], ['max', 1], ['step', 0.01], range).value", "0.5"),
            ("make(range, ['min', 200]).value + make(range, ['min', 10], ['max', 5]).value", "20010"),
            (
                "then(make(range, ['min', 0], ['max', 1]), (e) => { e.value = '0.3'; }, (e) => { e.step = '0.1'; }, (e) => { e.value = '0.34'; }, (e) => { e.max = '0.2'; }, (e) => { e.max = '5'; }, (e) => e.setAttribute('value', '2'))",
                "0,0,0.3,0.2,0.2,0.2",
            ),
            (
                "then(make(range, ['min', 0], ['max', 3], ['step', 1]), () => {}, (e) => { e.value = 'x'; }, (e) => { e.value = 2.6; })",
                "3,2,3",
            ),
            (
                "then(make(range, ['max', 10]), (e) => { e.value = 5.5; }, (e) => { e.step = 0.5; e.value = 5.5; }, (e) => e.stepUp())",
                "6,5.5,6",
            ),
            (
                "then(make(), (e) => { e.value = 'abc'; e.type = 'range'; }, (e) => { e.type = 'number'; e.value = 'x'; }, (e) => { e.value = '1.50'; }, (e) => { e.type = 'color'; }, (e) => { e.value = '#AABBCC'; })",
                "50,,1.50,#000000,#aabbcc",
            ),
            (
                "then(make(range, ['value', '30']), (e) => { e.min = '40'; }, (e) => { e.min = '0'; })",
                "40,40",
            ),
            (
                "(() => { const e = make(range); e.value = 7; return e.cloneNode().value + make(['type', 'checkbox']).value; })()",
                "7on",
            ),
        ],
    );
}

#[test]
fn a_picture_that_is_not_shown_has_its_own_size() {
    let png = crate::runtime::ops::image::encode(2, 1, &[0; 8], "image/png", 0.0).expect("png");
    let data = format!("data:image/png;base64,{}", crate::runtime::ops::encoding::base64_encode(&png));
    let html = format!(
        "<!doctype html><style>.hidden {{ display: none }}</style><img id=a class=hidden src={data}><div class=hidden><img id=b width=50% src={data}><img id=c src={data}></div><img id=d src={data} style='width: 40px'>
         <script>onload = () => console.log(...['a', 'b', 'c', 'd'].map((id) => document.getElementById(id).width))</script>"
    );
    assert_eq!(said(&[("index.html", &html)], 0), ["2 50 2 40"]);
}

#[test]
fn an_old_page_hears_that_there_is_no_camera() {
    let source =
        "navigator.getUserMedia({ video: true }, () => console.log('stream'), (error) => console.log(error.name));
        try { navigator.webkitGetUserMedia({}); } catch (error) { console.log(error.name); }";
    assert_eq!(logs(source), ["TypeError", "NotFoundError"]);
}

/// Lengths of straight lines are exact; of curves Chromium 150's, to the unit.
#[test]
fn outlines_of_svg_have_lengths_and_points() {
    expect(
        "const S = 'http://www.w3.org/2000/svg';
         const mk = (n, a) => { const e = document.createElementNS(S, n); for (const k in a) e.setAttribute(k, a[k]); return e; };
         const len = (d) => mk('path', { d }).getTotalLength();
         const at = (d, k) => { const e = mk('path', { d }), p = e.getPointAtLength(k * e.getTotalLength()); return `${Math.round(p.x)},${Math.round(p.y)}`; };",
        &[
            ("len('M0 0 L30 40')", "50"),
            ("len('M10 10 H 40 V 50 h-30 z')", "140"),
            ("at('M10 10 H 40 V 50 h-30 z', .25) + ' ' + at('M10 10 H 40 V 50 h-30 z', 2)", "40,15 10,10"),
            ("len('M0 0 10 10 20 0 m 5 5 l3 4').toFixed(3)", "33.284"),
            ("Math.round(len('M0 0 C 0 50 100 50 100 0'))", "139"),
            ("at('M0 0 C 0 50 100 50 100 0', .25)", "17,29"),
            ("Math.round(len('M0 0 Q 50 100 100 0 T 200 0'))", "296"),
            ("Math.round(len('M0 50 A 50 50 0 0 1 100 50'))", "157"),
            ("at('M0 50 A 50 50 0 0 1 100 50', .25)", "15,15"),
            ("Math.round(len('M0 50 a 60 30 30 1 0 50 20 s 10 10 20 0'))", "259"),
            ("at('M0 50 a 60 30 30 1 0 50 20 s 10 10 20 0', .5)", "34,126"),
            ("Math.round(len('M0,0c10-10,20-10,30,0S50,10.5.5.5'))", "84"),
            ("len('M0 0 L10 0 X 5') + ',' + len('')", "10,0"),
            ("at('', 0)", "!InvalidStateError"),
            ("mk('line', { x2: 3, y2: 4 }).getTotalLength()", "5"),
            ("mk('polyline', { points: '0,0 3,4 3 14' }).getTotalLength()", "15"),
            ("mk('polygon', { points: '0,0 3,4 3 0' }).getTotalLength()", "12"),
            ("mk('rect', { width: 3, height: 4 }).getTotalLength()", "14"),
            ("Math.round(mk('rect', { width: 30, height: 40, rx: 5 }).getTotalLength())", "131"),
            ("Object.getPrototypeOf(SVGPathElement).name", "SVGGeometryElement"),
        ],
    );
}

/// What Chromium does when buttons of forms are clicked (HTML, 4.10.21 and 4.11).
#[test]
fn buttons_submit_and_dialogs_close() {
    let html = "<dialog id=d open><form method=dialog><button id=b value=yes>Play</button><button id=no type=button>x</button></form></dialog>
        <form id=f><button id=s>Go</button></form><details id=t><summary>a</summary></details><script>
        d.onclose = () => console.log('close', d.returnValue, d.open);
        f.onsubmit = (e) => { console.log(e.type, e.cancelable, e.submitter === s); e.preventDefault(); };
        t.ontoggle = () => console.log('toggle', t.open);
        no.click(); console.log(d.open); b.click(); console.log(d.open, d.returnValue); d.close(); s.click(); t.open = true; console.log('end');
        </script>";
    let mut lines = said(&[("index.html", html)], 1);
    // The two events are tasks of different sources, which have no order.
    lines[4..].sort();
    assert_eq!(lines, ["true", "false yes", "submit true true", "end", "close yes false", "toggle true"]);
}
