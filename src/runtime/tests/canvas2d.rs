//! The 2D context as script sees it; values from the HTML standard and its web-platform tests.

use super::*;

#[test]
fn attributes_and_conversions() {
    let setup = "const canvas = document.createElement('canvas'); canvas.width = 100; canvas.height = 50;
        const c = canvas.getContext('2d');
        const at = (x, y) => Array.from(c.getImageData(x, y, 1, 1).data).join();";
    expect(
        setup,
        &[
            ("c === canvas.getContext('2d')", "true"),
            ("c.canvas === canvas", "true"),
            ("canvas.getContext('webgl2')", "null"),
            ("c instanceof CanvasRenderingContext2D", "true"),
            ("Object.prototype.toString.call(c)", "[object CanvasRenderingContext2D]"),
            ("(c.fillStyle = 'RED', c.fillStyle)", "#ff0000"),
            ("(c.fillStyle = 'nonsense', c.fillStyle)", "#ff0000"),
            ("(c.strokeStyle = 'rgba(1, 2, 3, .5)', c.strokeStyle)", "rgba(1, 2, 3, 0.5)"),
            ("(c.globalAlpha = 2, c.globalAlpha)", "1"),
            ("(c.lineWidth = 0, c.lineWidth)", "1"),
            ("(c.lineCap = 'round', c.lineCap = 'ROUND', c.lineCap)", "round"),
            ("(c.font = 'italic bold 12px/30px Georgia, serif', c.font)", "italic bold 12px Georgia, serif"),
            ("(c.font = 'bad', c.font)", "italic bold 12px Georgia, serif"),
            ("(c.setLineDash([1, 2, 3]), c.getLineDash().join())", "1,2,3,1,2,3"),
            ("(c.save(), c.globalAlpha = .5, c.restore(), c.globalAlpha)", "1"),
            ("(c.fillRect(10, 10, 5, 5), at(12, 12))", "255,0,0,255"),
            ("(c.translate(20, 0), c.scale(2, 2), c.fillRect(0, 10, 5, 5), at(29, 29))", "255,0,0,255"),
            ("c.getTransform().toString()", "matrix(2, 0, 0, 2, 20, 0)"),
            ("(c.resetTransform(), c.clearRect(0, 0, 100, 50), at(12, 12))", "0,0,0,0"),
            ("c.arc(0, 0, -1, 0, 1)", "!IndexSizeError"),
            ("c.createLinearGradient(0, 0, NaN, 0)", "!TypeError"),
            ("c.createLinearGradient(0, 0, 1, 0).addColorStop(2, 'red')", "!IndexSizeError"),
            ("c.createLinearGradient(0, 0, 1, 0).addColorStop(1, 'x')", "!SyntaxError"),
            ("c.drawImage(1, 0, 0)", "!TypeError"),
            ("c.getImageData(0, 0, 0, 1)", "!IndexSizeError"),
            ("c.fillRect(1, 2, 3)", "!TypeError"),
            ("c.isPointInPath(new Path2D('M0 0H10V10Z'), 8, 2)", "true"),
            ("c.isPointInPath(new Path2D('M0 0H10V10Z'), 2, 8)", "false"),
            ("(c.font = '64px sans-serif', Math.abs(c.measureText('H').width - 64 * 1540 / 2048) < 0.01)", "true"),
            ("(canvas.width = 100, c.fillStyle + c.font)", "#00000010px sans-serif"),
            ("new Path2D() instanceof Path2D && new CanvasGradient()", "!TypeError"),
        ],
    );
}

/// One canvas drawn onto another, a pattern, and a WebGL-like read of the pixels by toDataURL.
#[test]
fn canvases_are_pictures() {
    let setup = "const make = () => { const e = document.createElement('canvas'); e.width = e.height = 4; return e; };
        const small = make(), s = small.getContext('2d');
        s.fillStyle = '#00ff00'; s.fillRect(0, 0, 2, 4); s.fillStyle = '#0000ff80'; s.fillRect(2, 0, 2, 4);
        const big = make(); big.width = 8; const b = big.getContext('2d');
        const at = (c, x, y) => Array.from(c.getImageData(x, y, 1, 1).data).join();";
    expect(
        setup,
        &[
            ("(b.drawImage(small, 4, 0), at(b, 4, 1))", "0,255,0,255"),
            ("at(b, 7, 1)", "0,0,255,128"),
            (
                "(b.fillStyle = b.createPattern(small, 'repeat'), b.clearRect(0, 0, 8, 4), b.fillRect(0, 0, 8, 4), at(b, 5, 0))",
                "0,255,0,255",
            ),
            ("(b.putImageData(s.getImageData(0, 0, 2, 2), 6, 2), at(b, 7, 3))", "0,255,0,255"),
            ("b.createPattern(small, 'sideways')", "!SyntaxError"),
            ("small.toDataURL().slice(0, 22)", "data:image/png;base64,"),
            ("new OffscreenCanvas(2, 2).getContext('2d') instanceof OffscreenCanvasRenderingContext2D", "true"),
            ("new DOMMatrix([2, 0, 0, 4, 6, 8]).inverse().transformPoint({ x: 6, y: 12 }).y", "1"),
            ("new DOMMatrix().rotate(90).transformPoint(new DOMPoint(1, 0)).y", "1"),
        ],
    );
}
