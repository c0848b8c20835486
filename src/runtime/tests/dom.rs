//! The DOM, against the DOM, HTML and CSSOM standards.

use super::*;

#[test]
fn classes_are_the_standards() {
    expect(
        "const el = (n) => document.createElement(n);",
        &[
            (
                "el('canvas') instanceof HTMLCanvasElement && el('canvas') instanceof HTMLElement && el('canvas') instanceof Element && el('canvas') instanceof Node && el('canvas') instanceof EventTarget",
                "true",
            ),
            ("Object.prototype.toString.call(el('div'))", "[object HTMLDivElement]"),
            ("Object.prototype.toString.call(window)", "[object Window]"),
            (
                "el('div').constructor.name + el('h2').constructor.name + el('blink').constructor.name + el('my-tag').constructor.name",
                "HTMLDivElementHTMLHeadingElementHTMLUnknownElementHTMLElement",
            ),
            ("new HTMLDivElement()", "!TypeError"),
            ("new Node()", "!TypeError"),
            (
                "document instanceof HTMLDocument && document.defaultView === window && window === globalThis && window instanceof Window",
                "true",
            ),
            ("document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas') instanceof HTMLCanvasElement", "true"),
            ("document.createElementNS('http://www.w3.org/2000/svg', 'svg') instanceof SVGElement", "true"),
            ("el('DIV').tagName + el('DIV').localName + el('DIV').nodeName + el('DIV').nodeType", "DIVdivDIV1"),
            ("el('1a')", "!InvalidCharacterError"),
            ("document.body.appendChild('x')", "!TypeError"),
            ("document.body.removeChild(el('p'))", "!NotFoundError"),
            ("document.body.appendChild(document.documentElement)", "!HierarchyRequestError"),
            ("document.querySelector('a[')", "!SyntaxError"),
            (
                "new DOMException('m', 'AbortError').code + new DOMException('m').name + (new DOMException() instanceof Error)",
                "20Errortrue",
            ),
            ("document.createElement()", "!TypeError"),
        ],
    );
}

#[test]
fn trees_change_as_they_should() {
    expect(
        "document.body.innerHTML = '<ul id=list class=\"a b\"><li>1</li><li data-x-y=\"7\">2 &amp; 3</li></ul><!-- c --><img src=a.png>';
         const ul = document.getElementById('list'); const list = ul.children; const ids = document.querySelectorAll('li');",
        &[
            ("document.body.innerHTML", "<ul id=\"list\" class=\"a b\"><li>1</li><li data-x-y=\"7\">2 &amp; 3</li></ul><!-- c --><img src=\"a.png\">"),
            ("ul.textContent + ul.childElementCount + ul.firstElementChild.textContent + ul.lastChild.dataset.xY", "12 & 3217"),
            ("(ul.append('t', document.createElement('li')), list.length + ',' + ids.length + ',' + ul.childNodes.length)", "3,2,4"),
            ("(ul.classList.add('c'), ul.classList.toggle('a'), ul.classList.replace('b', 'd'), ul.className)", "d c"),
            ("ul.classList.contains('c') + ' ' + ul.classList.toggle('z', false) + ul.classList.length", "true false2"),
            ("ul.classList.add('')", "!SyntaxError"),
            ("(ul.firstChild.remove(), ul.insertAdjacentHTML('afterbegin', '<li>new</li>'), ul.firstChild.outerHTML)", "<li>new</li>"),
            ("(ul.replaceChildren('only'), ul.outerHTML)", "<ul id=\"list\" class=\"d c\">only</ul>"),
            ("ul.nextSibling.nodeType + ul.nextElementSibling.tagName + ul.previousSibling", "8IMGnull"),
            ("ul.closest('body') === document.body && ul.matches('ul.c#list') && !ul.matches('ol') && document.body.contains(ul)", "true"),
            ("ul.cloneNode(true).outerHTML", "<ul id=\"list\" class=\"d c\">only</ul>"),
            ("(ul.setAttribute('TITLE', 5), ul.getAttribute('title') + ul.title + ul.hasAttribute('Title') + ul.getAttribute('none'))", "55truenull"),
            ("(document.title = 'T', document.title + document.head.innerHTML)", "T<title>T</title>"),
            ("Array.from(document.body.childNodes).map((n) => n.nodeName).join()", "UL,#comment,IMG"),
            ("[...document.querySelectorAll('ul, img')].length + document.images.length", "3"),
            ("document.createRange().createContextualFragment('<b>x</b>').firstChild.outerHTML", "<b>x</b>"),
            ("new DOMParser().parseFromString('<r><a b=\"1\">t</a></r>', 'text/xml').documentElement.firstChild.getAttribute('b')", "1"),
            ("new DOMParser().parseFromString('<r><a></r>', 'text/xml').querySelector('parsererror') !== null", "true"),
        ],
    );
}

#[test]
fn selectors_match() {
    expect(
        "document.body.innerHTML = '<div id=a class=\"x y\"><p>1</p><p class=k title=\"hello world\">2</p><span><p lang=en-GB>3</p></span></div><div id=b><input type=checkbox checked disabled></div>';
         const q = (s) => [...document.querySelectorAll(s)].map((e) => e.textContent || e.id || e.localName).join();",
        &[
            ("q('div > p')", "1,2"),
            ("q('div p')", "1,2,3"),
            ("q('p + p')", "2"),
            ("q('p ~ span')", "3"),
            ("q('.x.y > .k')", "2"),
            ("q('[title~=world]') + q('[lang|=en]') + q('[title^=\"hello\"]') + q('[title$=d]') + q('[title*=\"o w\"]')", "23222"),
            ("q('p:first-child') + q('#a > p:nth-child(2)') + q('p:nth-of-type(odd)')", "1,321,3"),
            ("q('div:not(.x)') + q('div:has(span) > p') + q(':is(#a, #b) > .k')", "b1,22"),
            ("q('input:checked:disabled') + q('#b :disabled')", "inputinput"),
            ("document.getElementById('a').querySelector(':scope > p').textContent", "1"),
            ("q('#a\\\\:b')", ""),
        ],
    );
}

#[test]
fn styles_work() {
    expect(
        "document.head.innerHTML = '<style>#box { width: 50%; height: 20vh; position: absolute; left: 10px; color: red } .c { --v: 4px } @media (max-width: 100px) { #box { width: 1px } } canvas { width: 100%; height: 100% }</style>';
         document.body.innerHTML = '<div id=box class=c style=\"margin-top: 3px\"><i></i></div><canvas></canvas>';
         const box = document.getElementById('box'); const s = box.style;",
        &[
            ("s.marginTop + s.getPropertyValue('margin-top') + s['margin-top'] + s.length", "3px3px3px1"),
            ("(s.backgroundColor = 'blue', s.setProperty('--w', '2'), s.cssText)", "margin-top: 3px; background-color: blue; --w: 2;"),
            ("box.getAttribute('style')", "margin-top: 3px; background-color: blue; --w: 2;"),
            ("(s.removeProperty('margin-top'), s.marginTop = '', box.setAttribute('style', 'top: 5px'), s.top + s.marginTop)", "5px"),
            ("getComputedStyle(box).color + getComputedStyle(box).getPropertyValue('--v') + getComputedStyle(box.firstChild).color", "rgb(255, 0, 0)4pxrgb(255, 0, 0)"),
            ("getComputedStyle(box).position + getComputedStyle(document.body).position + getComputedStyle(box).width", "absolutestatic320px"),
            ("JSON.stringify(box.getBoundingClientRect())", "{\"x\":10,\"y\":5,\"width\":320,\"height\":96,\"top\":5,\"right\":330,\"bottom\":101,\"left\":10}"),
            ("box.clientWidth + ',' + box.offsetHeight", "320,96"),
            ("document.querySelector('canvas').clientWidth + ',' + document.querySelector('canvas').clientHeight", "640,480"),
            ("document.body.clientWidth + ',' + document.documentElement.clientHeight + ',' + innerWidth + ',' + innerHeight", "640,480,640,480"),
            ("matchMedia('(min-width: 600px) and (orientation: landscape)').matches + ' ' + matchMedia('(max-width: 600px)').matches + matchMedia('(prefers-color-scheme: dark)').matches", "true falsefalse"),
            ("(s.display = 'none', box.clientWidth)", "0"),
        ],
    );
}

#[test]
fn canvases_have_a_bitmap_size() {
    expect(
        "const c = document.createElement('canvas');",
        &[
            ("c.width + ',' + c.height + c.getContext('nonsense')", "300,150null"),
            ("(c.width = 20, c.getAttribute('width') + c.width)", "2020"),
            ("(c.setAttribute('height', '7'), c.height)", "7"),
            ("(c.height = -1, c.height)", "150"),
            ("(c.width = 'x', c.width)", "300"),
            ("(c.style.width = '50px', document.body.append(c), c.clientWidth)", "50"),
            ("new OffscreenCanvas(4, 5).height", "5"),
            ("c.getContext()", "!TypeError"),
        ],
    );
}

#[test]
fn events_travel_the_path() {
    let js = "document.body.innerHTML = '<div id=a><p id=b></p></div>';
        const a = document.getElementById('a'), b = document.getElementById('b'); const log = [];
        for (const [t, n] of [[window, 'w'], [document, 'd'], [a, 'a'], [b, 'b']]) {
          t.addEventListener('go', (e) => log.push(n + e.eventPhase), true); t.addEventListener('go', (e) => log.push(n + e.eventPhase));
        }
        a.addEventListener('go', { handleEvent(e) { log.push('obj' + (this !== a) + (e.currentTarget === a) + (e.target === b)); } });
        b.addEventListener('go', () => log.push('once'), { once: true });
        b.dispatchEvent(new CustomEvent('go', { bubbles: true, detail: 5 })); console.log(log.splice(0).join(' '));
        a.addEventListener('go', (e) => e.stopPropagation(), true); b.dispatchEvent(new Event('go')); console.log(log.splice(0).join(' '));
        const stop = new AbortController(); b.addEventListener('x', () => log.push('x'), { signal: stop.signal }); b.dispatchEvent(new Event('x')); stop.abort(); b.dispatchEvent(new Event('x')); console.log(log.splice(0).join());
        b.onclick = function (e) { console.log(this === b, e.type, e.isTrusted, e instanceof PointerEvent || e instanceof MouseEvent); return false; }; b.click();
        const e = new Event('c', { cancelable: true }); b.addEventListener('c', (e) => e.preventDefault()); console.log(b.dispatchEvent(e), e.defaultPrevented);
        const p = new PointerEvent('pointermove', { clientX: 5, clientY: 6, pointerId: 2, bubbles: true }); console.log(p.clientX, p.pageY, p.pointerId, p.button, p.pointerType === '', p instanceof MouseEvent, p instanceof UIEvent);
        console.log(new WheelEvent('wheel', { deltaY: 3 }).deltaY, new KeyboardEvent('keydown', { code: 'KeyW', key: 'w' }).code, new CustomEvent('q').detail);
        try { b.dispatchEvent({}) } catch (err) { console.log(err.name) } try { new Event() } catch (err) { console.log(err.name) }
        window.dispatchEvent(new Event('resize')); addEventListener('bare', () => console.log('bare')); dispatchEvent(new Event('bare'));
        document.body.innerHTML = '<button id=k onclick=\"console.log(this.id, event.type)\">'; document.getElementById('k').click();";
    assert_eq!(
        logs(js),
        [
            "w1 d1 a1 b2 b2 once a3 objtruetruetrue d3 w3",
            "w1 d1 a1",
            "x",
            "true click false true",
            "false true",
            "5 6 2 0 true true true",
            "3 KeyW null",
            "TypeError",
            "TypeError",
            "bare",
            "k click",
        ]
    );
}

#[test]
fn the_window_has_what_pages_ask_for() {
    expect(
        "",
        &[
            ("location.href + location.pathname + location.protocol + location.search", "http://localhost//http:"),
            (
                "(history.pushState({ a: 1 }, '', '/x?y=2#z'), location.search + location.hash + history.state.a + document.URL)",
                "?y=2#z1http://localhost/x?y=2#z",
            ),
            (
                "navigator.language + navigator.hardwareConcurrency + /Chrome/.test(navigator.userAgent) + navigator.webdriver",
                "en-US4truefalse",
            ),
            ("screen.width + ',' + devicePixelRatio + ',' + screen.orientation.type", "640,1,landscape-primary"),
            (
                "(localStorage.setItem('a', 1), localStorage.b = 2, localStorage.getItem('a') + localStorage.b + localStorage.length + Object.keys(localStorage) + localStorage.getItem('c'))",
                "122a,bnull",
            ),
            (
                "JSON.stringify(structuredClone({ a: [1, new Date(5)], m: 2 }))",
                "{\"a\":[1,\"1970-01-01T00:00:00.005Z\"],\"m\":2}",
            ),
            ("structuredClone(new Map([[1, { a: new Uint8Array([3]) }]])).get(1).a[0]", "3"),
            ("structuredClone(() => 1)", "!DataCloneError"),
            (
                "structuredClone({ a: new ImageData(new Uint8ClampedArray([1, 2, 3, 4]), 1, 1) }).a.data.join()",
                "1,2,3,4",
            ),
            (
                "((b) => structuredClone([b, b]).every((c, i, all) => c instanceof Blob && c === all[0]))(new Blob(['x']))",
                "true",
            ),
            (
                "((b) => { const c = structuredClone(b, { transfer: [b] }); return [c instanceof ImageBitmap, c.width, b.width].join(); })(new OffscreenCanvas(4, 3).transferToImageBitmap())",
                "true,4,0",
            ),
            ("structuredClone(new MessageChannel().port1)", "!DataCloneError"),
            (
                "((p) => structuredClone({ p }, { transfer: [p] }).p instanceof MessagePort)(new MessageChannel().port2)",
                "true",
            ),
            ("structuredClone(new OffscreenCanvas(1, 1))", "!DataCloneError"),
            (
                "structuredClone({ [Symbol.for('Deno.core.hostObject')]() { return { type: 'x' }; } })",
                "!DataCloneError",
            ),
            ("atob('aGk=') + btoa('hi')", "hiaGk="),
            ("btoa('\\u0394')", "!InvalidCharacterError"),
            (
                "new URL('../b?c=1#d', 'http://x.y/a/z').href + new URL('http://a/?q=1').searchParams.get('q')",
                "http://x.y/b?c=1#d1",
            ),
            ("new URL('nope')", "!TypeError"),
            (
                "new URLSearchParams('a=1&b=2&a=3').getAll('a') + [...new URLSearchParams({ x: 'y z' })] + new URLSearchParams({ x: 'y z' })",
                "1,3x,y zx=y+z",
            ),
            ("new TextDecoder().decode(new TextEncoder().encode('h\\u00e9\\u{1f600}'))", "h\u{e9}\u{1f600}"),
            ("crypto.getRandomValues(new Float32Array(1))", "!TypeMismatchError"),
            (
                "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())",
                "true",
            ),
            ("typeof alert() + confirm() + prompt()", "undefinedtruenull"),
            ("new AudioContext().state + new AudioContext().createGain().gain.value", "running1"),
            ("(12345.678).toLocaleString() + new Date(0).toLocaleDateString()", "12,345.6781/1/1970"),
            (
                "typeof require + typeof process + typeof module + typeof Deno + typeof global",
                "undefinedundefinedundefinedundefinedundefined",
            ),
            ("performance.mark('a').name + performance.measure('m', 'a').duration", "a0"),
        ],
    );
}

#[test]
fn observers_and_messages_arrive() {
    let js = "new ResizeObserver((e, o) => console.log('resize', e[0].contentRect.width, e[0].target === document.body, e[0].contentBoxSize[0].blockSize)).observe(document.body);
        new MutationObserver((r) => console.log('mutation', r.length, r[0].type, r[0].addedNodes.length)).observe(document.body, { childList: true, attributes: true });
        document.body.append('x'); document.body.id = 'y';
        new IntersectionObserver((e) => console.log('seen', e[0].isIntersecting)).observe(document.body);
        const c = new MessageChannel(); c.port1.onmessage = (e) => console.log('port', e.data.a); c.port2.postMessage({ a: 1 });
        addEventListener('message', (e) => console.log('window', e.data)); postMessage('hi', '*');
        requestIdleCallback((d) => console.log('idle', d.timeRemaining() > 0));
        customElements.define('x-y', class extends HTMLElement { static observedAttributes = ['q']; connectedCallback() { console.log('connected', this.localName); } attributeChangedCallback(n, o, v) { console.log('attr', n, o, v); } });
        const el = document.createElement('x-y'); el.setAttribute('q', 1); document.body.append(el);";
    assert_eq!(
        said(&[("main.js", js)], 1),
        [
            "attr q null 1",
            "connected x-y",
            "mutation 3 childList 1",
            "seen true",
            "port 1",
            "window hi",
            "resize 640 true 480",
            "idle true"
        ]
    );
}

#[test]
fn console_formats() {
    assert_eq!(
        logs(
            "console.log('%s is %d years and %i, %c styled%% %o', 'Bob', 42.5, 3.7, 'color: red', { a: 1 }, 'more'); console.warn([1, 'a', { b: null }], -0, 5n, new Float32Array([1, 2]), undefined); console.log(new Map()); console.assert(1 === 2, 'no'); console.group('g'); console.info('in'); console.groupEnd(); console.count(); console.log({ a: { b: { c: { d: 1 } } } })"
        ),
        [
            "Bob is 42 years and 3,  styled% { a: 1 } more",
            "[1, \"a\", { b: null }] -0 5n Float32Array(2) [1, 2] undefined",
            "Map {}",
            "Assertion failed: no",
            "g",
            "  in",
            "default: 1",
            "{ a: { b: { c: [Object] } } }",
        ]
    );
}

#[test]
fn elements_are_globals_by_their_id() {
    // HTML, "Named access on the Window object": declared names come first, assigning makes a variable.
    let page = "<p id=a>x</p><p id=b></p><p id=name></p><script>var b = 1; console.log(a.textContent, b, typeof name, typeof c); a = 2; console.log(a);
        document.body.append(Object.assign(document.createElement('i'), { id: 'c' })); console.log(c.localName, 'c' in window, Object.keys(window).includes('c'));</script>";
    assert_eq!(said(&[("index.html", page)], 0), ["x 1 string undefined", "2", "i true false"]);
}

#[test]
fn templates_take_rows_of_tables() {
    // HTML, "in template" insertion mode: a row needs no table there.
    let setup = "const t = document.createElement('template'); const el = document.createElement('div'); document.body.append(el);";
    expect(
        setup,
        &[
            ("(t.innerHTML = '<tr><td>x</td></tr>', t.content.firstElementChild.tagName)", "TR"),
            ("t.innerHTML", "<tr><td>x</td></tr>"),
            ("t.childNodes.length", "0"),
            ("(t.innerHTML = '  <td>y</td>', t.content.querySelector('td').textContent)", "y"),
            ("document.importNode(t.content, true).childNodes.length", "2"),
            ("(t.innerHTML = '', t.content.childNodes.length)", "0"),
        ],
    );
}

#[test]
fn computed_colours_are_rgb() {
    // CSS Color 4, 15.2 "Serializing sRGB values"; Chromium's values.
    let setup = "const el = document.createElement('div'); document.body.append(el); const of = (css, name = 'color') => { el.style.cssText = css; return getComputedStyle(el)[name]; };";
    expect(
        setup,
        &[
            ("of('color: red')", "rgb(255, 0, 0)"),
            ("of('color: #0f08')", "rgba(0, 255, 0, 0.533)"),
            ("of('color: hsl(240 100% 50%)')", "rgb(0, 0, 255)"),
            ("of('background: #123456', 'backgroundColor')", "rgb(18, 52, 86)"),
            ("of('background: url(a.png) no-repeat rgb(1 2 3)', 'backgroundColor')", "rgb(1, 2, 3)"),
            ("of('', 'backgroundColor')", "rgba(0, 0, 0, 0)"),
            ("of('color: blue; border-top-color: currentColor', 'borderTopColor')", "rgb(0, 0, 255)"),
            ("(document.body.style.color = 'lime', of(''))", "rgb(0, 255, 0)"),
            (
                "(document.documentElement.style.color = 'currentcolor', getComputedStyle(document.documentElement).color)",
                "rgb(0, 0, 0)",
            ),
            ("(el.style.setProperty('--my-color', 'Red'), getComputedStyle(el).getPropertyValue('--my-color'))", "Red"),
        ],
    );
}

/// CSSOM View: positions are clamped, the event comes with the next frame, before its animation callbacks.
#[test]
fn pages_scroll() {
    let html = "<!doctype html><body style='margin:0'><div style='height:100vh'></div><section id=s style='height:300vh'></section><canvas style='position:fixed'></canvas>
<script>
const log = []; addEventListener('scroll', (e) => log.push(`event ${scrollY} ${e.target === document}`));
requestAnimationFrame(() => { log.push('frame'); console.log(log.join()); });
scrollTo(0, 100); log.push(scrollY, pageYOffset, document.documentElement.scrollTop, document.scrollingElement.scrollTop);
scrollBy({ top: 50 }); log.push(scrollY);
scrollTo({ top: 1e9 }); log.push(scrollY === document.documentElement.scrollHeight - innerHeight, document.body.scrollHeight / innerHeight);
scrollTo(0, -5); log.push(scrollY);
document.getElementById('s').scrollIntoView(); log.push(scrollY === innerHeight);
log.push(document.querySelector('canvas').getBoundingClientRect().top);
document.documentElement.scrollTop = 7; log.push(scrollY);
const box = document.createElement('div'); box.scrollTop = 9; log.push(box.scrollTop, scrollY);
</script>";
    let want = "100,100,100,100,150,true,4,0,true,0,7,9,7,event 7 true,frame";
    assert_eq!(said(&[("index.html", html)], 1), [want]);
}

/// SVG 2, "Distance along a path": a line of 3, 4, 5, a jump without a length, and a side of 10.
#[test]
fn paths_of_svg_have_lengths() {
    let setup = "const path = (d) => { const p = document.createElementNS('http://www.w3.org/2000/svg', 'path'); if (d) p.setAttribute('d', d); return p; };
const el = path('M0 0 L30 40 M100 0 h10'); const at = (l) => { const { x, y } = el.getPointAtLength(l); return `${x} ${y}`; };";
    expect(
        setup,
        &[
            ("el.getTotalLength()", "60"),
            ("at(25)", "15 20"),
            ("at(56)", "106 0"),
            ("at(-1)", "0 0"),
            ("at(1e9)", "110 0"),
            ("(el.setAttribute('d', 'M0 0 H7'), el.getTotalLength())", "7"),
            ("el instanceof SVGGeometryElement", "true"),
            ("path().getTotalLength()", "0"),
            ("(() => { try { path().getPointAtLength(0); } catch (e) { return e.name; } })()", "InvalidStateError"),
        ],
    );
}

/// HTML, "module type from module request": the value of such a module is a constructed style sheet.
#[test]
fn style_sheets_are_modules() {
    let main = "import sheet from './app/s.css' with { type: 'css' }; document.adoptedStyleSheets = [sheet];
console.log(sheet instanceof CSSStyleSheet, sheet.cssRules.length, getComputedStyle(document.body).color);";
    let files = [("main.js", main), ("app/s.css", "body { color: rgb(1, 2, 3); } /* ` \\ */")];
    assert_eq!(said(&files, 0), ["true 1 rgb(1, 2, 3)"]);
}
