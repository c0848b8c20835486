// Serves a program's folder and a node_modules folder on loopback, so that Chromium can load what replay loads.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json', '.css': 'text/css',
  '.png': 'image/png', '.jpg': 'image/jpeg', '.webp': 'image/webp', '.wasm': 'application/wasm', '.gltf': 'model/gltf+json',
};

const page = (entry) => `<!doctype html><html><head><meta charset="utf-8"><style>body { margin: 0; overflow: hidden }</style>
<script type="importmap">{ "imports": { "three": "/node_modules/three/build/three.module.js", "three/webgpu": "/node_modules/three/build/three.webgpu.js", "three/addons/": "/node_modules/three/examples/jsm/", "three/examples/": "/node_modules/three/examples/" } }</script>
</head><body><script type="module" src="./${entry}"></script></body></html>`;

// Resolves to { url, close }. `entry` is an HTML file or a JS module in `folder`; what lies above it is looked for in `above`.
export async function serve(folder, entry, nodeModules, above = folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    try {
      if (path === '/favicon.ico') return response.writeHead(204).end();
      if (path === '/program/') {
        response.setHeader('content-type', 'text/html');
        response.end(page(entry));
        return;
      }
      const file = path.startsWith('/node_modules/') ? join(nodeModules, path.slice(14))
        : path.startsWith('/program/') ? join(folder, path.slice(9)) : join(above, path);
      const body = await readFile(file);
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${server.address().port}/program/`;
  return { url: entry.endsWith('.html') ? base + entry : base, close: () => server.close() };
}
