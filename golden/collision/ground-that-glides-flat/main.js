import { flyOverEndless } from '../shared.mjs';

// The camera goes down by 3 cm a metre: hardly any more than a cockpit shakes.
flyOverEndless('', (n) => 1.115 - 0.03 * n);
