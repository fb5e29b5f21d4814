// Shapes of the run as three's geometries, in the frames that the tool gives them.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, Matrix4, SphereGeometry,
  Vector3,
} from 'three';
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js';
import { floats } from './decode.js';

export function matrixOf(R, p, scale = [1, 1, 1]) {
  const [sx, sy, sz] = scale;
  return new Matrix4().set(
    R[0] * sx, R[1] * sy, R[2] * sz, p[0],
    R[3] * sx, R[4] * sy, R[5] * sz, p[1],
    R[6] * sx, R[7] * sy, R[8] * sz, p[2],
    0, 0, 0, 1);
}

// three's cylinders stand on y, ours on z.
const alongZ = (geometry) => geometry.rotateX(Math.PI / 2);

function pointsOf(numbers) {
  const points = [];
  for (let i = 0; i + 2 < numbers.length; i += 3) {
    points.push(new Vector3(numbers[i], numbers[i + 1], numbers[i + 2]));
  }
  return points;
}

// A cloud that is flat or straight has no hull; its points as little balls would say less than its box.
function hullOf(points) {
  try {
    if (points.length >= 4) return new ConvexGeometry(points);
  } catch {
    // as below
  }
  const box = new BufferGeometry().setFromPoints(points);
  box.computeBoundingBox();
  const size = box.boundingBox.getSize(new Vector3()).addScalar(1e-4);
  const middle = box.boundingBox.getCenter(new Vector3());
  return new BoxGeometry(size.x, size.y, size.z).translate(middle.x, middle.y, middle.z);
}

function meshOf({ triangles, points }) {
  const numbers = floats(points);
  if (!triangles) return hullOf(pointsOf(numbers));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(numbers, 3));
  geometry.computeVertexNormals();
  return geometry;
}

export function makeGeometries(scene) {
  const meshes = scene.meshes.map(meshOf);
  return scene.shapes.map((shape) => {
    const [x, y, z] = shape.half;
    switch (shape.type) {
      case 'box': return new BoxGeometry(2 * x, 2 * y, 2 * z);
      case 'sphere': return new SphereGeometry(shape.radius, 28, 18);
      case 'capsule': return alongZ(new CapsuleGeometry(shape.radius, 2 * z, 8, 24));
      case 'cylinder': return alongZ(new CylinderGeometry(shape.radius, shape.radius, 2 * z, 36));
      default: return meshes[shape.mesh];
    }
  });
}

// The lines of a plane, cell by cell: some renderers drop lines that reach far behind the eye. The two
// through the origin come first, `strong` points of them.
export function gridGeometry(cells, cell) {
  const half = cells / 2;
  const points = [];
  const order = Array.from({ length: cells + 1 }, (_, i) => i - half).sort((a, b) => Math.abs(a) - Math.abs(b));
  for (const i of order) {
    for (let j = -half; j < half; ++j) points.push(i, j, 0, i, j + 1, 0, j, i, 0, j + 1, i, 0);
  }
  const position = Float32Array.from(points, (x) => x * cell);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(position.length), 3));
  return { geometry, strong: 4 * cells };
}

// The ground that a file of heights describes, two triangles a cell.
export function groundGeometry({ x, y, spacing, columns, rows, heights }) {
  const z = floats(heights);
  const position = new Float32Array(3 * columns * rows);
  for (let j = 0; j < rows; ++j) {
    for (let i = 0; i < columns; ++i) {
      position.set([x + spacing * i, y + spacing * j, z[j * columns + i]], 3 * (j * columns + i));
    }
  }
  const index = [];
  for (let j = 0; j + 1 < rows; ++j) {
    for (let i = 0; i + 1 < columns; ++i) {
      const a = j * columns + i;
      index.push(a, a + 1, a + columns, a + 1, a + columns + 1, a + columns);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}
