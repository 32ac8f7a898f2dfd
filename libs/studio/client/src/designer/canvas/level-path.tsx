import { ChevronRight } from 'lucide-react';
import { designerTexts as texts } from '../../texts/designer.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { activityOf, type Level, levelAt, type Step } from '../model/level.js';
import type { Design } from '../model/change.js';
import { isTransition, labelOfTransition, transitionId } from '../model/state-machine.js';
import { nameOf } from './names.js';
import css from './canvas.module.css';

/** From the workflow down to what the canvas shows, and back up. */
export function LevelPath() {
  const { store, focusCanvas } = useDesigner();
  const steps = useDesign((state) => state.level.steps);
  const design = useDesign((state) => state.history.design);
  if (steps.length === 0) return null;
  const names = namesOf(design, steps);
  return (
    <nav className={css.path} aria-label={texts.path.label}>
      {[texts.path.root, ...names].map((name, index) => (
        <span key={index} className={css.pathStep}>
          {index > 0 && <ChevronRight size={13} aria-hidden />}
          {index === names.length ? (
            <strong aria-current="page">{name}</strong>
          ) : (
            <button
              type="button"
              onClick={() => {
                store.enter(steps.slice(0, index), steps[index]?.id);
                focusCanvas(steps[index]?.id);
              }}
            >
              {name}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

function namesOf(design: Design, steps: readonly Step[]): string[] {
  return steps.map(({ id, slot }, index) => {
    const level = levelAt(design, steps.slice(0, index));
    const activity = activityOf(level, id);
    const name = activity ? nameOf(activity) : (nameOfTransition(level, id) ?? id);
    return slot.length === 0 ? name : `${name}: ${labelOf(slot, activity)}`;
  });
}

function nameOfTransition({ connections }: Level, id: string): string | undefined {
  const transition = connections.filter(isTransition).find(({ index }) => transitionId(index) === id);
  return transition && (labelOfTransition(transition.json) || texts.machine.transition);
}

function labelOf(slot: Step['slot'], activity: Readonly<Record<string, unknown>> | undefined): string {
  const [member, index] = slot;
  if (typeof index !== 'number') {
    const text = String(member);
    return text.charAt(0).toUpperCase() + text.slice(1).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  }
  const item = (activity?.[member!] as Readonly<Record<string, unknown>>[] | undefined)?.[index];
  return String(item?.label ?? item?.statusCode ?? index + 1);
}
