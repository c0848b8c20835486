import * as THREE from 'three';

// East of the origin is x, north is -z: metres on the tangent plane of the first point, good to a centimetre here.
export function readRoute(gpx) {
  const points = [...gpx.matchAll(/lat="([\d.]+)" lon="([\d.]+)"><ele>([\d.]+)/g)].map((m) => m.slice(1).map(Number));
  const [lat0, lon0, height0] = points[0];
  const rad = Math.PI / 180;
  const w = Math.sqrt(1 - 0.00669437999014 * Math.sin(lat0 * rad) ** 2);
  const north = (6378137 * (1 - 0.00669437999014)) / w ** 3 + height0;
  const east = (6378137 / w + height0) * Math.cos(lat0 * rad);
  return points.map(([lat, lon, height]) =>
    new THREE.Vector3((lon - lon0) * rad * east, height - height0, -(lat - lat0) * rad * north));
}

const STEP = 0.5; // metres between samples of the path

// A smooth way along the route: sampled evenly, rounded by three running means, slower where it turns.
export function flightPath(route) {
  const curve = new THREE.CatmullRomCurve3(route, false, 'centripetal');
  curve.arcLengthDivisions = 4000;
  const count = Math.ceil(curve.getLength() / STEP) + 1;
  let samples = curve.getSpacedPoints(count - 1);
  for (let pass = 0; pass < 3; pass++) samples = mean(samples, 6);

  const last = count - 1;
  const tangentIn = samples[1].clone().sub(samples[0]);
  const tangentOut = samples[last].clone().sub(samples[last - 1]);
  // Past both ends it goes on straight.
  const sample = (k) => {
    if (k < 0) return samples[0].clone().addScaledVector(tangentIn, k);
    if (k > last) return samples[last].clone().addScaledVector(tangentOut, k - last);
    return samples[k];
  };
  const at = (s) => {
    // A cubic B-spline, so that speed and acceleration are continuous.
    const i = Math.floor(s / STEP);
    const u = s / STEP - i;
    const p = [i - 1, i, i + 1, i + 2].map(sample);
    const b = [(1 - u) ** 3, 3 * u ** 3 - 6 * u ** 2 + 4, -3 * u ** 3 + 3 * u ** 2 + 3 * u + 1, u ** 3];
    return p.reduce((sum, q, k) => sum.addScaledVector(q, b[k] / 6), new THREE.Vector3());
  };

  // Time from the start to each sample: at most 12 m/s² in turns.
  const speeds = samples.map((_, i) => {
    const [a, b, c] = [i - 4, i, i + 4].map((k) => samples[Math.min(Math.max(k, 0), last)]);
    const turn = b.clone().sub(a).angleTo(c.clone().sub(b)) / (4 * STEP);
    return Math.min(24, Math.sqrt(12 / Math.max(turn, 1e-4)));
  });
  let eased = speeds.map((v, i) => v * Math.min(1, 0.12 + i / 60, 0.12 + (last - i) / 60));
  for (let pass = 0; pass < 3; pass++) eased = meanOf(eased, 20);
  const times = [0];
  for (let i = 1; i < count; i++) times.push(times[i - 1] + STEP / ((eased[i] + eased[i - 1]) / 2));

  return {
    length: last * STEP,
    at,
    heightAt: (s) => at(Math.min(Math.max(s, 0), last * STEP)).y,
    // Length flown when the share `t` of the flight's time has passed, at rest at both ends.
    lengthAt(t) {
      const time = paced(t) * times[last];
      let low = 0;
      let high = last;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle] <= time) low = middle;
        else high = middle;
      }
      // At a constant acceleration between two samples.
      const acceleration = (eased[high] ** 2 - eased[low] ** 2) / (2 * STEP);
      const since = time - times[low];
      return low * STEP + eased[low] * since + (acceleration * since * since) / 2;
    },
  };
}

// 0 to 1 at an even pace but for the first and the last eighth.
function paced(t) {
  const ramp = 0.125;
  const begun = (x) => {
    const u = Math.min(x / ramp, 1);
    return ramp * (u ** 3 - u ** 4 / 2) + Math.max(0, x - ramp);
  };
  const all = 1 - ramp;
  return t < 0.5 ? begun(t) / all : 1 - begun(1 - t) / all;
}

function mean(points, reach) {
  return points.map((_, i) => {
    const r = Math.min(reach, i, points.length - 1 - i);
    const sum = new THREE.Vector3();
    for (let k = i - r; k <= i + r; k++) sum.add(points[k]);
    return sum.divideScalar(2 * r + 1);
  });
}

function meanOf(values, reach) {
  return values.map((_, i) => {
    const r = Math.min(reach, i, values.length - 1 - i);
    let sum = 0;
    for (let k = i - r; k <= i + r; k++) sum += values[k];
    return sum / (2 * r + 1);
  });
}
