const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
const c = canvas.getContext('2d');

const FILTERS = [
  'none', 'blur(2px)', 'blur(6px)', 'brightness(0.5)', 'brightness(1.6)', 'contrast(0.4)', 'contrast(2)', 'grayscale(1)', 'grayscale(40%)',
  'hue-rotate(90deg)', 'hue-rotate(-0.3turn)', 'invert(1)', 'invert(30%)', 'opacity(0.4)', 'saturate(3)', 'saturate(0.2)', 'sepia(1)',
  'drop-shadow(3px 4px 2px #203060)', 'blur(1px) hue-rotate(180deg) contrast(1.5)', 'sepia(0.5) saturate(2) brightness(1.1)',
];

function picture(d) {
  const g = d.createLinearGradient(0, 0, 44, 44);
  g.addColorStop(0, '#e04020');
  g.addColorStop(0.5, '#40c060');
  g.addColorStop(1, '#2040c0');
  d.fillStyle = g;
  d.fillRect(6, 6, 34, 34);
  d.fillStyle = '#f8f0a0';
  d.fillRect(14, 12, 10, 20);
}

function frame() {
  requestAnimationFrame(frame);
  c.fillStyle = '#c8ccd4';
  c.fillRect(0, 0, 256, 256);
  const cell = document.createElement('canvas');
  cell.width = cell.height = 46;
  picture(cell.getContext('2d'));
  FILTERS.forEach((filter, i) => {
    c.filter = filter;
    c.drawImage(cell, (i % 5) * 51 + 1, Math.floor(i / 5) * 50 + 2);
  });
  c.filter = 'blur(3px)';
  c.fillStyle = '#102030';
  c.fillRect(20, 216, 90, 20);
  c.filter = 'drop-shadow(4px 4px 0 #a00000)';
  c.strokeStyle = '#0060a0';
  c.lineWidth = 6;
  c.beginPath();
  c.moveTo(130, 240);
  c.bezierCurveTo(150, 190, 200, 270, 240, 216);
  c.stroke();
  c.filter = 'none';
}
requestAnimationFrame(frame);
