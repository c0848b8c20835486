// A small generator of its own, so that the town is the same wherever it runs (Lehmer's, modulus 2^31 − 1).
export function random(seed) {
  let state = seed % 2147483647 || 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
