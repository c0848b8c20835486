// As after a bundler: no class has its name, and the program's own names are gone.
import { THREE as t, eye as e, film as i, fly as s, stage as r, town as n } from './stage.js';
for (const o of Object.values(t)) if (typeof o == 'function') try { Object.defineProperty(o, 'name', { value: 'e' }) } catch { }
const o = r(), { scene: a } = n(), c = e(); i(o, (t => { s(c, t), o.render(a, c) }));
