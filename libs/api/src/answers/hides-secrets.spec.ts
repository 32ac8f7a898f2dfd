import { WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, event, line, sequence, useServer } from '../module/api-harness.spec.js';

const SECRET = 'c4n4ry-7f3a9e-of-the-sender';
const input = {
  order: 7,
  headers: { Authorization: `Bearer ${SECRET}`, 'X-Plain': 'plain' },
  password: SECRET,
  callback: `https://ann:${SECRET}@partner.example/?api_key=${SECRET}`,
};
const shown = {
  order: 7,
  headers: { Authorization: '(redacted)', 'X-Plain': 'plain' },
  password: '(redacted)',
  callback: expect.stringMatching(/^https:.*partner\.example/) as unknown,
};
const variable = (id: string, name: string) => ({
  id,
  name,
  typeName: 'Object',
  storageDriverTypeName: 'WorkflowInstanceStorageDriver',
});

describe.each(pairsOf(ADAPTERS, 'express'))(
  'answers about pending work show no secrets of its senders on %s',
  (adapter) => {
    const { call, deploy, execute, settled, app } = useServer(adapter);
    const stores = () => app().get(WorkflowPersistence);
    const past = () => new Date(Date.now() - 1000);
    /** Answers, none of which may hold the secret. */
    async function answers(...requests: readonly (readonly [verb: string, path: string])[]) {
      const all = [];
      for (const [verb, path] of requests) {
        const { status, text, json } = await call(verb, path);
        expect([path, status, text.includes(SECRET)]).toEqual([path, 200, false]);
        all.push(json);
      }
      return all;
    }

    it('dead letters of the outbox, which are delivered as they were sent', async () => {
      const payload = { definition: 'later', workflowInstanceId: 'started-later', input };
      const message = { id: 'm-secret', kind: 'start', payload, attempts: 10, createdAt: past(), availableAt: past() };
      await stores().outbox.add([message]);
      await settled();
      const [one, list] = await answers(
        ['GET', '/outbox/dead-letters/m-secret'],
        ['GET', '/outbox/dead-letters'],
        ['POST', '/outbox/dead-letters'],
      );
      expect([one.payload.input, list.items[0].payload.input]).toEqual([shown, shown]);
      const kept = variable('kept', 'Kept');
      const value = { typeName: 'String', expression: { type: 'Input', value: 'callback' } };
      const keep = { id: 'S', type: 'Elsa.SetVariable', variable: kept, value };
      await deploy('later', sequence(keep, event('E', 'later-go')), { variables: [kept] });
      await call('POST', '/outbox/dead-letters/m-secret/replay');
      await settled();
      const delivered = await stores().instances.load('started-later');
      expect(JSON.stringify(delivered?.state)).toContain(input.callback);
    });

    it('dead letters of stimuli, which are delivered as they were sent', async () => {
      const item = {
        id: 'q-secret',
        workflowInstanceId: 'none',
        input,
        createdAt: past(),
        expiresAt: past(),
        attempts: 0,
      };
      await stores().queue.enqueue(item);
      await stores().queue.expire({ limit: 10, keepDeadLettersMs: 60_000, now: new Date() });
      const [list] = await answers(['GET', '/bookmark-queue/dead-letters'], ['POST', '/bookmark-queue/dead-letters']);
      const [one] = await answers(['GET', `/bookmark-queue/dead-letters/${list.items[0].id}`]);
      expect([list.items[0].input, one.input]).toEqual([shown, shown]);
      await call('POST', `/bookmark-queue/dead-letters/${list.items[0].id}/replay`);
      await settled();
      await stores().queue.expire({ limit: 10, keepDeadLettersMs: 3_600_000, now: new Date(Date.now() + 3_600_000) });
      const { items } = await stores().queue.findDeadLetters({ workflowInstanceId: 'none' });
      expect(items.map((letter) => letter.input)).toEqual([input]);
    });

    it('alteration plans, and the journals of the altered instances', async () => {
      const variables = [
        variable('password', 'Secret of the shop'),
        variable('v-7', 'Password'),
        variable('v-8', 'Order'),
      ];
      await deploy('altered', sequence(event('E', 'altered-go'), line('L')), { variables });
      const { id } = await execute('altered');
      const alterations = [
        { type: 'ModifyVariable', variableId: 'password', value: SECRET },
        { type: 'ModifyVariable', variableId: 'v-7', value: SECRET },
        { type: 'ModifyVariable', variableId: 'v-8', value: input },
      ];
      const { json } = await call('POST', '/alterations/submit', {
        alterations,
        filter: { workflowInstanceIds: [id] },
      });
      await settled();
      const journal = await call('GET', `/workflow-instances/${id}/journal`);
      expect(journal.json.items.filter((e: { eventName: string }) => e.eventName === 'Altered')).toHaveLength(3);
      expect([journal.text.includes(SECRET), journal.text.includes('X-Plain')]).toEqual([false, true]);
      const log = await stores().journal.readLog(id);
      expect(JSON.stringify(log)).not.toContain(SECRET);
      // Of a variable it knows no more than the id.
      const plan = await call('GET', `/alterations/${json.planId}`);
      expect(plan.json.plan.alterations[0].value).toBe('(redacted)');
      expect(plan.json.plan.alterations[2].value).toEqual(shown);
      expect(JSON.stringify((await stores().instances.load(id))!.state)).toContain(SECRET);
    });
  },
);
