// The rival: headless Chromium + ffmpeg against replay, whole process against whole process.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, statSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launch, open } from './chromium.mjs';
import { serve } from './serve.mjs';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    frames: { type: 'string', default: '30' },
    size: { type: 'string', default: '1080x1920' },
    fps: { type: 'string', default: '30' },
    gpu: { type: 'string', default: 'swiftshader' },
    'no-png': { type: 'boolean', default: false },
    'node-modules': { type: 'string', default: join(root, 'examples/node_modules') },
  },
});
const project = resolve(positionals[0] ?? join(root, 'examples/town'));
const entry = statSync(project).isDirectory() ? (existsSync(join(project, 'index.html')) ? 'index.html' : 'main.js') : null;
const [folder, file] = entry ? [project, entry] : [dirname(project), project.slice(dirname(project).length + 1)];
const frames = Number(values.frames);
const fps = Number(values.fps);
const size = values.size.split('x').map(Number);
const out = mkdtempSync(join(tmpdir(), 'replay-compare-'));

async function chromium() {
  const start = performance.now();
  const server = await serve(folder, file, values['node-modules']);
  const browser = await launch(values.gpu);
  const { page, errors } = await open(browser, server.url, size);
  const ready = performance.now();
  const ffmpeg = spawn('ffmpeg', [
    '-v', 'error', '-y', '-f', 'image2pipe', '-c:v', values['no-png'] ? 'mjpeg' : 'png', '-framerate', String(fps), '-i', '-',
    '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-pix_fmt', 'yuv420p', join(out, 'chromium.mp4'),
  ], { stdio: ['pipe', 'inherit', 'inherit'] });
  let first = 0;
  for (let frame = 0; frame < frames; frame++) {
    const data = await page.evaluate((t, type) => {
      globalThis.__frame(t);
      return document.querySelector('canvas').toDataURL(type, 0.95);
    }, (frame * 1000) / fps, values['no-png'] ? 'image/jpeg' : 'image/png');
    if (!ffmpeg.stdin.write(Buffer.from(data.split(',')[1], 'base64'))) await new Promise((go) => ffmpeg.stdin.once('drain', go));
    if (frame === 0) first = performance.now() - start;
  }
  ffmpeg.stdin.end();
  await new Promise((done) => ffmpeg.once('close', done));
  const version = await browser.version();
  await browser.close();
  server.close();
  if (errors.length) throw new Error(errors.join('\n'));
  return { what: `${version}, ${values.gpu}`, total: performance.now() - start, first, load: ready - start };
}

function replay() {
  const start = performance.now();
  const binary = process.env.REPLAY ?? join(root, 'target/release/replay');
  const run = spawnSync(binary, [
    'render', project, '-o', join(out, 'replay'), '--size', values.size, '--fps', values.fps, '--frames', values.frames,
    '--node-modules', values['node-modules'], '--quiet',
  ], { stdio: 'inherit' });
  if (run.status !== 0) throw new Error(`replay ended with ${run.status}`);
  return { what: 'replay', total: performance.now() - start };
}

const rival = await chromium();
const ours = replay();
const line = ({ what, total }) => `${what.padEnd(40)} ${(total / 1000).toFixed(2).padStart(8)} s  ${(total / frames).toFixed(1).padStart(8)} ms a frame`;
console.log(`${frames} frames of ${values.size}, whole process\n${line(rival)}\n${line(ours)}\nratio ${(rival.total / ours.total).toFixed(2)}`);
console.log(JSON.stringify({ project, frames, size, rival, ours, ratio: rival.total / ours.total, out }));
