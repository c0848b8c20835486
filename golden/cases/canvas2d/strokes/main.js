const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
const c = canvas.getContext('2d');

function zigzag(x, y) {
  c.beginPath();
  c.moveTo(x, y + 30);
  c.lineTo(x + 14, y);
  c.lineTo(x + 28, y + 30);
  c.lineTo(x + 42, y + 22);
  c.stroke();
}

function frame() {
  requestAnimationFrame(frame);
  c.fillStyle = '#f4f0e6';
  c.fillRect(0, 0, 256, 256);
  c.strokeStyle = '#203050';
  let x = 12;
  for (const join of ['miter', 'round', 'bevel']) {
    for (const cap of ['butt', 'round', 'square']) {
      c.lineJoin = join;
      c.lineCap = cap;
      c.lineWidth = 7;
      zigzag(x, join === 'miter' ? 16 : join === 'round' ? 66 : 116);
      x = x > 150 ? 12 : x + 80;
    }
  }
  c.lineJoin = 'miter';
  c.lineCap = 'butt';
  c.lineWidth = 5;
  for (const [i, limit] of [1, 2, 4, 10].entries()) {
    c.miterLimit = limit;
    c.beginPath();
    c.moveTo(10 + i * 34, 196);
    c.lineTo(24 + i * 34, 162);
    c.lineTo(32 + i * 34, 196);
    c.stroke();
  }
  c.miterLimit = 10;
  c.lineWidth = 4;
  c.strokeStyle = '#b03020';
  c.setLineDash([14, 4, 3, 4]);
  c.lineDashOffset = 6;
  c.strokeRect(150, 162, 90, 30);
  c.setLineDash([9]);
  c.lineDashOffset = -3;
  c.lineCap = 'round';
  c.beginPath();
  c.arc(40, 226, 20, 0, Math.PI * 2);
  c.stroke();
  c.setLineDash([]);
  c.lineCap = 'butt';
  c.strokeStyle = '#107040';
  // A stroke is transformed with its path.
  c.save();
  c.translate(100, 226);
  c.scale(2.2, 0.8);
  c.lineWidth = 6;
  c.beginPath();
  c.arc(0, 0, 14, 0, Math.PI * 2);
  c.stroke();
  c.restore();
  for (let i = 0; i < 6; i++) {
    c.lineWidth = 0.5 + i * 0.5;
    c.beginPath();
    c.moveTo(150, 204 + i * 8);
    c.lineTo(200, 206.5 + i * 8);
    c.stroke();
  }
  const fade = c.createLinearGradient(206, 0, 250, 0);
  fade.addColorStop(0, '#ff8800');
  fade.addColorStop(0.5, '#8800ff80');
  fade.addColorStop(1, '#0088ff');
  c.strokeStyle = fade;
  c.lineWidth = 8;
  c.beginPath();
  c.moveTo(206, 206);
  c.bezierCurveTo(280, 206, 180, 246, 250, 246);
  c.stroke();
}
requestAnimationFrame(frame);
