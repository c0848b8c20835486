const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
const c = canvas.getContext('2d');

/** The helper of a thousand labels: corners by arcTo. */
function rounded(x, y, w, h, r) {
  c.beginPath();
  c.moveTo(x + r, y);
  c.arcTo(x + w, y, x + w, y + h, r);
  c.arcTo(x + w, y + h, x, y + h, r);
  c.arcTo(x, y + h, x, y, r);
  c.arcTo(x, y, x + w, y, r);
  c.closePath();
}

function star(x, y, r) {
  c.beginPath();
  for (let i = 0; i < 5; i++) {
    const a = -Math.PI / 2 + (i * 4 * Math.PI) / 5;
    c.lineTo(x + r * Math.cos(a), y + r * Math.sin(a));
  }
  c.closePath();
}

function frame() {
  requestAnimationFrame(frame);
  c.fillStyle = '#20242c';
  c.fillRect(0, 0, 256, 256);
  c.fillStyle = '#e0a030';
  rounded(8, 8, 70, 40, 12);
  c.fill();
  // The other way round, sharp and blunt angles, degenerate ones.
  c.strokeStyle = '#60d0ff';
  c.lineWidth = 3;
  c.beginPath();
  c.moveTo(90, 45);
  c.arcTo(110, 5, 130, 45, 8);
  c.arcTo(150, 45, 160, 10, 10);
  c.arcTo(165, 10, 170, 10, 4);
  c.arcTo(200, 10, 190, 45, 0);
  c.arcTo(190, 45, 150, 60, 20);
  c.stroke();
  star(225, 28, 24);
  c.fillStyle = '#ff5577';
  c.fill('evenodd');
  star(30, 85, 24);
  c.fill('nonzero');
  c.fillStyle = '#77dd77';
  c.beginPath();
  c.moveTo(90, 85);
  c.arc(90, 85, 26, 0.5, 2 * Math.PI - 0.5);
  c.fill();
  c.beginPath();
  c.ellipse(150, 85, 34, 16, 0.5, 1, 5, true);
  c.fill();
  c.beginPath();
  c.ellipse(215, 85, 30, 18, -0.4, -1, 3);
  c.closePath();
  c.stroke();
  c.fillStyle = '#c090ff';
  c.beginPath();
  c.roundRect(8, 120, 60, 36, [18, { x: 6, y: 14 }, 0, 9]);
  c.roundRect(140, 156, -60, -36, 10);
  c.rect(150, 120, 40, 36);
  c.moveTo(170, 126);
  c.lineTo(184, 150);
  c.lineTo(156, 150);
  c.closePath();
  c.fill('evenodd');
  const path = new Path2D('M10 10 h30 a10 10 0 0 1 0 20 q-15 20 -30 0 c-20 -5 -20 -15 0 -20 z m8 4 l14 4 l-12 6 z');
  const both = new Path2D();
  both.addPath(path, new DOMMatrix().translate(196, 115).scale(1.2));
  both.moveTo(250, 160);
  both.lineTo(230, 172);
  both.lineTo(206, 160);
  c.fillStyle = '#ffd0a0';
  c.fill(both, 'evenodd');
  // Which pixels are inside is asked of the path.
  rounded(8, 170, 70, 76, 30);
  for (let y = 172; y < 250; y += 6) {
    for (let x = 8; x < 84; x += 6) {
      c.fillStyle = c.isPointInPath(x + 2, y + 2) ? '#ffffff' : '#445566';
      c.fillRect(x, y, 4, 4);
    }
  }
  c.save();
  c.translate(140, 210);
  c.transform(1, 0.2, -0.3, 0.9, 0, 0);
  c.beginPath();
  for (let i = 0; i <= 60; i++) {
    const a = i * 0.35, r = i * 0.6;
    c[i ? 'lineTo' : 'moveTo'](r * Math.cos(a), r * Math.sin(a));
  }
  c.lineWidth = 2;
  c.strokeStyle = '#f0f060';
  c.stroke();
  c.restore();
  c.beginPath();
  c.arc(220, 212, 30, 0, Math.PI * 2);
  c.arc(220, 212, 16, 0, Math.PI * 2, true);
  c.save();
  c.clip();
  for (let i = -6; i < 12; i++) {
    c.fillStyle = i % 2 ? '#d04040' : '#f0f0f0';
    c.beginPath();
    c.moveTo(190 + i * 10, 180);
    c.lineTo(200 + i * 10, 180);
    c.lineTo(230 + i * 10, 246);
    c.lineTo(220 + i * 10, 246);
    c.fill();
  }
  c.restore();
}
requestAnimationFrame(frame);
