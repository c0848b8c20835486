// Debian's Chromium, headless, with its software renderer: the reference for pixels and the rival for speed.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';

const FLAGS = [
  '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--force-device-scale-factor=1', '--force-color-profile=srgb',
];
export const GPU_FLAGS = {
  swiftshader: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  llvmpipe: ['--use-angle=gl-egl', '--ignore-gpu-blocklist', '--disable-gpu-sandbox'],
};

export function launch(gpu = 'swiftshader') {
  return puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...FLAGS, ...GPU_FLAGS[gpu]],
    protocolTimeout: 600_000,
  });
}

const CDN = /^https:\/\/(?:unpkg\.com\/|cdn\.jsdelivr\.net\/npm\/|esm\.sh\/|cdn\.skypack\.dev\/|cdnjs\.cloudflare\.com\/ajax\/libs\/)/;

// The file in `nodeModules` that a CDN's address means: PACKAGE@VERSION/PATH, or what the package exports.
function packageFile(nodeModules, url) {
  const [, name, path] = /^((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?(?:\/(.*))?$/.exec(new URL(url).href.replace(CDN, '').replace(/[?#].*$/, '')) ?? [];
  if (name === undefined) return null;
  // cdnjs: three.js/r128/three.min.js lies in three/build.
  if (url.startsWith('https://cdnjs.')) return join(nodeModules, name.replace(/\.js$/, ''), 'build', basename(path ?? ''));
  if (path) return join(nodeModules, name, path);
  const { exports = {}, module, main } = JSON.parse(readFileSync(join(nodeModules, name, 'package.json'), 'utf8'));
  const own = typeof exports === 'string' ? exports : exports['.']?.import ?? exports.import;
  return join(nodeModules, name, typeof own === 'string' ? own : module ?? main ?? 'index.js');
}

// Answers what a page asks of CDNs from `nodeModules`, as replay does.
async function serveCdn(page, nodeModules) {
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const url = request.url();
    if (!CDN.test(url)) return request.continue();
    try {
      const body = readFileSync(packageFile(nodeModules, url));
      request.respond({ status: 200, contentType: url.endsWith('.wasm') ? 'application/wasm' : 'text/javascript', headers: { 'access-control-allow-origin': '*' }, body });
    } catch {
      request.respond({ status: 404, body: '' });
    }
  });
}

// A page at `url` whose loading has ended; `errors` collects what it printed as errors.
export async function open(browser, url, [width, height], nodeModules = null) {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error?.stack ?? error)));
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  if (nodeModules !== null) await serveCdn(page, nodeModules);
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await page.evaluateOnNewDocument(await readFile(fileURLToPath(new URL('virtual-time.js', import.meta.url)), 'utf8'));
  await page.goto(url, { waitUntil: 'networkidle0', timeout: 120_000 });
  return { page, errors };
}
