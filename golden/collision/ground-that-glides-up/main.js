import { flyOverEndless } from '../shared.mjs';

// It rises by 3 %, evenly from where the camera begins: hardly any more than a cockpit shakes.
flyOverEndless('transformed.y += 0.03 * max(0.0, -(modelMatrix * vec4(position, 1.0)).z);', () => 1.1);
