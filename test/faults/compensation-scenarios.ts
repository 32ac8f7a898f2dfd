import { expect } from '@jest/globals';
import { IWorkflowCancellationService } from '@waymark/runtime';
import { line, literal, sequence, waitFor } from '../support/runtime-node.js';
import type { Place, Scenario, Step } from './fault-world.js';
import { instancesOf, pass, scenario, send, settle, start } from './scenarios.js';

const HOUR_MS = 3_600_000;

const step = (id: string, undo: object) => ({
  type: 'Waymark.Compensable',
  id,
  body: line(`Do${id}`, id),
  undo,
});
/** Each undo is a burst of its own: what is between two of them is stored. */
const slowUndo = (id: string) =>
  sequence(
    `U${id}`,
    { type: 'Elsa.Delay', id: `Wait${id}`, timeSpan: literal('00:00:01', 'TimeSpan') },
    line(`Undo${id}`, `undo ${id}`),
  );
const fails = { type: 'Elsa.Fault', id: 'Fails', message: literal('no car left'), code: literal('NO-CAR') };

const cancel =
  (name: string): Step =>
  async (at) =>
    at.node.get(IWorkflowCancellationService).cancel(await instancesOf(at, name));

/** The steps were done and undone, each once and in this order, and the instance ended like that. */
async function expectUndone(at: Place, name: string, subStatus: string, lines: string[]): Promise<void> {
  const ids = await instancesOf(at, name);
  expect(ids).toHaveLength(1);
  expect((await at.store.instances.load(ids[0]!))?.subStatus).toBe(subStatus);
  const log = await at.store.journal.readLog(ids[0]!);
  const written = log.filter((e) => e.eventName === 'Completed' && e.activityType === 'Elsa.WriteLine');
  expect(written.map((e) => e.activityId)).toEqual(lines);
  expect(await at.store.bookmarks.findMany({ workflowInstanceId: ids[0]! })).toEqual([]);
}

const undoing: readonly Step[] = [settle, pass(HOUR_MS), settle, pass(HOUR_MS), settle];
/** One for what met the fault, and one for each wait of the two undos. */
const UNDO_ROUNDS = 4;

export const compensationScenarios: readonly Scenario[] = [
  scenario('steps that are undone after an error, which is caught then', {
    deploy: ({ node, key }) => {
      const body = sequence('B', step('A', slowUndo('A')), step('B', slowUndo('B')), waitFor('E', `${key}-go`), fails);
      const root = {
        type: 'Waymark.Try',
        id: 'T',
        body,
        catches: [{ errors: ['NO-CAR'], activity: line('Caught', 'caught') }],
        finally: line('Last', 'last'),
      };
      return node.deploy(`${key}-w`, root);
    },
    steps: [start('w'), send('go'), ...undoing],
    recoveryRounds: UNDO_ROUNDS,
    check: (at) => expectUndone(at, 'w', 'Finished', ['DoA', 'DoB', 'UndoB', 'UndoA', 'Caught', 'Last']),
  }),

  scenario('steps that are undone because the instance is cancelled', {
    deploy: ({ node, key }) =>
      node.deploy(
        `${key}-w`,
        sequence('S', step('A', line('UndoA', 'undo A')), step('B', slowUndo('B')), waitFor('E', `${key}-go`)),
      ),
    steps: [start('w'), cancel('w'), ...undoing],
    recoveryRounds: UNDO_ROUNDS,
    check: (at) => expectUndone(at, 'w', 'Cancelled', ['DoA', 'DoB', 'UndoB', 'UndoA']),
  }),
];
