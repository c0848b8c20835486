//! Web APIs that a page has in Chromium and not here. Asking for one (`'VideoEncoder' in window`) says no, so that programs take
//! their other way; a program that ends for want of one is told which it was.

/// Names of globals and of members of `navigator`, sorted. Taken from `Object.getOwnPropertyNames(window)` of Chromium;
/// event classes, parts of the DOM that only instances show and what needs hardware that no film has are left out.
const ABSENT: &[&str] = &[
    "AudioDecoder",
    "AudioEncoder",
    "AudioWorkletNode",
    "CSSStyleValue",
    "CSSUnitValue",
    "Cache",
    "Clipboard",
    "ClipboardItem",
    "CloseWatcher",
    "CookieStore",
    "CryptoKey",
    "DOMQuad",
    "DataTransfer",
    "DocumentTimeline",
    "EditContext",
    "ElementInternals",
    "EncodedVideoChunk",
    "EyeDropper",
    "FileSystemDirectoryHandle",
    "FileSystemFileHandle",
    "GPUBufferUsage",
    "GPUMapMode",
    "GPUShaderStage",
    "GPUTextureUsage",
    "HID",
    "Highlight",
    "IDBKeyRange",
    "IIRFilterNode",
    "IdleDetector",
    "ImageCapture",
    "ImageDecoder",
    "KeyframeEffect",
    "MIDIAccess",
    "MediaMetadata",
    "MediaSource",
    "MediaStreamTrackGenerator",
    "MediaStreamTrackProcessor",
    "Navigation",
    "NodeIterator",
    "OTPCredential",
    "Option",
    "PaymentRequest",
    "PerformanceNavigationTiming",
    "PerformanceResourceTiming",
    "PeriodicWave",
    "PictureInPictureWindow",
    "PresentationRequest",
    "PressureObserver",
    "RTCDataChannel",
    "RTCSessionDescription",
    "RTCIceCandidate",
    "ReportingObserver",
    "SVGAnimatedLength",
    "SVGLength",
    "SVGMatrix",
    "SVGPoint",
    "Sanitizer",
    "ScrollTimeline",
    "Serial",
    "ServiceWorker",
    "SharedArrayBuffer",
    "SourceBuffer",
    "SpeechRecognition",
    "StaticRange",
    "StorageManager",
    "StyleSheet",
    "StyleSheetList",
    "TaskController",
    "Temporal",
    "TextTrack",
    "Touch",
    "TouchList",
    "TreeWalker",
    "TrustedHTML",
    "URLPattern",
    "USB",
    "VTTCue",
    "VideoColorSpace",
    "VideoDecoder",
    "VideoEncoder",
    "VideoFrame",
    "ViewTimeline",
    "ViewTransition",
    "WakeLock",
    "WebSocketStream",
    "Worklet",
    "XPathEvaluator",
    "XPathResult",
    "XRRay",
    "XRRigidTransform",
    "XRSession",
    "XRWebGLBinding",
    "XRWebGLLayer",
    "XSLTProcessor",
    "cookieStore",
    "documentPictureInPicture",
    "fetchLater",
    "getUserMedia",
    "launchQueue",
    "mediaSession",
    "navigation",
    "queryLocalFonts",
    "requestMIDIAccess",
    "scheduler",
    "showDirectoryPicker",
    "showOpenFilePicker",
    "showSaveFilePicker",
    "startViewTransition",
    "trustedTypes",
    "webkitRequestFileSystem",
    "webkitSpeechRecognition",
];

/// The absent API that an uncaught error is about: V8's `message`, and the source `line` with the error at UTF-16 `column` from 1.
pub fn behind(message: &str, line: &str, column: usize) -> Option<&'static str> {
    if let Some(expression) = [" is not defined", " is not a constructor", " is not a function"]
        .iter()
        .find_map(|end| message.strip_suffix(end))
    {
        let expression = expression.rsplit(": ").next().unwrap_or(expression);
        return expression.split(['.', '(', '?', ' ']).find_map(listed);
    }
    // `window.indexedDB.open(…)`: V8 names the member only, the source says of what.
    if !(message.contains("Cannot read properties of undefined")
        || message.contains("Cannot set properties of undefined"))
    {
        return None;
    }
    let before: String = line.chars().take(column.saturating_sub(1)).collect();
    let trimmed = before.trim_end_matches(['.', '?']);
    trimmed.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).next().and_then(listed)
}

fn listed(word: &str) -> Option<&'static str> {
    ABSENT.iter().find(|name| **name == word).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_what_is_absent() {
        // As V8 words them, with the column it gives.
        assert_eq!(
            behind("ReferenceError: mediaSession is not defined", "mediaSession.setX('a')", 1),
            Some("mediaSession")
        );
        let line = "const db = window.mediaSession.setX('a');";
        let column = line.find("setX").map(|at| at + 1).unwrap_or(0);
        let message = "TypeError: Cannot read properties of undefined (reading 'setX')";
        assert_eq!(behind(message, line, column), Some("mediaSession"));
        assert_eq!(behind("TypeError: window.VideoEncoder is not a constructor", "", 1), Some("VideoEncoder"));
        assert_eq!(behind("ReferenceError: myThing is not defined", "myThing()", 1), None);
        assert_eq!(behind(message, "const db = window.thing.setX('a'); // mediaSession", 25), None);
    }
}
