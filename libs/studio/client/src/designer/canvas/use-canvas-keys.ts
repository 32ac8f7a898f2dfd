import { useReactFlow } from '@xyflow/react';
import type { KeyboardEvent } from 'react';
import { EVERYTHING } from '../../graph/far/hidden-nodes.js';
import { ARROWS, type Direction, neighbourOf } from '../../graph/neighbour.js';
import { isLetter, letterOf } from '../../parts/letter-of.js';
import { useDesigner } from '../designer-context.js';
import { activityOf, isWired } from '../model/level.js';
import { slotsOf } from '../model/ports.js';
import { useAddNote } from './use-add-note.js';
import { focusDock } from '../run/focus-dock.js';
import { useLayOut } from './use-lay-out.js';

const STEP = 20;
/** Held down, they do it once: the button of the first opens and closes. */
const ONCE: ReadonlySet<string> = new Set(['r', 'p']);
/** Not the choice of its language, which stands before it. */
const FIRST_FIELD = '[data-inspector] :is(input, textarea, .cm-content):not([data-language], [type=hidden])';

/** The canvas by keyboard. */
export function useCanvasKeys(): (event: KeyboardEvent) => void {
  const designer = useDesigner();
  const { store, actions, saver, open, focusCanvas } = designer;
  const flow = useReactFlow();
  const layOut = useLayOut();
  const addNote = useAddNote();

  const selectedId = () => [...store.state.selection.nodes][0];
  const selected = () => activityOf(store.state.level, selectedId());
  const selectedConnection = () => {
    const [edge] = store.state.selection.edges;
    return store.state.level.connections.find(({ index }) => index === edge);
  };
  /** The next way out of the selected activity. */
  const goToConnection = () => {
    const now = selectedConnection();
    const source = now?.source ?? selectedId();
    const ways = store.state.level.connections.filter((one) => one.source === source);
    const next = ways[(ways.findIndex((one) => one === now) + 1) % ways.length];
    if (next) store.select([], [next.index]);
  };
  const go = (direction: Direction, isMore: boolean) => {
    const along = selectedConnection();
    // From a connection to what stands at its end.
    const end = along && (direction.x + direction.y > 0 ? along.target : along.source);
    const next = end ?? neighbourOf(actions.boxes, selectedId(), direction);
    if (next === undefined) return;
    store.select(isMore ? [...store.state.selection.nodes, next] : [next]);
    focusCanvas(next);
  };
  const insert = () => {
    const on = selectedConnection();
    open({ kind: 'insert', target: on && { on } });
  };
  const enter = () => {
    const activity = selected();
    const [slot] = activity ? slotsOf(activity, actions.catalogue.of(activity)) : [];
    if (activity && slot) store.enter([...store.state.level.steps, { id: activity.id, slot: slot.path }]);
  };
  const leave = () => {
    const { steps } = store.state.level;
    if (steps.length > 0) store.enter(steps.slice(0, -1), steps.at(-1)!.id);
    focusCanvas(steps.at(-1)?.id);
  };
  const connect = () => {
    const activity = selected();
    if (!activity || !isWired(store.state.level)) return;
    open({ kind: 'connect', source: activity.id, port: actions.freeOutcome(activity) ?? '' });
  };
  const run = () => {
    document.querySelector<HTMLElement>('[data-run]')?.click();
    // Once the key is up: held down, it would type there.
    window.addEventListener('keyup', focusDock, { once: true });
  };
  const letters: Readonly<Record<string, () => unknown>> = {
    Insert: insert,
    n: insert,
    c: connect,
    e: goToConnection,
    Delete: () => actions.removeSelected(),
    Backspace: () => actions.removeSelected(),
    o: enter,
    u: leave,
    t: addNote,
    l: layOut,
    f: () => flow.fitView(EVERYTHING),
    r: run,
    p: () => document.querySelector<HTMLElement>('[data-publish]')?.click(),
    '+': () => flow.zoomIn(),
    '-': () => flow.zoomOut(),
    F1: () => open({ kind: 'help' }),
    '?': () => open({ kind: 'help' }),
    Escape: () => store.select([]),
    Enter: () => document.querySelector<HTMLElement>(FIRST_FIELD)?.focus(),
  };
  const chords: Readonly<Record<string, () => unknown>> = {
    a: () => actions.selectAll(),
    d: () => {
      actions.duplicate();
      focusCanvas([...store.state.selection.nodes]);
    },
    f: () => open({ kind: 'find' }),
    s: () => saver.flush(),
  };

  return (event) => {
    if (event.target !== event.currentTarget && isControl(event.target as Element)) return;
    const arrow = ARROWS[event.key];
    const key = letterOf(event);
    const isChord = event.ctrlKey || event.metaKey;
    const readonly =
      store.isReadonly && !['o', 'u', 'e', 'f', '+', '-', 'r', 'p', 'F1', '?', 'Escape', 'Enter'].includes(key);
    // With Shift, letters are those of other shortcuts.
    const isOther = event.shiftKey && (isChord || isLetter(key));
    const action = isOther ? undefined : (isChord ? chords : letters)[key];
    if (arrow && !isChord) {
      event.preventDefault();
      if (!event.altKey) go(arrow, event.shiftKey);
      else if (store.state.level.kind === 'list') actions.shift(arrow.x + arrow.y > 0 ? 1 : -1);
      else actions.nudge({ x: arrow.x * STEP, y: arrow.y * STEP });
    } else if (action && !event.altKey && (isChord || !readonly)) {
      event.preventDefault();
      if (!event.repeat || !ONCE.has(key)) void action();
    }
  };
}

const isControl = (element: Element): boolean => element.closest('input, textarea, button, select') !== null;
