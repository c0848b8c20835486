import { flyOverGlide } from '../shared.mjs';

flyOverGlide(8);
