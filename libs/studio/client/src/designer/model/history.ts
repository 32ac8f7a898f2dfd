import { apply, type Change, type Design, invert, isIdle, merge } from './change.js';

/** A document with everything that was done to it. */
export interface History {
  readonly design: Design;
  readonly done: readonly Change[];
  readonly undone: readonly Change[];
}

/** Beyond that the oldest steps are forgotten. */
const MAX_STEPS = 500;

export const historyOf = (design: Design): History => ({ design, done: [], undone: [] });

export function perform(history: History, change: Change): History {
  if (isIdle(change)) return history;
  const last = history.done.at(-1);
  const merged = last && history.undone.length === 0 ? merge(last, change) : undefined;
  const done = merged ? [...history.done.slice(0, -1), merged] : [...history.done, change].slice(-MAX_STEPS);
  return { design: apply(history.design, change), done, undone: [] };
}

export function undo(history: History): History {
  const last = history.done.at(-1);
  if (!last) return history;
  return {
    design: apply(history.design, invert(last)),
    done: history.done.slice(0, -1),
    undone: [...history.undone, last],
  };
}

export function redo(history: History): History {
  const next = history.undone.at(-1);
  if (!next) return history;
  // What is typed now is a step of its own.
  const { patches } = next;
  return {
    design: apply(history.design, next),
    done: [...history.done, { patches }],
    undone: history.undone.slice(0, -1),
  };
}
