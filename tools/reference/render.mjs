// Makes the expected images of golden cases from the reference browser.
//   node tools/reference/render.mjs [AREA[/NAME] ...]     all cases without images when none is named
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, open } from './chromium.mjs';
import { serve } from './serve.mjs';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const golden = join(root, 'golden');
const wanted = process.argv.slice(2);

// The few keys of test.toml that matter here; golden/runner/case.rs is the whole format.
function options(folder) {
  const text = readFileSync(join(folder, 'test.toml'), 'utf8');
  const list = (key, otherwise) => {
    const found = new RegExp(`^${key} *= *(\\[.*\\])`, 'm').exec(text);
    return found ? JSON.parse(found[1]) : otherwise;
  };
  const fps = /^fps *= *(\d+)/m.exec(text);
  return { text, size: list('size', [256, 256]), frames: list('frames', [0]), fps: fps ? Number(fps[1]) : 30 };
}

const isFolder = (path) => statSync(path).isDirectory();
const cases = readdirSync(join(golden, 'cases')).flatMap((area) =>
  readdirSync(join(golden, 'cases', area)).filter((name) => isFolder(join(golden, 'cases', area, name))).map((name) => `${area}/${name}`));

const browser = await launch();
const version = await browser.version();
let failed = 0;
for (const name of cases.sort()) {
  const folder = join(golden, 'cases', name);
  const { text, size, frames, fps } = options(folder);
  const has = frames.every((frame) => existsSync(join(folder, `frame-${frame}.expected.png`)));
  if (wanted.length ? !wanted.some((w) => name === w || name.startsWith(w + '/')) : has) continue;
  const entry = existsSync(join(folder, 'index.html')) ? 'index.html' : 'main.js';
  const server = await serve(folder, entry, join(golden, 'node_modules'), golden);
  const { page, errors } = await open(browser, server.url, size);
  const images = [];
  try {
    for (let frame = 0; frame <= Math.max(...frames); frame++) {
      const time = (frame * 1000) / fps;
      if (!frames.includes(frame)) {
        await page.evaluate((t) => __frame(t), time);
        continue;
      }
      images.push([frame, await page.evaluate((t) => __frameAsPng(t), time)]);
    }
    if (errors.length) throw new Error(errors.join('\n'));
    for (const [frame, data] of images) {
      writeFileSync(join(folder, `frame-${frame}.expected.png`), Buffer.from(data.split(',')[1], 'base64'));
    }
    const reference = `[reference]\nbrowser = "${version}"\ngpu = "ANGLE on SwiftShader"\n`;
    writeFileSync(join(folder, 'test.toml'), `${text.replace(/\n*\[reference\][\s\S]*$/, '').trimEnd()}\n\n${reference}`);
    console.log(`${name}: frames ${frames.join(', ')}`);
  } catch (error) {
    failed++;
    console.error(`${name}: ${error.message}`);
  }
  await page.close();
  server.close();
}
await browser.close();
process.exit(failed ? 1 : 0);
