import { expect, it } from '@jest/globals';
import type { WorkflowPersistence } from '@waymark/runtime';
import type { WorkflowInstanceSummary } from '@waymark/runtime/adapter';
import type { ShownValues } from '../answers/hides-secrets.js';
import { LiveChanges } from './live-changes.js';
import type { LiveEvent } from './live-events.js';
import type { LiveSubscriber } from './live-subscriber.js';
import { Recipients } from './recipients.js';

const MANY = 6_000;
const ids = Array.from({ length: MANY }, (_, n) => `instance-${n}`);
const at = new Date(0);

const instance = (id: string): WorkflowInstanceSummary => ({
  id,
  definitionId: 'd',
  definitionVersionId: 'd:1',
  version: 1,
  parentWorkflowInstanceId: undefined,
  status: 'Running',
  subStatus: 'Suspended',
  isExecuting: false,
  correlationId: undefined,
  name: undefined,
  incidentCount: 0,
  isSystem: false,
  createdAt: at,
  updatedAt: at,
  finishedAt: undefined,
});

/** With all instances that are asked for, none of which changes. */
const store = {
  instances: { findMany: async ({ ids: asked }: { ids: string[] }) => ({ items: asked.map(instance) }) },
  bookmarks: { findMany: async () => [] },
} as unknown as WorkflowPersistence;
const shown = { of: (value: unknown) => value } as ShownValues;

async function reported(events: AsyncIterable<LiveEvent>): Promise<number> {
  let count = 0;
  for await (const _event of events) count++;
  return count;
}

it('instances that clients watch are reported again only when they have changed, however many there are', async () => {
  const changes = new LiveChanges(store, shown);
  expect(await reported(changes.instances(ids))).toBe(MANY);
  expect(await reported(changes.instances(ids))).toBe(0);
  // A client connects meanwhile.
  expect(await reported(changes.allOf([ids[0]!, 'another']))).toBe(2);
  expect(await reported(changes.instances(ids))).toBe(0);
});

it('watchers are found by the instances that they watch, without looking at the others', () => {
  let asked = 0;
  const subscriber = (workflowInstanceIds: ReadonlySet<string> | undefined, topic = 'instances'): LiveSubscriber =>
    ({
      get wanted() {
        asked++;
        return { topics: new Set([topic]), workflowInstanceIds };
      },
      destroyed: false,
    }) as unknown as LiveSubscriber;
  const watching = ids.map((id) => subscriber(new Set([id])));
  const [ofAll, ofDefinitions] = [subscriber(undefined), subscriber(undefined, 'definitions')];
  const recipients = new Recipients([...watching, ofAll, ofDefinitions]);
  const before = asked;
  for (const [n, id] of ids.entries()) expect([...recipients.of(id)]).toEqual([ofAll, watching[n]]);
  expect(asked).toBe(before);
  expect([...recipients.of('another')]).toEqual([ofAll]);
  expect([...recipients.instanceIds]).toEqual(ids);
  Object.assign(watching[0]!, { destroyed: true });
  expect([...recipients.of(ids[0]!)]).toEqual([ofAll]);
});
