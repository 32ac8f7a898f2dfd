import { runTimed } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';
import { next, STEPS } from '../workflows/many-steps.js';

/**
 * The steps without an engine. Awaited: an async function per step, as workflow code written by hand has it, because a
 * step may call something. Synchronous: what JavaScript does when nothing may wait; told as information.
 */
const { awaited } = argument<{ awaited: boolean }>();

type Variables = Map<string, unknown>;
type Expression = (variables: Variables) => unknown;

const asyncSteps = Array.from({ length: STEPS }, () => setAsync((variables) => next(variables.get('count') as number)));
const syncSteps = Array.from({ length: STEPS }, () => setSync((variables) => next(variables.get('count') as number)));

function setAsync(expression: Expression): (variables: Variables) => Promise<void> {
  return async (variables) => {
    variables.set('count', expression(variables));
  };
}

function setSync(expression: Expression): (variables: Variables) => void {
  return (variables) => {
    variables.set('count', expression(variables));
  };
}

async function runAwaited(): Promise<Variables> {
  const variables: Variables = new Map([['count', 0]]);
  for (const step of asyncSteps) await step(variables);
  return variables;
}

function runSynchronously(): Variables {
  const variables: Variables = new Map([['count', 0]]);
  for (const step of syncSteps) step(variables);
  return variables;
}

function after(variables: Variables): void {
  if (variables.get('count') !== STEPS) throw new Error('Not run.');
}

const run = awaited ? runAwaited : runSynchronously;
serveParent({ run: (seconds: number) => runTimed(seconds, { units: STEPS, run, after }) });
