// The tree as a list: links below links; joints with one degree of freedom have a slider.
import { numberText } from '../decode.js';
import { make } from './element.js';

// `set` takes a joint's place in q and a value.
export function makeTree(joints, holder, set) {
  const depth = [];
  const sliders = [];
  joints.forEach((joint, i) => {
    depth[i] = joint.parent < 0 ? 0 : depth[joint.parent] + 1;
    const line = make('div', '', 'joint');
    const name = make('span', joint.name);
    name.style.paddingLeft = `${10 * depth[i]}px`;
    name.title = `${joint.link}, ${numberText(joint.mass)} kg`;
    name.append(make('small', ` ${joint.link}`));
    line.append(name);
    if (joint.dof === 1) {
      const slider = make('input');
      slider.type = 'range';
      slider.min = joint.lower ?? (joint.unit === 'm' ? -1 : -Math.PI);
      slider.max = joint.upper ?? (joint.unit === 'm' ? 1 : Math.PI);
      slider.step = 'any';
      slider.setAttribute('aria-label', joint.name);
      slider.addEventListener('input', () => set(joint.q, Number(slider.value)));
      const value = make('output');
      line.append(slider, value);
      sliders.push({ slider, value, joint });
    }
    holder.append(line);
  });
  return {
    // A slider that someone holds stays where it is, unless time goes on.
    show(columns, row, playing) {
      for (const { slider, value, joint } of sliders) {
        const q = columns[joint.q].numbers[row];
        if (document.activeElement !== slider || playing) slider.value = q;
        value.textContent = `${q.toFixed(3)} ${joint.unit}`;
      }
    },
  };
}
