//! Audio and video elements (HTML, 4.8.11), decoded sound, and APIs that refuse. The answers are Chromium's for the same program.

use super::errors::fails;
use super::*;

/// 8000 Hz, one channel of 8 bits, 64 samples of a quarter of full range: -0.5. Text, as the tests' files are.
fn wav() -> String {
    let head = "RIFF\x64\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\0\0\0";
    format!("{head}{}", "@".repeat(64))
}

#[test]
fn media_elements_load_and_play_on_the_virtual_clock() {
    let main = "const log = (...a) => console.log(a.join(' '));
        const types = ['loadstart', 'durationchange', 'loadedmetadata', 'loadeddata', 'canplay', 'canplaythrough', 'error'];
        const a = new Audio('a.wav'), seen = []; for (const t of types) a.addEventListener(t, () => seen.push(t));
        log(a.readyState, a.networkState, a.duration, a.paused);
        a.addEventListener('canplaythrough', () => {
            log(seen.join(), a.readyState, a.networkState, a.duration, a.paused, a.currentSrc);
            a.play().then(() => log('plays', a.paused, a.currentTime));
        });
        a.onended = () => log('ended', a.ended, a.paused, a.currentTime);
        const none = new Audio('none.wav'); none.oncanplay = () => log('never');
        none.onerror = () => { log('error', none.error.code, none.networkState, none.readyState); none.play().catch((e) => log(e.name)); };
        const text = new Audio('main.js'); text.onerror = () => log('no media', text.error instanceof MediaError, text.error.code);
        const quiet = document.createElement('audio'); quiet.preload = 'none'; quiet.oncanplay = () => log('never'); quiet.src = 'a.wav';
        const list = document.createElement('audio'); list.innerHTML = '<source src=none.mp3><source src=a.wav>';
        list.querySelector('source').onerror = () => log('source error'); list.oncanplaythrough = () => log('second', list.currentSrc); list.load();
        const looped = new Audio('a.wav'); looped.loop = true; looped.play();
        setTimeout(() => log('looped', looped.currentTime.toFixed(3), looped.ended, quiet.readyState, quiet.networkState), 21);";
    let mut got = said(&[("main.js", main), ("a.wav", &wav())], 2);
    assert_eq!(got.remove(0), "0 3 NaN true");
    got.sort();
    let mut want = [
        "loadstart,durationchange,loadedmetadata,loadeddata,canplay,canplaythrough 4 1 0.008 true http://localhost/a.wav",
        "plays false 0",
        "ended true true 0.008",
        "error 4 3 0",
        "NotSupportedError",
        "no media true 4",
        "source error",
        "second http://localhost/a.wav",
        "looped 0.005 false 0 1",
    ];
    want.sort();
    assert_eq!(got, want);
}

#[test]
fn sound_is_decoded() {
    let main = "const c = new OfflineAudioContext(1, 100, 8000);
        const bytes = await (await fetch('a.wav')).arrayBuffer();
        const buffer = await c.decodeAudioData(bytes);
        console.log([buffer.sampleRate, buffer.length, buffer.numberOfChannels, ...new Set(buffer.getChannelData(0)), bytes.byteLength].join());
        try { await c.decodeAudioData(new ArrayBuffer(100)); } catch (e) { console.log(e.name + ': ' + e.message); }
        const ogg = await (await fetch('a.ogg')).arrayBuffer();
        console.log((await c.decodeAudioData(ogg)).duration);";
    // A first page that says 8000 Hz, and a last one at sample 0x0f20.
    let ogg = format!(
        "OggS\0\x02{}\x01\x1e\x01vorbis\0\0\0\0\x02\x40\x1f\0\0OggS\0\x04\x20\x0f\0\0\0\0\0\0",
        "\0".repeat(20)
    );
    let files = [("main.js", main), ("a.wav", &wav()), ("a.ogg", &ogg)];
    assert_eq!(said(&files, 0), ["8000,64,1,-0.5,0", "EncodingError: Unable to decode audio data", "0.484"]);
}

/// A browser that has the feature would go on: nobody's fault but the engine's.
#[test]
fn what_is_not_supported_ends_nothing() {
    let calls = [
        "screen.orientation.lock('landscape')",
        "navigator.mediaDevices.getUserMedia({ video: true })",
        "new AudioContext().audioWorklet.addModule('w.js')",
        "crypto.subtle.generateKey({ name: 'HMAC' }, true, ['sign'])",
        "caches.open('v1')",
    ];
    for call in calls {
        let main = format!("(async () => {{ await {call}; console.log('no'); }})(); console.log('on');");
        let got = said(&[("main.js", &main)], 1);
        assert!(got[0] == "on" && got[1].starts_with("Uncaught (in promise) ") && got.len() == 2, "{call}: {got:?}");
        let mut rt = page(&[("main.js", &main)], RuntimeOptions::default());
        rt.load().expect("load");
        rt.run_frame(0).expect("frame");
        assert!(!rt.report().unsupported.is_empty(), "{call}");
    }
    // The program's own stay what they are.
    let error = fails(
        &[(
            "main.js",
            "navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => { throw new Error('mine'); });",
        )],
        1,
    );
    assert!(error.to_string().starts_with("Error: mine"), "{error}");
}

#[test]
fn stores_and_devices_refuse() {
    let main = "const log = (...a) => console.log(a.map(String).join(' '));
        const request = indexedDB.open('db', 2); log(request.readyState, request instanceof IDBOpenDBRequest);
        request.onsuccess = () => log('never'); request.onerror = (e) => log('db', e.target.error.name, request.readyState);
        const L = navigator.locks;
        L.request('a', async (l) => { log('1', l.name, l.mode); await 0; log('1 end'); return 7; }).then((v) => log('done', v));
        L.request('a', (l) => log('2', l.mode));
        L.request('b', { ifAvailable: true }, (l) => log('b', l.name));
        L.request('a', { ifAvailable: true }, (l) => log('if', l));
        L.request('a', { signal: AbortSignal.abort() }, () => {}).catch((e) => log(e.name));
        L.request('a').catch((e) => log(e.name));
        log(Notification.permission, speechSynthesis.getVoices().length, 'VideoEncoder' in window);
        Notification.requestPermission().then((p) => log(p));
        const u = new SpeechSynthesisUtterance('hi'); u.onerror = (e) => log('speech', e.error); speechSynthesis.speak(u);
        navigator.getBattery().then((b) => log(b.charging, b.chargingTime, b.dischargingTime, b.level));
        navigator.geolocation.getCurrentPosition(() => {}, (e) => log('geo', e.code, e.message, e.PERMISSION_DENIED));
        caches.match('x').then((r) => log(r));";
    let mut got = said(&[("main.js", main)], 1);
    let order: Vec<String> =
        got.iter().filter(|l| l.starts_with(['1', '2', 'd']) && !l.starts_with("denied")).cloned().collect();
    assert_eq!(order, ["db UnknownError done", "1 a exclusive", "1 end", "done 7", "2 exclusive"]);
    got.retain(|line| !order.contains(line));
    got.sort();
    let mut want = [
        "pending true",
        "b b",
        "if null",
        "AbortError",
        "TypeError",
        "denied 0 false",
        "denied",
        "speech synthesis-unavailable",
        "true 0 Infinity 1",
        "geo 1 User denied Geolocation 1",
        "undefined",
    ];
    want.sort();
    assert_eq!(got, want);
}
