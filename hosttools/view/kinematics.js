// Where the bodies are: a tree of joints and a row of coordinates become poses in the world. As in
// the tool: J is the joint's frame in the parent P, its axis +z; quaternions are x y z w. Pure.
import { valueAt } from './decode.js';

const kSizes = {
  revolute: 1, prismatic: 1, ball: 4, planar: 3, floating: 7,
  particle: 3, scaling: 8, stretching: 10,  // of mechanisms, whose bodies all hang on the world
};

function quaternionMatrix(x, y, z, w) {
  const n = Math.hypot(x, y, z, w) || 1;
  x /= n; y /= n; z /= n; w /= n;
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}
function turnAboutZ(angle) {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}
export function times(A, B) {
  const C = new Array(9);
  for (let i = 0; i < 3; ++i) {
    for (let j = 0; j < 3; ++j) {
      C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    }
  }
  return C;
}
export function apply(A, v) {
  return [0, 3, 6].map((i) => A[i] * v[0] + A[i + 1] * v[1] + A[i + 2] * v[2]);
}
const kIdentity = [1, 0, 0, 0, 1, 0, 0, 0, 1];

// What a joint does to its frame: rotation, translation and, of bodies that grow, scale.
export function jointMotion(type, q) {
  switch (type) {
    case 'revolute': return { R: turnAboutZ(q[0]), p: [0, 0, 0] };
    case 'prismatic': return { R: kIdentity, p: [0, 0, q[0]] };
    case 'ball': return { R: quaternionMatrix(...q), p: [0, 0, 0] };
    case 'planar': return { R: turnAboutZ(q[2]), p: [q[0], q[1], 0] };
    case 'particle': return { R: kIdentity, p: q.slice(0, 3) };
    case 'scaling': return { R: quaternionMatrix(...q.slice(3, 7)), p: q.slice(0, 3), scale: [q[7], q[7], q[7]] };
    case 'stretching': return { R: quaternionMatrix(...q.slice(3, 7)), p: q.slice(0, 3), scale: q.slice(7, 10) };
    default: return { R: quaternionMatrix(...q.slice(3, 7)), p: q.slice(0, 3) };
  }
}

// A joint's coordinates at a place between two rows; quaternions go the short way.
function coordinates(body, columns, at, useReference) {
  if (useReference && body.reference >= 0) return [valueAt(columns[body.reference].numbers, at)];
  const size = kSizes[body.type];
  const q = new Array(size);
  for (let i = 0; i < size; ++i) q[i] = valueAt(columns[body.q + i].numbers, at);
  const turn = { ball: 0, floating: 3, scaling: 3, stretching: 3 }[body.type];
  if (turn !== undefined && at.share > 0) {
    const end = (row) => [0, 1, 2, 3].map((i) => columns[body.q + turn + i].numbers[row]);
    const a = end(at.row);
    const b = end(at.next);
    const sign = a.reduce((sum, x, i) => sum + x * b[i], 0) < 0 ? -1 : 1;
    for (let i = 0; i < 4; ++i) {
      const mixed = a[i] + at.share * (sign * b[i] - a[i]);
      q[turn + i] = Number.isFinite(mixed) ? mixed : a[i];
    }
  }
  return q;
}

// {R, p, scale} in the world for each body, or null where a coordinate is no number.
export function posesAt(bodies, columns, at, useReference = false) {
  const poses = [];
  for (const body of bodies) {
    const q = coordinates(body, columns, at, useReference);
    const parent = body.parent < 0 ? { R: kIdentity, p: [0, 0, 0] } : poses[body.parent];
    if (!parent || !q.every(Number.isFinite)) {
      poses.push(null);
      continue;
    }
    const own = jointMotion(body.type, q);
    const R_WJ = times(parent.R, body.R);
    const toJoint = apply(parent.R, body.p);
    const inJoint = apply(R_WJ, own.p);
    poses.push({
      R: times(R_WJ, own.R),
      p: [0, 1, 2].map((i) => parent.p[i] + toJoint[i] + inJoint[i]),
      scale: own.scale,
    });
  }
  return poses;
}

// A point of a body, in the world.
export function pointAt(pose, point) {
  if (!pose) return [...point];
  const scaled = pose.scale ? point.map((x, i) => x * pose.scale[i]) : point;
  const turned = apply(pose.R, scaled);
  return [0, 1, 2].map((i) => pose.p[i] + turned[i]);
}
