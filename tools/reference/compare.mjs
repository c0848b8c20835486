// Renders the same frames of one program in headless Chromium and in replay, whole process against whole process.
// Called by tools/compare, which knows the options' meaning.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { GPU_FLAGS, launch, open } from './chromium.mjs';
import { serve } from './serve.mjs';

// A person reads this: what is wrong, not where in this script.
process.on('uncaughtException', (error) => {
  console.error(`error: ${error.message}`);
  process.exit(2);
});

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    frames: { type: 'string', default: '15' }, size: { type: 'string', default: '1080x1920' },
    fps: { type: 'string', default: '30' }, gpu: { type: 'string', multiple: true, default: ['swiftshader'] },
    readback: { type: 'string', default: 'png' }, runs: { type: 'string', default: '1' },
    'no-antialias': { type: 'boolean', default: false }, replay: { type: 'string' },
    'node-modules': { type: 'string' }, keep: { type: 'string' },
  },
});
const frames = Number(options.frames);
const fps = Number(options.fps);
const size = options.size.split('x').map(Number);
const wrong = Object.entries({
  frames: Number.isSafeInteger(frames) && frames > 0, fps: Number.isFinite(fps) && fps > 0, runs: Number(options.runs) >= 1,
  gpu: options.gpu.every((gpu) => gpu in GPU_FLAGS),
  size: size.length === 2 && size.every((side) => Number.isSafeInteger(side) && side > 0), readback: ['png', 'pixels'].includes(options.readback),
}).filter(([, right]) => !right).map(([name]) => `--${name} ${options[name]}`);
if (wrong.length) throw new Error(`${wrong.join(', ')}: tools/compare --help says what is taken`);
if (positionals.length > 1) throw new Error(`one program at a time, not ${positionals.join(', ')}`);
const work = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), 'replay-compare-'));
mkdirSync(work, { recursive: true });

// The folder that both render: the program itself, or a copy of it that asks for no antialiasing.
function program(path) {
  if (!existsSync(path)) throw new Error(`${path} is not there`);
  const isFolder = statSync(path).isDirectory();
  const [folder, file] = isFolder ? [resolve(path), null] : [dirname(resolve(path)), basename(path)];
  const entry = file ?? ['index.html', 'main.js'].find((name) => existsSync(join(folder, name)));
  if (!entry) throw new Error(`${path} has neither index.html nor main.js`);
  if (!options['no-antialias']) return [folder, entry];
  const copy = join(work, 'program');
  cpSync(folder, copy, { recursive: true, filter: (from) => basename(from) !== 'node_modules' });
  rmSync(join(copy, 'replay.toml'), { force: true });
  let found = 0;
  for (const name of readdirSync(copy).filter((n) => /\.(m?js|html)$/.test(n))) {
    const text = readFileSync(join(copy, name), 'utf8');
    const plain = text.replaceAll(/antialias:\s*true/g, () => (found++, 'antialias: false'));
    writeFileSync(join(copy, name), plain);
  }
  if (!found) throw new Error(`${path} nowhere says "antialias: true"`);
  return [copy, entry];
}

const [folder, entry] = program(positionals[0] ?? '.');
const nodeModules = resolve(options['node-modules']);

const ended = (child) => new Promise((done, failed) => {
  child.on('error', failed);
  child.on('close', (code) => (code === 0 ? done() : failed(new Error(`${child.spawnfile} ended with ${code}`))));
});

// Processor seconds of a process and all below it, from /proc (100 ticks a second). On a machine that is not quiet,
// they say more than the clock on the wall.
function processorTime(root) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
      return [{ pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
    } catch {
      return []; // ended meanwhile
    }
  });
  const below = (pid) => all.filter((p) => p.parent === pid).reduce((sum, p) => sum + below(p.pid), all.find((p) => p.pid === pid)?.ticks ?? 0);
  return below(root) * 10;
}

// As screenshot harnesses work: one frame at a time, read back from the canvas, through a pipe into ffmpeg.
async function chromium(gpu, output) {
  const begin = performance.now();
  const input = options.readback === 'png'
    ? ['-f', 'image2pipe', '-c:v', 'png', '-framerate', `${fps}`]
    : ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', options.size, '-framerate', `${fps}`];
  const flip = options.readback === 'png' ? [] : ['-vf', 'vflip'];
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', '-y', ...input, '-i', '-', ...flip,
    '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart', output],
    { stdio: ['pipe', 'inherit', 'inherit'] });
  const done = ended(ffmpeg);
  const browser = await launch(gpu);
  const server = await serve(folder, entry, nodeModules);
  const times = [];
  let renderer = '';
  let cpu = 0;
  const before = processorTime(process.pid);
  try {
    const { page, errors } = await open(browser, server.url, size, nodeModules);
    for (let frame = 0; frame < frames; frame++) {
      const start = performance.now();
      const call = options.readback === 'png' ? '__frameAsPng' : '__frameAsPixels';
      const text = await page.evaluate(`${call}(${(frame * 1000) / fps})`);
      const bytes = Buffer.from(text.slice(text.indexOf(',') + 1), 'base64');
      if (frame === 0 && options.readback === 'png') writeFileSync(output.replace(/mp4$/, 'png'), bytes);
      if (!ffmpeg.stdin.write(bytes)) await new Promise((ready) => ffmpeg.stdin.once('drain', ready));
      times.push(performance.now() - start);
    }
    renderer = await page.evaluate('__renderer()');
    cpu = processorTime(process.pid) - before;
    if (errors.length) throw new Error(errors.join('\n'));
  } finally {
    await browser.close();
    server.close();
    ffmpeg.stdin.end();
  }
  await done;
  return { name: `Chromium, ${gpu}, ${options.readback}`, renderer, total: performance.now() - begin, cpu, times };
}

async function replay(output) {
  rmSync(output, { recursive: true, force: true });
  const begin = performance.now();
  const child = spawn('bash', ['-c', '"$@" && times', 'bash', options.replay, 'render', join(folder, entry), '-o', output, '--size', options.size, '--frames', `${frames}`,
    '--fps', `${fps}`, '--node-modules', nodeModules, '--quiet'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text) => { said += text; });
  await ended(child);
  // `times` prints user and system time of the shell, then of what it ran: 0m1.234s 0m0.056s.
  const cpu = said.trim().split('\n').at(-1).split(' ')
    .map((t) => /(\d+)m([\d.]+)s/.exec(t)).reduce((sum, [, m, s]) => sum + (Number(m) * 60 + Number(s)) * 1000, 0);
  const total = performance.now() - begin;
  const timing = JSON.parse(readFileSync(join(output, 'timing.json'), 'utf8'));
  const { adapter } = JSON.parse(readFileSync(join(output, 'manifest.json'), 'utf8'));
  return { name: 'replay', renderer: `${adapter.renderer} (${adapter.driver})`, total, cpu, first: timing.first_frame };
}

const round = (ms) => Math.round(ms);
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const results = new Map();
const load = () => loadavg()[0].toFixed(1);
console.log(`${positionals[0]}: ${frames} frames of ${options.size}${options['no-antialias'] ? ', antialias off' : ''}`);
console.log(`${cpus().length} x ${cpus()[0].model}, load before ${load()}`);
for (let run = 0; run < Number(options.runs); run++) {
  // Turn by turn, so that whatever else the machine does falls on all.
  const turns = [() => replay(join(work, 'replay')), ...options.gpu.map((gpu) => () => chromium(gpu, join(work, `${gpu}.mp4`)))];
  for (const turn of turns) {
    const result = await turn();
    const all = results.get(result.name) ?? { ...result, totals: [], cpus: [] };
    all.totals.push(result.total);
    all.cpus.push(result.cpu);
    results.set(result.name, all);
    const busy = `, processor ${round(result.cpu / frames)} ms a frame`;
    const steady = result.times ? `, frame ${round(median(result.times.slice(1)))} ms (first ${round(result.times[0])})` : '';
    console.log(`${result.name}: ${round(result.total)} ms, ${round(result.total / frames)} ms a frame${busy}${steady}, load after ${load()}`);
    console.log(`  ${result.renderer}`);
  }
}
const ours = results.get('replay');
for (const { name, totals, cpus: busy } of results.values()) {
  if (name === 'replay') continue;
  const [wall, cpu] = [median(totals) / median(ours.totals), median(busy) / median(ours.cpus)];
  console.log(`replay is ${wall.toFixed(2)} times as fast as ${name} by the clock, ${cpu.toFixed(2)} times by processor time`);
}
if (!options.keep) rmSync(work, { recursive: true, force: true });
process.exit(0);
