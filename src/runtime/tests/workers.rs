//! Workers, classic and of modules (HTML, 10.2): what they see, the order of their messages, what becomes of exceptions.

use super::errors::{fails, place};
use super::*;

#[test]
fn classic_workers_run_in_turn() {
    let worker = "importScripts('lib.js'); counter = 0; onmessage = function (e) { counter += e.data.n; self.postMessage({ sum: counter + lib, mine: typeof document, b: e.data.buffer && e.data.buffer.byteLength }); };";
    let js = "const w = new Worker('w.js'); w.onmessage = (e) => console.log(e.data.sum, e.data.mine, e.data.b); const b = new ArrayBuffer(8);
        w.postMessage({ n: 1, buffer: b }, [b]); w.postMessage({ n: 3 }); console.log(b.byteLength, typeof counter, typeof DedicatedWorkerGlobalScope);
        const blob = URL.createObjectURL(new Blob(['postMessage(self.name + (self === globalThis) + (self instanceof WorkerGlobalScope) + (\"document\" in self))']));
        new Worker(blob, { name: 'B' }).onmessage = (e) => console.log(e.data); URL.revokeObjectURL(blob);";
    let files = [("main.js", js), ("w.js", worker), ("lib.js", "var lib = ten();\nfunction ten() { return 10; }")];
    assert_eq!(
        said(&files, 1),
        ["0 undefined undefined", "Btruetruefalse", "11 undefined 8", "14 undefined undefined"]
    );
}

#[test]
fn module_workers_see_a_workers_scope() {
    let html = r#"<script type="importmap">{"imports": {"mapped": "./lib.js"}}</script><script type="module" src="main.js"></script>"#;
    // The page's own instance of lib.js is another than the worker's: its count does not go on in there.
    let main = "import { next } from 'mapped'; next(); next(); window.shared = 1;
        const w = new Worker(new URL('./sub/w.js', import.meta.url), { type: 'module', name: 'N' });
        w.onmessage = (e) => console.log(e.data); w.postMessage({ a: [1, 2] });
        console.log(typeof document, self === window, typeof importScripts);";
    let worker = "import { next } from '../lib.js';\nimport pack from 'pack';
        const { late } = await import('./late.js');
        const tell = (...all) => postMessage(all.join(' '));
        self.mine = 7;
        tell(next(), pack, late, import.meta.url, name, location.pathname);
        tell(typeof window, typeof document, typeof HTMLCanvasElement, typeof OffscreenCanvas, 'document' in self, typeof shared_not);
        tell(self === globalThis, self instanceof DedicatedWorkerGlobalScope, mine, globalThis.mine, typeof WorkerGlobalScope, typeof importScripts);
        try { importScripts('lib.js') } catch (e) { tell(e.name) }
        try { await import('mapped') } catch (e) { tell(e.name) }
        tell(JSON.stringify(await (await fetch('data.json')).json()));
        setTimeout(() => { tell('timer', typeof document, this === undefined); close(); }, 50);";
    // Loads take no time, so the script is done before the first message comes.
    let first = "import './w2.js'; onmessage = (e) => postMessage(`got ${e.data.a}`);";
    let files = [
        ("index.html", html),
        ("main.js", main),
        ("sub/w.js", &format!("{first}\n{worker}")),
        ("sub/w2.js", "self.order = 1;"),
        ("sub/late.js", "export const late = order + typeof window;"),
        ("sub/data.json", "{\"here\": true}"),
        ("lib.js", "let n = 0; export const next = () => ++n;"),
        ("node_modules/pack/package.json", "{\"module\": \"m.js\"}"),
        ("node_modules/pack/m.js", "export default 'packed';"),
    ];
    assert_eq!(
        said(&files, 2),
        [
            "object true undefined",
            "1 packed 1undefined http://localhost/sub/w.js N /sub/w.js",
            "undefined undefined undefined function false undefined",
            "true true 7 7 function function",
            "TypeError",
            "TypeError",
            "{\"here\":true}",
            "got 1,2",
            "timer undefined true",
        ]
    );
}

#[test]
fn module_workers_are_apart_from_each_other_and_the_page() {
    let js = "self.n = 100;
        const code = `onmessage = async (e) => { self.n = (self.n ?? 0) + e.data; await 0; postMessage([name, n, typeof document].join()) }`;
        const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
        for (const name of ['a', 'b']) { const w = new Worker(url, { type: 'module', name }); w.onmessage = (e) => console.log(e.data, n, typeof document); w.postMessage(1); w.postMessage(2); }
        URL.revokeObjectURL(url);
        const data = new Worker('data:text/javascript,postMessage(import.meta.url.slice(0, 5))', { type: 'module' }); data.onmessage = (e) => console.log(e.data);
        requestAnimationFrame(() => console.log(n, self === window, globalThis === window, typeof document));";
    assert_eq!(
        said(&[("main.js", js)], 1),
        [
            "data: 100 object",
            "a,1,undefined 100 object",
            "a,3,undefined 100 object",
            "b,1,undefined 100 object",
            "b,3,undefined 100 object",
            "100 true true object"
        ]
        .map(|s| s.strip_suffix(" 100 object").filter(|s| *s == "data:").unwrap_or(s))
    );
}

/// HTML, 10.2.5 "Runtime script errors in workers": to the worker's own handlers, then to the Worker object, then to the page.
#[test]
fn exceptions_of_workers_go_the_standards_way() {
    let page = |worker: &str, rest: &str| {
        format!(
            "const w = new Worker('w.js', {{ type: '{worker}' }});\nw.onmessage = (e) => {{ console.log(e.data); }};\n{rest}\nw.postMessage(1);"
        )
    };
    let throws = "onmessage = (e) => {\n  postMessage('in');\n  throw new RangeError('far');\n};";
    let caught = "w.addEventListener('error', (e) => { console.log(e instanceof ErrorEvent, e.message, e.filename, e.lineno, e.colno, e.error); e.preventDefault(); });";
    for kind in ["classic", "module"] {
        let main = page(kind, caught);
        let want = "true Uncaught RangeError: far http://localhost/w.js 3 9 null";
        assert_eq!(said(&[("main.js", &main), ("w.js", throws)], 1), ["in", want], "{kind}");
        // Unhandled, it is the page's own: its window hears of it first, and else the run ends there.
        let main = page(kind, "window.onerror = (m) => { console.log('window', m); return true; };");
        let got = said(&[("main.js", &main), ("w.js", throws)], 1);
        assert_eq!(got, ["in", "window Uncaught RangeError: far"], "{kind}");
        let error = fails(&[("main.js", &page(kind, "w.onerror = () => {};")), ("w.js", throws)], 1);
        assert!(error.to_string().starts_with("RangeError: far"), "{error}");
        assert_eq!(place(&error), "w.js:3:9");
        // The worker's own handler comes first.
        let own = format!(
            "onerror = (m, f, l, c, e) => {{ postMessage(['own', m, l, e.name].join()); return true; }};\n{throws}"
        );
        let got = said(&[("main.js", &page(kind, "")), ("w.js", &own)], 1);
        assert_eq!(got, ["in", "own,Uncaught RangeError: far,4,RangeError"], "{kind}");
        // In a timer, after an await, and while the script runs.
        let late = "onmessage = async () => { await 0; setTimeout(() => { throw 1 }); };\nthrow new Error('top');";
        let main = page(kind, "w.onerror = (e) => { console.log(e.message, e.lineno); e.preventDefault(); }");
        let got = said(&[("main.js", &main), ("w.js", late)], 1);
        assert_eq!(got, ["Uncaught Error: top 2", "Uncaught 1 1"], "{kind}");
        // A worker that cannot be loaded tells its object; where nobody listens, the run.
        let main =
            "new Worker('gone.js', { type: 'KIND' }).onerror = (e) => console.log(e.type);".replace("KIND", kind);
        assert_eq!(said(&[("main.js", &main)], 1), ["error"], "{kind}");
        let main = "new Worker('gone.js', { type: 'KIND' });".replace("KIND", kind);
        assert!(fails(&[("main.js", &main)], 1).to_string().contains("`gone.js` does not exist"), "{kind}");
        let error = fails(&[("main.js", &page(kind, "")), ("w.js", "let a = ;")], 1);
        assert!(error.to_string().starts_with("SyntaxError"), "{error}");
        assert_eq!(place(&error), "w.js:1:9", "{kind}");
    }
    let error = fails(&[("main.js", &page("module", "")), ("w.js", "\nimport './none.js';")], 1);
    assert!(error.to_string().contains("`none.js` does not exist"), "{error}");
}

#[test]
fn a_port_calls_each_side_in_its_own_realm() {
    let js = "const { port1, port2 } = new MessageChannel(); const w = new Worker('w.js', { type: 'module' });
        w.postMessage(port2, [port2]); port1.onmessage = (e) => { console.log(e.data, typeof document); };";
    let worker = "onmessage = (e) => { e.data.onmessage = (m) => e.data.postMessage([m.data, typeof document].join()); e.data.postMessage('up'); self.port = e.data; };";
    assert_eq!(said(&[("main.js", js), ("w.js", worker)], 1), ["up object"]);
}

#[test]
fn three_draws_nothing_but_counts_in_a_module_worker() {
    if packages().is_none() {
        return;
    }
    let worker = "import * as THREE from 'three'; import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
        onmessage = (e) => { const g = mergeVertices(new THREE.BoxGeometry(e.data, 1, 1).deleteAttribute('normal').deleteAttribute('uv'));
        postMessage({ n: g.attributes.position.count, p: g.attributes.position.array }, [g.attributes.position.array.buffer]); };";
    let js = "const w = new Worker(new URL('./w.js', import.meta.url), { type: 'module' }); w.onmessage = (e) => console.log(e.data.n, e.data.p[0]); w.postMessage(4);";
    let root = MemoryRoot::new([("main.js", js), ("w.js", worker)]);
    let project = Project::from_roots(Arc::new(root), packages().into_iter().collect(), None).expect("project");
    let mut rt = Runtime::new(Arc::new(project), RuntimeOptions::default(), no_gl()).expect("runtime");
    rt.load().unwrap_or_else(|e| panic!("{e:?}"));
    let report = rt.report();
    assert!(
        report.warnings.iter().any(|w| w.contains("w.js imports `three` by its bare name")),
        "{:?}",
        report.warnings
    );
    let said: Vec<String> = report.console.into_iter().map(|line| line.text).collect();
    // A box has 8 corners, the first at half its sides.
    assert_eq!(said, ["8 2"]);
}

/// ECMA-262 16.1.7 for a worker's scripts: every answer is Chromium's for the same files.
#[test]
fn classic_workers_run_scripts() {
    let main =
        "const w = new Worker('w.js'); w.onmessage = (e) => console.log(e.data); w.postMessage(0); w.postMessage(1);";
    let files = [
        ("main.js", main),
        (
            "w.js",
            r#"var wv=1;function wf(){return 2} const wc=3;class wk{} var Module={mine:1};var name2=name,performance=performance||0;
importScripts("lib.js");
const t=n=>{try{return typeof eval(n)}catch(e){return e.name}};
const tell=(...a)=>postMessage(a.map(String).join(' '));
tell(["V","F","C","L","K","AF","GF","G","T","S","GT","d","E","wv","wf","wc","wk","self.V","self.F","self.C","self.K","self.wf","self.wv","self.wc","this===self","nope"].map(n=>n+":"+t(n)).join(" "));
tell(typeof V,typeof F,typeof C,typeof L,typeof K,typeof AF,typeof G,typeof T,typeof S,typeof GT,d,E,typeof nope,typeof document,typeof window,typeof Window);
tell(Module===self.Module,Module.mine,F.name,K.name,new K().constructor.name,arrow.name,self.arrow.name,wf.name,wk.name,F.toString===Function.prototype.toString);
tell(bump(),L,V,self.V,'V' in self,'L' in self,'F' in self,'nope' in self,Object.keys(self).includes('V'),self.hasOwnProperty('F'));
const no=f=>{try{return f()}catch(e){return e.name+': '+e.message.replace(/^Failed to execute 'importScripts' on 'WorkerGlobalScope': /,'')}};
tell(no(()=>nope),'|',no(()=>nope2()),'|',no(()=>nope3+1),'|',no(()=>document.body),'|',no(()=>{C=4}));
tell(no(()=>TDZ),typeof self.postMessage,postMessage===self.postMessage,self instanceof WorkerGlobalScope,this===globalThis);
let TDZ=1;
tell(no(()=>importScripts('again.js')),'|',no(()=>importScripts('strict.js')),'|',no(()=>importScripts('bad.js')));
if(true){function inner(){return 'inner'}} tell(inner(),typeof performance,performance===self.performance);
Math2=Math;tell(Math2===Math,self.Math2===Math,delete self.Math2,typeof Math2);
for(var i=0,fs=[];i<2;i++){let j=i;fs.push(()=>j+i)} tell(fs.map(f=>f()),self.i);
const {a:{b:deep=5}={},...rest}={x:1};var o={V,F,deep};tell(deep,JSON.stringify(rest),Object.keys(o),o.V);
addEventListener('message',e=>{onmessage=null;tell('got',e.data,no(()=>later))});
onmessage=e=>tell('on',e.data);
self.fetch=()=>'mine';tell(fetch===self.fetch);importScripts('fetch.js');
var self2=(function(){'use strict';return this})();tell(self2);
label:for(;;){break label} switch(1){case 1:let sw=2;tell(sw)}
tell(no(()=>{with({V:'w'}){return V}}));
"#,
        ),
        (
            "lib.js",
            r#"var V=1;function F(){return 2} const C=3;let L=4;class K{} async function AF(){} function*GF(){} G=5; this.T=6; self.S=7; globalThis.GT=8; var {d,e:[E]}={d:9,e:[10]};var Module=typeof Module!=='undefined'?Module:{};var arrow=()=>1;function bump(){return ++L+V++}
"#,
        ),
        ("again.js", "let L=1;"),
        ("strict.js", "'use strict'; var SV=1; undeclared_x=1;"),
        ("bad.js", "var ok=1;\nlet a = ;"),
        ("fetch.js", "tell(typeof fetch, fetch(), later_var);var later_var=1"),
    ];
    let want = [
        r#"V:number F:function C:number L:number K:function AF:function GF:function G:number T:number S:number GT:number d:number E:number wv:number wf:function wc:number wk:function self.V:number self.F:function self.C:undefined self.K:undefined self.wf:function self.wv:number self.wc:undefined this===self:boolean nope:ReferenceError"#,
        r#"number function number number function function number number number number 9 10 undefined undefined undefined undefined"#,
        r#"true 1 F K K arrow arrow wf wk true"#,
        r#"6 5 2 2 true false true false true true"#,
        r#"ReferenceError: nope is not defined | ReferenceError: nope2 is not defined | ReferenceError: nope3 is not defined | ReferenceError: document is not defined | TypeError: Assignment to constant variable."#,
        r#"ReferenceError: Cannot access 'TDZ' before initialization function true true true"#,
        r#"SyntaxError: Identifier 'L' has already been declared | ReferenceError: undeclared_x is not defined | SyntaxError: Unexpected token ';'"#,
        r#"inner number true"#,
        r#"true true true undefined"#,
        r#"2,3 2"#,
        r#"5 {"x":1} V,F,deep 2"#,
        r#"true"#,
        r#"function mine undefined"#,
        r#"undefined"#,
        r#"2"#,
        r#"w"#,
        r#"got 0 ReferenceError: later is not defined"#,
        r#"got 1 ReferenceError: later is not defined"#,
    ];
    let got = said(&files, 1);
    let wrong: Vec<_> = want.iter().zip(&got).filter(|(want, got)| want != got).collect();
    assert!(wrong.is_empty() && got.len() == want.len(), "{wrong:#?}");
}

/// What V8 says of a worker's names is told as the program wrote them; what the program itself says in the same letters stays.
#[test]
fn texts_of_the_programs_own_stay_beside_classic_workers() {
    let worker = "var abc = 1; function 㐂b() { nothing(); }\nconsole.log('㐀㐁 㐀abcd', typeof abc, 㐂b.name); postMessage('㐃㐄'); 㐂b();";
    let main = "const w = new Worker('w.js'); w.onmessage = (e) => console.log(e.data);
        w.onerror = (e) => { e.preventDefault(); console.log(e.message, '丂㐅㐆'); };";
    assert_eq!(
        said(&[("main.js", main), ("w.js", worker)], 1),
        ["㐀㐁 㐀abcd number 㐂b", "㐃㐄", "Uncaught ReferenceError: nothing is not defined 丂㐅㐆"]
    );
}

/// The usual call and answer over a port of its own (HTML, 9.4.4), both ways.
#[test]
fn ports_come_with_messages() {
    let worker = "onmessage = (e) => { const [port] = e.ports; port.onmessage = (m) => port.postMessage(m.data * 2 + e.ports.length); port.postMessage(typeof document); const c = new MessageChannel(); c.port1.onmessage = (m) => port.postMessage(m.data); postMessage('mine', [c.port2]); };";
    let js = "const w = new Worker('w.js', WHICH); const { port1, port2 } = new MessageChannel();
        port1.onmessage = (e) => console.log(e.data, e.ports.length); w.onmessage = (e) => { console.log(e.data, e.ports.length, typeof document); e.ports[0].postMessage('back'); };
        w.postMessage('go', [port2]); port1.postMessage(20);
        const a = new MessageChannel(), b = new MessageChannel(); a.port2.onmessage = (e) => e.ports[0].postMessage('far'); b.port1.onmessage = (e) => console.log(e.data);
        a.port1.postMessage(0, [b.port2]);";
    for which in ["{}", "{ type: 'module' }"] {
        let mut lines = said(&[("main.js", &js.replace("WHICH", which)), ("w.js", worker)], 2);
        lines.sort();
        assert_eq!(lines, ["41 0", "back 0", "far", "mine 1 object", "undefined 0"], "{which}");
    }
}
