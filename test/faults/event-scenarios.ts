import { line, literal, sequence, startedBy, waitFor } from '../support/runtime-node.js';
import type { Place, Scenario } from './fault-world.js';
import { expectInstances, scenario, settle, start } from './scenarios.js';

/** Ends at once; its event is a message of the commit. */
function deployPublisher({ node, key }: Place): Promise<void> {
  const event = { type: 'Elsa.PublishEvent', id: 'P', eventName: literal(`${key}-go`) };
  return node.deploy(`${key}-p`, sequence('S', event));
}

/** Events of workflows: none of them counts twice, however often its message is served. */
export const eventScenarios: readonly Scenario[] = [
  scenario('an event that starts a workflow, which then waits for the same one', {
    deploy: async (at) => {
      const { node, key } = at;
      const [first, again] = [waitFor('E', `${key}-go`, startedBy), waitFor('F', `${key}-go`)];
      await node.deploy(`${key}-w`, sequence('S', first, line('B', 'b'), again));
      await deployPublisher(at);
    },
    steps: [start('p'), settle],
    check: (at) => expectInstances(at, 'w', 1, 'Suspended', ['E', 'B']),
  }),

  scenario('an event that comes before those who wait for it twice', {
    deploy: async (at) => {
      const { node, key } = at;
      const [first, again] = [waitFor('E', `${key}-go`), waitFor('F', `${key}-go`)];
      await node.deploy(`${key}-w`, sequence('S', first, line('B', 'b'), again));
      await deployPublisher(at);
    },
    steps: [start('p'), settle, start('w'), settle],
    check: (at) => expectInstances(at, 'w', 1, 'Suspended', ['E', 'B']),
  }),
];
