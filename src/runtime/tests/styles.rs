//! Computed styles. The values are those of Chromium 156.

use super::*;

const PAGE: &str = r#"<!doctype html><html><head><style>
:root{--bg:#204060;--w:50px;--c:red;--f:bold 12px/1.5 Arial;--n:2;--deep:var(--bg);--nofall:;--cyc:var(--cyc2);--cyc2:var(--cyc)}
#a{background:var(--bg);border:1px solid var(--c);font:var(--f);width:calc(var(--w)*2);padding:1em;margin:1em 2em}
#b{background:var(--none, var(--deep)) no-repeat;border-top:.5em dashed rgb(1 2 3 / .5);font:italic small-caps 700 2em/30px "Foo Bar", serif}
#c{background:var(--none);color:var(--none);font-size:150%;line-height:2}
#d{font:12px Arial;background:url(x.png) center/cover no-repeat, linear-gradient(red,blue) #123456;width:calc(100% - 2*var(--w));border-width:thin}
#e{background:linear-gradient(rgba(1,2,3,.5), var(--c));letter-spacing:.1em;border:var(--w) none red;margin:0 auto;padding:calc(var(--n)*3px) 5%}
#f{background:var(--cyc,green);font-size:larger;font-weight:bold;inset:10px 20px;border-radius:1em;gap:1em;opacity:50%;font-weight:bolder}
#g{background-color:red;background:none;font:caption;line-height:150%;flex:1;overflow:hidden auto}
#h{background:oklch(0.7 0.1 200);color:color-mix(in srgb, red 50%, blue);border-color:lab(50 20 30);outline:2px solid lch(50 30 40);transition:opacity 1s ease .5s,transform 200ms;animation:spin 2s linear infinite}
#i{font-weight:bolder;font-size:small;line-height:1.2em;top:calc(50% - 10px);position:absolute;width:min(10em, 50%);background:hsl(var(--hue,120) 50% 50%)}
</style></head><body style="font-size:20px;margin:0"><div id=a></div><div id=b></div><div id=c></div><div id=d></div><div id=e></div><div id=f></div><div id=g></div><div id=h></div><div id=i></div><script src="main.js"></script></body></html>"#;

/// Element, property, computed value.
const COMPUTED: [(&str, &str, &str); 65] = [
    ("a", "backgroundColor", "rgb(32, 64, 96)"),
    ("a", "fontSize", "12px"),
    ("a", "fontWeight", "700"),
    ("a", "fontFamily", "Arial"),
    ("a", "lineHeight", "18px"),
    ("a", "paddingTop", "12px"),
    ("a", "marginTop", "12px"),
    ("a", "marginLeft", "24px"),
    ("a", "borderTopWidth", "1px"),
    ("a", "borderTopStyle", "solid"),
    ("a", "borderTopColor", "rgb(255, 0, 0)"),
    ("a", "width", "100px"),
    ("a", "--deep", "#204060"),
    ("a", "font", "700 12px / 18px Arial"),
    ("a", "padding", "12px"),
    ("a", "border", "1px solid rgb(255, 0, 0)"),
    ("a", "background", "rgb(32, 64, 96) none repeat scroll 0% 0% / auto padding-box border-box"),
    ("a", "margin", "12px 24px"),
    ("b", "backgroundColor", "rgb(32, 64, 96)"),
    ("b", "fontSize", "40px"),
    ("b", "fontStyle", "italic"),
    ("b", "fontVariantCaps", "small-caps"),
    ("b", "fontFamily", "\"Foo Bar\", serif"),
    ("b", "lineHeight", "30px"),
    ("b", "borderTopWidth", "20px"),
    ("b", "borderTopStyle", "dashed"),
    ("b", "borderTopColor", "rgba(1, 2, 3, 0.5)"),
    ("b", "font", "italic small-caps 700 40px / 30px \"Foo Bar\", serif"),
    ("c", "backgroundColor", "rgba(0, 0, 0, 0)"),
    ("c", "color", "rgb(0, 0, 0)"),
    ("c", "fontSize", "30px"),
    ("c", "lineHeight", "60px"),
    ("c", "font", "30px / 60px \"Times New Roman\""),
    ("d", "backgroundColor", "rgb(18, 52, 86)"),
    ("d", "width", "680px"),
    ("d", "borderTopWidth", "0px"),
    ("d", "font", "12px Arial"),
    ("e", "backgroundColor", "rgba(0, 0, 0, 0)"),
    ("e", "paddingTop", "6px"),
    ("e", "paddingLeft", "39px"),
    ("e", "letterSpacing", "2px"),
    ("e", "borderTopColor", "rgb(255, 0, 0)"),
    ("e", "borderTopWidth", "0px"),
    ("f", "backgroundColor", "rgb(0, 128, 0)"),
    ("f", "fontSize", "24px"),
    ("f", "fontWeight", "700"),
    ("f", "top", "10px"),
    ("f", "borderTopLeftRadius", "24px"),
    ("f", "rowGap", "24px"),
    ("f", "opacity", "0.5"),
    ("g", "backgroundColor", "rgba(0, 0, 0, 0)"),
    ("g", "overflowX", "hidden"),
    ("g", "overflowY", "auto"),
    ("h", "transitionDuration", "1s, 0.2s"),
    ("h", "transitionProperty", "opacity, transform"),
    ("h", "transitionDelay", "0.5s, 0s"),
    ("h", "transitionTimingFunction", "ease, ease"),
    ("h", "animationName", "spin"),
    ("h", "animationDuration", "2s"),
    ("h", "animationIterationCount", "infinite"),
    ("h", "outlineWidth", "2px"),
    ("i", "backgroundColor", "rgb(64, 191, 64)"),
    ("i", "fontSize", "13px"),
    ("i", "lineHeight", "15.6px"),
    ("i", "width", "130px"),
];

const NESTED: &str = r#"<!doctype html><html><head><style>
@property --tone{syntax:"<color>";inherits:false;initial-value:rgb(1, 2, 3)}
@property --size{syntax:"<length>";inherits:true;initial-value:7px}
body{margin:0;color:rgb(9, 9, 9);
  .card{color:red;&.hot{color:blue} > b{font-size:30px} &:not(.cold) i{letter-spacing:3px}
    @media (min-width:1px){outline-width:5px;background:rgb(4, 5, 6)}
    margin-top:2px;.late &{top:8px}}
  & #t{background:var(--tone);width:var(--size)}
}
#t{--tone:green}
#u{background-color:var(--tone);padding-left:var(--size)}
#v{--size:9px;--tone:initial;background-color:var(--tone)}
.x,.y{ b{color:rgb(7, 7, 7)} }
div{ #w &{color:lime} }
</style></head><body class=late><div id=a class=card><b id=b>b</b><i id=i>i</i></div><div id=h class="card hot cold"><i id=j>j</i></div>
<div id=t><div id=u></div></div><div id=v><div id=k></div></div><p class=y><b id=y>y</b></p><div id=w><div id=z>z</div></div><script src=main.js></script></body></html>"#;

const NESTED_COMPUTED: [(&str, &str, &str); 20] = [
    ("a", "color", "rgb(255, 0, 0)"),
    ("a", "outlineWidth", "5px"),
    ("a", "backgroundColor", "rgb(4, 5, 6)"),
    ("a", "marginTop", "2px"),
    ("a", "top", "8px"),
    ("h", "color", "rgb(0, 0, 255)"),
    ("b", "fontSize", "30px"),
    ("i", "letterSpacing", "3px"),
    ("j", "letterSpacing", "normal"),
    ("t", "backgroundColor", "rgb(0, 128, 0)"),
    ("t", "width", "7px"),
    ("u", "backgroundColor", "rgb(1, 2, 3)"),
    ("u", "paddingLeft", "7px"),
    ("v", "backgroundColor", "rgb(1, 2, 3)"),
    ("k", "--size", "9px"),
    ("k", "--tone", "rgb(1, 2, 3)"),
    ("y", "color", "rgb(7, 7, 7)"),
    ("z", "color", "rgb(0, 255, 0)"),
    ("u", "--tone", "rgb(1, 2, 3)"),
    ("t", "--tone", "rgb(0, 128, 0)"),
];

const LAYERED: &str = r##"<!doctype html><html><head><style>
@layer base, theme;
@layer theme { #a{color:rgb(1, 1, 1)} #b{color:rgb(2, 2, 2) !important} @layer deep { #c{color:rgb(3, 3, 3)} } #c{color:rgb(4, 4, 4)} }
@layer base { body #a{color:rgb(5, 5, 5)} #b{color:rgb(6, 6, 6) !important} #d{color:rgb(7, 7, 7)} }
#d{color:rgb(8, 8, 8)} body #e{color:rgb(9, 9, 9)}
@layer { #e#e#e{color:rgb(10, 10, 10)} }
@layer theme.deep { #f{color:rgb(11, 11, 11)} } @layer theme { div{color:rgb(12, 12, 12)} }
@supports not (display:grid) { #g{color:rgb(13, 13, 13)} } @supports (display:grid) and (gap:1px) { #h{color:rgb(14, 14, 14)} }
</style></head><body><div id=a></div><div id=b></div><div id=c></div><div id=d></div><div id=e></div><div id=f></div><p id=g></p><p id=h></p><script src=main.js></script></body></html>"##;

const LAYERED_COMPUTED: [(&str, &str, &str); 8] = [
    ("a", "color", "rgb(1, 1, 1)"),
    ("b", "color", "rgb(6, 6, 6)"),
    ("c", "color", "rgb(4, 4, 4)"),
    ("d", "color", "rgb(8, 8, 8)"),
    ("e", "color", "rgb(9, 9, 9)"),
    ("f", "color", "rgb(12, 12, 12)"),
    ("g", "color", "rgb(0, 0, 0)"),
    ("h", "color", "rgb(14, 14, 14)"),
];

const CONDITIONS: &str = r##"<!doctype html><html><head><style>
:root{--h:200;--s:50%}
#a{background-color:hsl(var(--h),var(--s),calc(10% + 20%))}
@media (100px <= width <= 4000px){#b{color:rgb(1, 1, 1)}} @media (width < 100px){#b{color:red}} @media (aspect-ratio > 1/1){#b{left:3px}}
@scope (.card){ i{color:rgb(2, 2, 2)} :scope{color:rgb(3, 3, 3)} .card{top:4px} & u{color:rgb(6, 6, 6)} }
:nth-child(2 of .n){color:rgb(4, 4, 4)} :nth-last-child(1 of .n){top:5px}
</style></head><body><div id=a></div><div id=b></div><div id=c class=card><i id=d></i><u id=e></u></div><i id=f></i>
<section><p></p><p class=n></p><p></p><p class=n id=g></p><p class=n id=h></p><p id=k></p></section><script src=main.js></script></body></html>"##;

const CONDITIONS_COMPUTED: [(&str, &str, &str); 13] = [
    ("a", "backgroundColor", "rgb(38, 89, 115)"),
    ("b", "color", "rgb(1, 1, 1)"),
    ("b", "left", "3px"),
    ("c", "color", "rgb(3, 3, 3)"),
    ("c", "top", "auto"),
    ("d", "color", "rgb(2, 2, 2)"),
    ("e", "color", "rgb(6, 6, 6)"),
    ("f", "color", "rgb(0, 0, 0)"),
    ("g", "color", "rgb(4, 4, 4)"),
    ("h", "color", "rgb(0, 0, 0)"),
    ("h", "top", "5px"),
    ("g", "top", "auto"),
    ("k", "top", "auto"),
];

#[test]
fn shorthands_variables_and_lengths_are_computed() {
    holds(PAGE, &COMPUTED);
}

#[test]
fn nested_rules_and_registered_properties_are_computed() {
    holds(NESTED, &NESTED_COMPUTED);
}

#[test]
fn layers_and_conditions_are_heeded() {
    holds(LAYERED, &LAYERED_COMPUTED);
    holds(CONDITIONS, &CONDITIONS_COMPUTED);
}

/// Are the computed values of `page` these?
pub(super) fn holds(html: &str, wanted: &[(&str, &str, &str)]) {
    let mut script = String::new();
    for (id, name, _) in wanted {
        script.push_str(&format!("{{ const s = getComputedStyle(document.getElementById('{id}')); console.log(String('{name}' in {{}} || '{name}'.startsWith('--') ? s.getPropertyValue('{name}') : s['{name}'])); }}\n"));
    }
    let options = RuntimeOptions { width: 780, height: 493, ..Default::default() };
    let mut rt = page(&[("index.html", html), ("main.js", &script)], options);
    rt.load().unwrap_or_else(|e| panic!("{e:?}"));
    let got: Vec<String> = rt.report().console.into_iter().map(|line| line.text).collect();
    assert_eq!(got.len(), wanted.len(), "{got:?}");
    let wrong: Vec<String> = wanted
        .iter()
        .zip(&got)
        .filter(|((_, _, want), got)| want != got)
        .map(|((id, name, want), got)| format!("#{id} {name}\n    is   {got}\n    want {want}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A loop of variables has no value (CSS Variables 1, section 2.3), and doubling ones end.
#[test]
fn variables_that_refer_to_each_other_end() {
    let mut css = String::from(":root{--a:var(--b);--b:var(--a);--x0:1234567890;");
    for n in 1..40 {
        css.push_str(&format!("--x{n}:var(--x{})var(--x{});", n - 1, n - 1));
    }
    css.push_str("}body{color:red;color:var(--a, blue);width:var(--x39)}");
    let html = format!(
        "<!doctype html><style>{css}</style><body><script>const s = getComputedStyle(document.body); console.log(s.color, `[${{s.getPropertyValue('--a')}}]`)</script>"
    );
    assert_eq!(said(&[("index.html", &html)], 0), ["rgb(0, 0, 255) []"]);
}

/// What Chromium 150 answers of a picture as drawing programs export it, read by `DOMParser` (the colours of `SVGLoader`).
#[test]
fn sheets_of_svg_documents_have_rules() {
    expect(
        r##"const d = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10"><defs><style type="text/css"><![CDATA[
/* c */ .a, .b > path{fill:#e63946;stroke-width:2px;stroke:none;fill-opacity:.5} #x{fill:url(#g)} @media print{.a{fill:red}} @font-face{font-family:F;src:url(f.woff)} .c{FILL:RED !important} rect{opacity:.25}]]></style></defs><g id="q"><path class="a" d="M0 0"/></g><use xlink:href="#q" id="u"/><svg:rect xmlns:svg="http://www.w3.org/2000/svg" id="r" style="fill:blue"/><foreignObject><div xmlns="http://www.w3.org/1999/xhtml" id="h">x</div></foreignObject></svg>`, 'image/svg+xml');
const st = d.querySelector('style'), R = () => st.sheet.cssRules, XLINK = 'http://www.w3.org/1999/xlink', SVG = 'http://www.w3.org/2000/svg';"##,
        &[
            ("R().length", "6"),
            ("[...R()].map(r => r.type).join()", "1,1,4,5,1,1"),
            (
                "[...R()].map(r => r.constructor.name).join()",
                "CSSStyleRule,CSSStyleRule,CSSMediaRule,CSSFontFaceRule,CSSStyleRule,CSSStyleRule",
            ),
            ("R()[0].selectorText + R()[1].selectorText", ".a, .b > path#x"),
            (
                "[R()[0].style.fill, R()[0].style.strokeWidth, R()[0].style.stroke, R()[0].style.fillOpacity, R()[0].style.length].join('|')",
                "rgb(230, 57, 70)|2px|none|0.5|4",
            ),
            (
                "R()[0].cssText",
                ".a, .b > path { fill: rgb(230, 57, 70); stroke-width: 2px; stroke: none; fill-opacity: 0.5; }",
            ),
            ("R()[1].style.fill", "url(\"#g\")"),
            ("R()[4].cssText + R()[4].style.getPropertyPriority('fill')", ".c { fill: red !important; }important"),
            (
                "JSON.stringify(Object.fromEntries(Object.entries(R()[0].style).filter(([, v]) => v !== '')))",
                r#"{"0":"fill","1":"stroke-width","2":"stroke","3":"fill-opacity","fill":"rgb(230, 57, 70)","fillOpacity":"0.5","stroke":"none","strokeWidth":"2px"}"#,
            ),
            (
                "R()[0].parentStyleSheet === st.sheet && st.sheet.ownerNode === st && R()[0].style.parentRule === R()[0]",
                "true",
            ),
            ("R().item(0) === R()[0] && R()[0] === st.sheet.cssRules[0] && R().constructor.name", "CSSRuleList"),
            ("R()[2].conditionText + R()[2].cssRules.length + R()[2].cssRules[0].selectorText", "print1.a"),
            (
                "(R()[0].style.fill = 'blue', R()[0].selectorText = '.z', R()[0].cssText)",
                ".z { fill: blue; stroke-width: 2px; stroke: none; fill-opacity: 0.5; }",
            ),
            (
                "[st, d.documentElement, d.querySelector('path'), d.querySelector('#h')].map((e) => e.constructor.name).join()",
                "SVGStyleElement,SVGSVGElement,SVGPathElement,HTMLDivElement",
            ),
            (
                "d.querySelector('path').viewportElement === d.documentElement && d.documentElement.viewportElement",
                "null",
            ),
            ("d.documentElement.getElementById('q').localName + d.styleSheets.length", "g1"),
            (
                "[d.querySelector('#r').localName, d.querySelector('#r').tagName, d.querySelector('#r').prefix, d.querySelector('#h').tagName].join()",
                "rect,svg:rect,svg,div",
            ),
            (
                "d.querySelector('use').getAttributeNS(XLINK, 'href') + d.querySelector('use').getAttributeNS(null, 'href')",
                "#qnull",
            ),
            (
                "d.querySelector('use').getAttribute('href') + d.querySelector('use').getAttribute('xlink:href')",
                "null#q",
            ),
            (
                "d.getElementsByTagNameNS(SVG, 'rect').length + ',' + d.getElementsByTagName('rect').length + ',' + d.getElementsByTagName('svg:rect').length + ',' + d.getElementsByTagName('USE').length",
                "1,0,1,0",
            ),
            (
                "new DOMParser().parseFromString('<svg><style>.a{fill:red}</style></svg>', 'image/svg+xml').querySelector('style').sheet",
                "undefined",
            ),
            (
                "new DOMParser().parseFromString('<svg><style>.a{fill:red}</style></svg>', 'text/html').querySelector('style').sheet.cssRules[0].style.fill",
                "red",
            ),
            ("document.createElement('style').sheet", "null"),
            (
                "(() => { const s = document.createElement('style'); s.textContent = 'b{color:red}'; document.head.append(s); const e = document.createElement('b'); document.body.append(e); s.sheet.cssRules[0].style.color = 'blue'; return getComputedStyle(e).color })()",
                "rgb(0, 0, 255)",
            ),
        ],
    );
}
