// Links are pulled with the pointer: a spring from the point that was taken hold of to where the
// pointer is.
import { pointAt } from '../kinematics.js';

const kGravity = 9.81;   // m/s^2, by which the tool makes a weight of a mass
const kPullRate = 150;   // 1/s^2: a pull of one metre on the robot's mass
const kMostPull = 3;     // of the robot's weight

// `isRunning`: whether a link answers; otherwise the pointer turns the view.
export function makeHands(canvas, stage, scene, isRunning) {
  let held = null;  // {body, local, to}
  const at = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  // before the camera's own listener, which would turn the view
  canvas.addEventListener('pointerdown', (event) => {
    const hit = event.button === 0 && isRunning() ? scene.pick(...at(event)) : null;
    if (!hit) return;
    event.stopImmediatePropagation();
    canvas.setPointerCapture(event.pointerId);
    const { R, p } = scene.state.poses[hit.body];
    const away = hit.point.map((x, i) => x - p[i]);
    held = { body: hit.body, local: [0, 1, 2].map((i) => R[i] * away[0] + R[3 + i] * away[1] + R[6 + i] * away[2]), to: hit.point };
    stage.classList.add('pulling');
  }, { capture: true });
  canvas.addEventListener('pointermove', (event) => {
    if (held) held.to = scene.pointBehind(...at(event), held.to);
  });
  for (const end of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(end, () => {
      held = null;
      stage.classList.remove('pulling');
    });
  }
  return {
    pulls: () => held !== null,
    // The impulse of the spring over so many seconds; whether there was one.
    pull(solver, weight, duration) {
      if (!held) return false;
      const point = pointAt(scene.state.poses[held.body], held.local);
      const force = held.to.map((x, i) => (kPullRate * weight) / kGravity * (x - point[i]));
      const strength = Math.hypot(...force);
      const share = Math.min(1, (kMostPull * weight) / Math.max(strength, 1e-12));
      return solver.push(held.body, point, force.map((x) => share * x * duration));
    },
  };
}
