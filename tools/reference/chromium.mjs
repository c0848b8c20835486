// Debian's Chromium, headless, with its software renderer: the reference for pixels and the rival for speed.
import { readFile } from 'node:fs/promises';
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

// A page at `url` whose loading has ended; `errors` collects what it printed as errors.
export async function open(browser, url, [width, height]) {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error?.stack ?? error)));
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await page.evaluateOnNewDocument(await readFile(fileURLToPath(new URL('virtual-time.js', import.meta.url)), 'utf8'));
  await page.goto(url, { waitUntil: 'networkidle0', timeout: 120_000 });
  return { page, errors };
}
