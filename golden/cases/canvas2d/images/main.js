const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
const c = canvas.getContext('2d');

const tile = document.createElement('canvas');
tile.width = tile.height = 16;
const t = tile.getContext('2d');
t.fillStyle = '#f0c040';
t.fillRect(0, 0, 16, 16);
t.fillStyle = '#304080';
t.fillRect(0, 0, 8, 8);
t.fillStyle = '#c03040';
t.beginPath();
t.arc(12, 12, 4, 0, Math.PI * 2);
t.fill();

const pixels = new ImageData(8, 8);
for (let i = 0; i < 64; i++) {
  pixels.data.set([(i % 8) * 36, Math.floor(i / 8) * 36, 120, i % 3 === 0 ? 128 : 255], i * 4);
}

function frame() {
  requestAnimationFrame(frame);
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.fillStyle = '#dde4ea';
  c.fillRect(0, 0, 256, 256);
  c.drawImage(tile, 4, 4);
  c.drawImage(tile, 24, 4, 48, 48);
  c.imageSmoothingEnabled = false;
  c.drawImage(tile, 76, 4, 48, 48);
  c.drawImage(tile, 4, 4, 8, 8, 128, 4, 48, 48);
  c.imageSmoothingEnabled = true;
  c.save();
  c.translate(214, 30);
  c.rotate(0.6);
  c.drawImage(tile, -20, -20, 40, 40);
  c.restore();
  c.save();
  c.scale(-1, 1);
  c.drawImage(tile, -20, 24, 16, 28);
  c.restore();
  ['repeat', 'repeat-x', 'repeat-y', 'no-repeat'].forEach((how, i) => {
    c.save();
    c.translate(4 + i * 62, 60);
    c.fillStyle = c.createPattern(tile, how);
    c.fillRect(0, 0, 58, 50);
    c.restore();
  });
  const turned = c.createPattern(tile, 'repeat');
  turned.setTransform(new DOMMatrix().rotate(30).scale(0.7));
  c.fillStyle = turned;
  c.beginPath();
  c.arc(40, 148, 32, 0, Math.PI * 2);
  c.fill();
  c.strokeStyle = c.createPattern(tile, 'repeat');
  c.lineWidth = 12;
  c.strokeRect(86, 124, 50, 44);
  const sweep = c.createConicGradient(0.7, 186, 148);
  sweep.addColorStop(0, '#ff4040');
  sweep.addColorStop(0.35, '#40ff40');
  sweep.addColorStop(0.7, '#4040ff');
  sweep.addColorStop(1, '#ff4040');
  c.fillStyle = sweep;
  c.fillRect(154, 118, 64, 60);
  const cone = c.createRadialGradient(236, 130, 2, 240, 158, 22);
  cone.addColorStop(0, '#ffffff');
  cone.addColorStop(1, '#104020');
  c.fillStyle = cone;
  c.fillRect(222, 116, 32, 64);
  c.putImageData(pixels, 8, 190);
  c.putImageData(pixels, 20, 190, 2, 2, 4, 5);
  const small = document.createElement('canvas');
  small.width = small.height = 8;
  small.getContext('2d').putImageData(pixels, 0, 0);
  c.drawImage(small, 40, 188, 60, 60);
  const copy = c.getImageData(24, 4, 48, 48);
  for (let i = 0; i < copy.data.length; i += 4) copy.data[i] = 255 - copy.data[i];
  c.putImageData(copy, 108, 194);
  c.drawImage(canvas, 0, 0, 256, 128, 164, 194, 88, 44);
}
requestAnimationFrame(frame);
