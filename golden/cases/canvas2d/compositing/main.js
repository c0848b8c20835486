const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
const c = canvas.getContext('2d');

const MODES = [
  'source-over', 'source-in', 'source-out', 'source-atop', 'destination-over', 'destination-in', 'destination-out', 'destination-atop',
  'lighter', 'copy', 'xor', 'multiply', 'screen', 'overlay', 'darken', 'lighten', 'color-dodge', 'color-burn', 'hard-light', 'soft-light',
  'difference', 'exclusion', 'hue', 'saturation', 'color', 'luminosity',
];

function frame() {
  requestAnimationFrame(frame);
  c.globalCompositeOperation = 'source-over';
  c.fillStyle = '#ffffff';
  c.fillRect(0, 0, 256, 256);
  const cell = document.createElement('canvas');
  cell.width = cell.height = 40;
  const d = cell.getContext('2d');
  MODES.forEach((mode, i) => {
    d.globalCompositeOperation = 'source-over';
    d.clearRect(0, 0, 40, 40);
    d.globalAlpha = 0.9;
    const sky = d.createLinearGradient(0, 0, 0, 40);
    sky.addColorStop(0, '#2060c0');
    sky.addColorStop(1, '#e0c020');
    d.fillStyle = sky;
    d.fillRect(4, 4, 24, 24);
    d.globalCompositeOperation = mode;
    d.globalAlpha = 0.8;
    d.fillStyle = '#d04080';
    d.beginPath();
    d.arc(25, 25, 12, 0, Math.PI * 2);
    d.fill();
    d.globalAlpha = 1;
    c.drawImage(cell, (i % 6) * 42 + 3, Math.floor(i / 6) * 42 + 3);
  });
  // Shadows: of fills, strokes, pictures and see-through colours.
  c.shadowColor = 'rgba(0, 0, 0, 0.6)';
  c.shadowBlur = 6;
  c.shadowOffsetX = 4;
  c.shadowOffsetY = 3;
  c.fillStyle = '#40c0a0';
  c.fillRect(12, 222, 40, 22);
  c.fillStyle = 'rgba(255, 80, 0, 0.5)';
  c.beginPath();
  c.arc(86, 232, 13, 0, Math.PI * 2);
  c.fill();
  c.strokeStyle = '#3050d0';
  c.lineWidth = 4;
  c.strokeRect(118, 222, 34, 20);
  c.shadowBlur = 0;
  c.fillRect(170, 222, 30, 20);
  c.shadowColor = 'transparent';
  c.globalAlpha = 0.4;
  c.drawImage(canvas, 0, 0, 60, 60, 214, 216, 36, 36);
  c.globalAlpha = 1;
}
requestAnimationFrame(frame);
