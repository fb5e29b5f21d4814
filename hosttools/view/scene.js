// The robot in three dimensions. Draws when something has changed, and never otherwise.
import {
  AmbientLight, AxesHelper, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DirectionalLight,
  DoubleSide, Group, HemisphereLight, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial,
  PCFShadowMap, PerspectiveCamera, Plane, PlaneGeometry, Quaternion, Raycaster, Scene, ShadowMaterial, Vector2, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { valueAt } from './decode.js';
import { pointAt, posesAt } from './kinematics.js';
import { gridGeometry, groundGeometry, makeGeometries, matrixOf } from './shapes.js';

const kPalette = ['#5b7fb8', '#8794a8', '#6a9c94', '#a68a5c', '#8a78ac', '#6f8fa6'];
const kLooks = ['visual', 'collision', 'inertia'];

// three's add() objects to being given nothing
const groupOf = (objects) => (objects.length ? new Group().add(...objects) : new Group());

function makeArrow(colour) {
  // forces are seen through the links that they act on
  const material = new MeshStandardMaterial({ color: colour, roughness: 0.6, depthTest: false, transparent: true });
  const shaft = new Mesh(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), material);
  const head = new Mesh(new ConeGeometry(1, 1, 16).translate(0, 0.5, 0), material);
  const arrow = new Group().add(shaft, head);
  shaft.renderOrder = head.renderOrder = 2;
  arrow.userData = { shaft, head, material };
  return arrow;
}

const kUp = new Vector3(0, 1, 0);
function pointArrow(arrow, from, vector, thickness) {
  const length = vector.length();
  arrow.visible = length > 1e-9;
  if (!arrow.visible) return;
  const { shaft, head } = arrow.userData;
  const headLength = Math.min(5 * thickness, 0.5 * length);
  shaft.scale.set(thickness, length - headLength, thickness);
  head.scale.set(2.4 * thickness, headLength, 2.4 * thickness);
  head.position.y = length - headLength;
  arrow.position.copy(from);
  arrow.quaternion.copy(new Quaternion().setFromUnitVectors(kUp, vector.clone().divideScalar(length)));
}

// Columns contact.LINK.x .y .z and the like, as an arrow each.
function findForces(run, prefix, where) {
  const number = new Map(run.columns.map((column, i) => [column.name, i]));
  const forces = [];
  run.scene.bodies.forEach((body, i) => {
    const triple = (start) => {
      const columns = ['x', 'y', 'z'].map((axis) => number.get(`${start}.${axis}`));
      return columns.includes(undefined) ? null : columns;
    };
    const name = prefix === 'reaction' ? body.joint : body.name;
    const force = triple(`${prefix}.${name}`);
    if (force) forces.push({ body: i, force, at: where && triple(`${where}.${name}`) });
  });
  return forces;
}

export function makeScene(run, canvas) {
  const bodies = run.scene.bodies;
  const references = bodies.filter(({ reference }) => reference >= 0).map(({ reference }) => run.columns[reference].numbers);
  const isMoving = (numbers) => numbers.some((x) => x !== numbers[0]);
  const renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  const scene = new Scene();
  const camera = new PerspectiveCamera(38, 1, 0.01, 1000);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  const sun = new DirectionalLight('#ffffff', 2.2);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.radius = 4;
  scene.add(new HemisphereLight('#ffffff', '#8a8f99', 1.3), new AmbientLight('#ffffff', 0.25), sun, sun.target);

  // the robot and its ghost: the same shapes twice
  const geometries = makeGeometries(run.scene);
  const robot = new Group();
  const ghost = new Group();
  const ghostMaterial = new MeshStandardMaterial({ color: '#4c8dff', transparent: true, opacity: 0.22, depthWrite: false });
  const places = bodies.map(() => new Group());
  const ghostPlaces = bodies.map(() => new Group());
  const fixed = new Group();
  for (const group of [...places, ...ghostPlaces]) group.matrixAutoUpdate = false;
  robot.add(fixed, groupOf(places));
  ghost.add(groupOf(ghostPlaces));
  scene.add(robot, ghost);
  const shapes = run.scene.shapes.map((shape, i) => {
    const colour = shape.colour ?? null;
    const material = new MeshStandardMaterial({
      color: colour ? new Color().setRGB(colour[0], colour[1], colour[2], 'srgb') : kPalette[(shape.body + 1) % kPalette.length],
      roughness: 0.65, metalness: 0.05, side: shape.type === 'mesh' ? DoubleSide : 0,
      transparent: colour !== null && colour[3] < 1, opacity: colour ? colour[3] : 1,
    });
    const mesh = new Mesh(geometries[i], material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrixOf(shape.R, shape.p, shape.scale));
    mesh.castShadow = mesh.receiveShadow = true;
    (shape.body < 0 ? fixed : places[shape.body]).add(mesh);
    let twin = null;
    if (shape.body >= 0 && references.length > 0) {
      twin = new Mesh(geometries[i], ghostMaterial);
      twin.matrixAutoUpdate = false;
      twin.matrix.copy(mesh.matrix);
      ghostPlaces[shape.body].add(twin);
    }
    return { ...shape, mesh, twin };
  });

  // the lines of constraints, and from joint to joint
  const lines = run.scene.lines;
  const linePoints = new BufferAttribute(new Float32Array(6 * lines.length), 3);
  const lineGeometry = new BufferGeometry().setAttribute('position', linePoints);
  const lineMaterial = new LineBasicMaterial({});
  const wires = new LineSegments(lineGeometry, lineMaterial);
  wires.frustumCulled = false;
  scene.add(wires);

  const contacts = findForces(run, 'contact', 'contact_at');
  const reactions = findForces(run, 'reaction', null);
  const arrows = { contact: contacts.map(() => makeArrow('#fff')), reaction: reactions.map(() => makeArrow('#fff')) };
  const arrowGroups = { contact: groupOf(arrows.contact), reaction: groupOf(arrows.reaction) };
  scene.add(arrowGroups.contact, arrowGroups.reaction);

  // how large the robot is, where it is, and where it goes
  const start = posesAt(bodies, run.columns, { row: 0, next: 0, share: 0 });
  applyPoses(start, places);
  scene.updateMatrixWorld(true);
  const bounds = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
  const hold = (p) => p.forEach((x, i) => {
    bounds.low[i] = Math.min(bounds.low[i], x);
    bounds.high[i] = Math.max(bounds.high[i], x);
  });
  const corner = new Vector3();
  for (const { mesh } of shapes) {
    mesh.geometry.computeBoundingBox();
    const { min, max } = mesh.geometry.boundingBox;
    for (let i = 0; i < 8; ++i) {
      corner.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).applyMatrix4(mesh.matrixWorld);
      if (corner.toArray().every(Number.isFinite)) hold(corner.toArray());
    }
  }
  start.forEach((pose) => pose && hold(pose.p));
  for (const line of lines) for (const end of line) if (end.body < 0) hold(end.p);
  if (!Number.isFinite(bounds.low[0])) hold([0, 0, 0]);
  const size = Math.max(new Vector3(...bounds.high).distanceTo(new Vector3(...bounds.low)), 0.05);
  // what moves a little is shown whole; what goes far is shown where it starts
  const whole = { low: [...bounds.low], high: [...bounds.high] };
  for (let i = 1; i <= 30; ++i) {
    const row = Math.floor((i / 30) * (run.rows - 1));
    const poses = posesAt(bodies, run.columns, { row, next: row, share: 0 });
    poses.forEach((pose, k) => pose && start[k] && whole.low.forEach((_, axis) => {
      const moved = pose.p[axis] - start[k].p[axis];
      whole.low[axis] = Math.min(whole.low[axis], pose.p[axis], k === 0 ? bounds.low[axis] + moved : Infinity);
      whole.high[axis] = Math.max(whole.high[axis], pose.p[axis], k === 0 ? bounds.high[axis] + moved : -Infinity);
    }));
  }
  // a run that goes on may fall
  if (run.live && run.scene.ground?.offset !== undefined) whole.low[2] = Math.min(whole.low[2], run.scene.ground.offset);
  const reach = new Vector3(...whole.high).distanceTo(new Vector3(...whole.low));
  const near = reach < 2.5 * size;
  const middle = new Vector3(...(near ? whole : bounds).low).add(new Vector3(...(near ? whole : bounds).high)).multiplyScalar(0.5);
  const shown = near ? reach : size;

  const frames = new Group();
  const axes = bodies.map((body) => {
    const helper = new AxesHelper(0.12 * size);
    helper.matrixAutoUpdate = false;
    helper.userData.turn = matrixOf(body.turn, [0, 0, 0]);
    frames.add(helper);
    return helper;
  });
  scene.add(frames);

  const ground = run.scene.ground;
  const up = new Vector3(...(ground?.normal ?? [0, 0, 1]));
  const floor = ground?.offset ?? Math.min(bounds.low[2], 0);
  const cell = 10 ** Math.floor(Math.log10(size / 2));
  const cells = 40;
  const plane = new Group();
  plane.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
  plane.position.copy(up).multiplyScalar(floor);
  const { geometry: gridLines, strong: strongPoints } = gridGeometry(cells, cell);
  const grid = new LineSegments(gridLines, new LineBasicMaterial({ vertexColors: true }));
  grid.position.z = -1e-4 * size;
  const shade = new Mesh(new PlaneGeometry(cells * cell, cells * cell), new ShadowMaterial({ opacity: 0.22 }));
  shade.position.z = -2e-4 * size;
  shade.receiveShadow = true;
  let hills = null;
  if (ground?.heights) {
    hills = new Mesh(groundGeometry(ground), new MeshStandardMaterial({ roughness: 0.9, side: DoubleSide }));
    hills.receiveShadow = true;
    scene.add(hills);
  } else {
    scene.add(plane.add(grid, shade));
  }

  const state = {
    look: 'visual', follow: false, contact: true, reaction: false, frames: false,
    ghost: references.some(isMoving), lines: run.scene.kind === 'mechanism' || shapes.length === 0,
    time: { row: 0, next: 0, share: 0 }, poses: start,
  };
  let followed = null;

  function applyPoses(poses, groups) {
    poses.forEach((pose, i) => {
      if (!pose) return;  // where it was when it last was anywhere
      groups[i].matrix.copy(matrixOf(pose.R, pose.p, pose.scale));
    });
  }

  // Of each body the best that there is: what was chosen, or else the next.
  function chooseShapes() {
    const order = [state.look, ...kLooks.filter((look) => look !== state.look)];
    const best = new Map();
    for (const look of order) {
      for (const { body, kind } of shapes) if (kind === look && !best.has(body)) best.set(body, look);
    }
    for (const shape of shapes) {
      shape.mesh.visible = best.get(shape.body) === shape.kind;
      if (shape.twin) shape.twin.visible = shape.mesh.visible;
    }
  }

  // the robot's weight is an arrow of 0.8 times its size; forces that are all small are shown larger
  const strongest = (forces) => Math.max(1e-12, ...forces.map(({ force }) => {
    let most = 0;
    const [x, y, z] = force.map((i) => run.columns[i].numbers);
    for (let row = 0; row < run.rows; ++row) {
      const strength = Math.hypot(x[row], y[row], z[row]);
      if (strength > most) most = strength;
    }
    return most;
  }));
  const lengthOf = (forces) => {
    // a run that goes on has no strongest force yet
    return (0.8 * size) / Math.min(run.scene.weight || Infinity, run.live ? Infinity : 2 * strongest(forces));
  };
  const scales = { contact: lengthOf(contacts), reaction: lengthOf(reactions) };

  function drawArrows(kind, forces) {
    forces.forEach(({ body, force, at }, i) => {
      const vector = new Vector3(...force.map((c) => valueAt(run.columns[c].numbers, state.time)));
      const pose = state.poses[body];
      let from = pose ? pointAt(pose, kind === 'contact' ? bodies[body].com : [0, 0, 0]) : [0, 0, 0];
      // between two rows a contact may begin: where it acts is told by the row that has it
      if (at) {
        const told = run.columns[force[2]].numbers[state.time.row] !== 0 ? state.time.row : state.time.next;
        from = at.map((c) => run.columns[c].numbers[told]);
      }
      const strength = vector.length();
      const length = Math.min(strength * scales[kind], 0.6 * size);
      if (!Number.isFinite(strength) || strength === 0) arrows[kind][i].visible = false;
      else pointArrow(arrows[kind][i], new Vector3(...from), vector.multiplyScalar(length / strength), 0.007 * size);
    });
  }

  function update() {
    state.poses = posesAt(bodies, run.columns, state.time);
    applyPoses(state.poses, places);
    state.poses.forEach((pose, i) => {
      if (pose) axes[i].matrix.copy(matrixOf(pose.R, pose.p)).multiply(axes[i].userData.turn);
    });
    frames.visible = state.frames;
    ghost.visible = state.ghost;
    if (state.ghost) applyPoses(posesAt(bodies, run.columns, state.time, true), ghostPlaces);
    wires.visible = state.lines;
    if (state.lines) {
      lines.forEach((ends, i) => ends.forEach(({ body, p }, end) => {
        const world = body < 0 ? p : pointAt(state.poses[body], p);
        linePoints.array.set(world, 6 * i + 3 * end);
      }));
      linePoints.needsUpdate = true;
    }
    arrowGroups.contact.visible = state.contact;
    arrowGroups.reaction.visible = state.reaction;
    if (state.contact) drawArrows('contact', contacts);
    if (state.reaction) drawArrows('reaction', reactions);
    const base = state.poses[0];
    if (base) {
      if (state.follow && followed) {
        const moved = new Vector3(...base.p).sub(followed);
        camera.position.add(moved);
        controls.target.add(moved);
      }
      followed = new Vector3(...base.p);
    }
    render();
  }

  let asked = false;
  function render() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(draw);
  }
  function draw() {
    asked = false;
    controls.update();
    sun.target.position.copy(controls.target);
    sun.position.copy(controls.target).add(new Vector3(0.5 * size, -0.8 * size, 2 * size));
    renderer.render(scene, camera);
  }
  controls.addEventListener('change', render);

  function resize() {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    render();
  }

  function resetView() {
    controls.target.copy(middle);
    const distance = 1.15 * shown / (2 * Math.tan((camera.fov * Math.PI) / 360)) * Math.max(1, 1 / camera.aspect);
    camera.position.copy(middle).add(new Vector3(0.72, -1, 0.48).normalize().multiplyScalar(distance));
    camera.near = distance / 100;
    camera.far = distance * 200;
    camera.updateProjectionMatrix();
    const room = sun.shadow.camera;
    room.left = room.bottom = -1.6 * size;
    room.right = room.top = 1.6 * size;
    room.near = 0.1 * size;
    room.far = 6 * size;
    room.updateProjectionMatrix();
    sun.shadow.normalBias = 0.004 * size;
    render();
  }

  function recolour() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => new Color(style.getPropertyValue(name).trim());
    scene.background = colour('--sky');
    const strong = colour('--floor-strong');
    const weak = colour('--floor');
    const colours = grid.geometry.getAttribute('color');
    for (let i = 0; i < colours.count; ++i) colours.setXYZ(i, ...(i < strongPoints ? strong : weak).toArray());
    colours.needsUpdate = true;
    hills?.material.color.copy(weak);
    lineMaterial.color.copy(colour('--body'));
    // what is black would not be seen on black
    for (const { mesh } of shapes) mesh.material.emissive.copy(colour('--lift'));
    for (const kind of ['contact', 'reaction']) {
      for (const arrow of arrows[kind]) arrow.userData.material.color.copy(colour(`--${kind}`));
    }
    render();
  }

  const observer = new ResizeObserver(resize);
  observer.observe(canvas);
  resize();
  resetView();
  recolour();
  chooseShapes();
  update();

  // Through a pixel, in CSS pixels of the canvas.
  function rayThrough(x, y) {
    camera.updateMatrixWorld();
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(2 * x / canvas.clientWidth - 1, 1 - 2 * y / canvas.clientHeight), camera);
    return caster;
  }

  return {
    state, arrows, camera, controls, resetView, recolour, draw,
    has: {
      contact: contacts.length > 0, reaction: reactions.length > 0, ghost: references.length > 0, lines: lines.length > 0,
      looks: kLooks.filter((look) => shapes.some(({ kind }) => kind === look)),
    },
    show(time) {
      state.time = time;
      update();
    },
    set(name, value) {
      state[name] = value;
      if (name === 'look') chooseShapes();
      update();
    },
    // The nearest body that a pixel shows, and the point on it in the world; or null.
    pick(x, y) {
      const seen = shapes.filter(({ mesh, body }) => body >= 0 && mesh.visible);
      scene.updateMatrixWorld();
      const [hit] = rayThrough(x, y).intersectObjects(seen.map(({ mesh }) => mesh), false);
      return hit ? { body: seen.find(({ mesh }) => mesh === hit.object).body, point: hit.point.toArray() } : null;
    },
    // The point behind a pixel as far away as `point` is.
    pointBehind(x, y, point) {
      const towards = camera.getWorldDirection(new Vector3());
      const plane = new Plane().setFromNormalAndCoplanarPoint(towards, new Vector3(...point));
      return rayThrough(x, y).ray.intersectPlane(plane, new Vector3())?.toArray() ?? [...point];
    },
    // Ends it: another scene may draw on another canvas.
    close() {
      observer.disconnect();
      controls.dispose();
      renderer.dispose();
    },
    // where a body's origin is in the picture, in CSS pixels
    pixelOf(body) {
      camera.updateMatrixWorld();
      const p = new Vector3(...state.poses[body].p).project(camera);
      return [(p.x + 1) / 2 * canvas.clientWidth, (1 - p.y) / 2 * canvas.clientHeight];
    },
  };
}
