import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { StoredValueError } from '@waymark/core';
import {
  type BookmarkPatternsChanged,
  IBookmarkQueue,
  IInstanceMigrator,
  IWorkflowClient,
  IWorkflowRuntime,
  WorkflowEngine,
  WorkflowEvent,
  WorkflowPersistence,
} from '@waymark/runtime';
import {
  BurstExecutor,
  InstanceDeletion,
  OutboxProcessor,
  StoreBookmarkQueue,
  StoreFollower,
} from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { createWaymarkDataSource } from '@waymark/typeorm';
import type { DataSource } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

// A row that a disk, a restore or a person has damaged is one row: what stands beside it is served.

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'a damaged row on $name', (backend) => {
  let node: RuntimeNode;
  let clock: VirtualClock;
  let dataSource: DataSource;
  let tests = 0;
  beforeEach(async () => {
    clock = new VirtualClock('2026-03-01T00:00:00Z');
    node = await startNode(await backend.create(), { clock });
    dataSource = await createWaymarkDataSource(backend.url!, { tablePrefix: backend.tablePrefix }).initialize();
    tests++;
  });
  afterEach(async () => {
    await dataSource.destroy();
    await node.close();
  });
  afterAll(() => backend.drop());

  const start = async (definition: string): Promise<IWorkflowClient> => {
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition });
    return client;
  };
  const damage = (table: string, column: string, where: string) =>
    dataSource.query(`UPDATE ${backend.tablePrefix}${table} SET ${column} = '{"json":{"a":' WHERE ${where}`);
  const store = () => node.get(WorkflowPersistence);

  it('a damaged row of an instance is refused with a code, and can be deleted, with its children', async () => {
    const [kid, parent] = [`kid${tests}`, `parent${tests}`];
    await node.deploy(kid, sequence('S', waitFor('E', 'go')));
    const child = { type: 'Elsa.DispatchWorkflow', id: 'K', workflowDefinitionId: literal(kid) };
    await node.deploy(parent, sequence('S', child, waitFor('W', 'never')));
    const client = await start(parent);
    await node.settled();
    await damage('instances', 'state', `id = '${client.workflowInstanceId}'`);
    const place = `column "state" of the row with the id "${client.workflowInstanceId}"`;
    await expect(client.cancel()).rejects.toMatchObject({
      code: 'WM1054',
      place,
      message: expect.stringContaining(place),
    });
    expect(await node.get(InstanceDeletion).delete([client.workflowInstanceId])).toBe(1);
    await node.settled();
    expect(await store().instances.count({ definitionIds: [kid], subStatuses: ['Cancelled'] })).toBe(1);
    expect(await client.instanceExists()).toBe(false);
  });

  it('a damaged row in the definitions does not prevent the deletion of an instance, and its waiting parent is notified', async () => {
    const [kid, parent] = [`left${tests}`, `waiting${tests}`];
    await node.deploy(kid, sequence('S', waitFor('E', 'go')));
    const of = { workflowDefinitionId: literal(kid), waitForCompletion: literal(true) };
    await node.deploy(parent, sequence('S', { type: 'Elsa.DispatchWorkflow', id: 'K', ...of }));
    const client = await start(parent);
    await node.settled();
    const [child] = await store().instances.findIds({ definitionIds: [kid] });
    // As the executor of a node that has not read it before.
    const cancel = jest
      .spyOn(node.get(BurstExecutor), 'cancel')
      .mockRejectedValueOnce(new StoredValueError('it is not JSON', 'column "data" of a definition'));
    expect(await node.get(InstanceDeletion).delete([child!])).toBe(1);
    cancel.mockRestore();
    await node.settled();
    expect((await store().instances.load(client.workflowInstanceId))?.status).toBe('Finished');
  });

  it('with damaged rows of definitions and path templates, a node starts, publishes and follows what others publish', async () => {
    const [good, bad, next] = ['good', 'bad', 'next'].map((name) => `${name}${tests}`) as [string, string, string];
    const reusable = { options: { usableAsActivity: true } };
    await node.deploy(good, sequence('S'));
    await node.deploy(bad, sequence('S'), reusable);
    const following = await startNode(await backend.create(), { clock });
    await node.deploy(bad, sequence('S', waitFor('E', 'go')), reusable);
    await damage('definitions', 'data', `definition_id = '${bad}'`);
    const pattern = `'h${tests}', 'Elsa.HttpEndpoint', '{"json":', ${clock.now()}`;
    await dataSource.query(
      `INSERT INTO ${backend.tablePrefix}patterns (hash, name, data, announced_at) VALUES (${pattern})`,
    );
    const starting = await startNode(await backend.create(), { clock });
    await starting.deploy(next, sequence('S'), reusable);
    for (const one of [node, following, starting]) {
      await one.get(StoreFollower).follow();
      const types = one
        .get(WorkflowEngine)
        .activities.list()
        .map(({ descriptor }) => descriptor.typeName);
      expect(types).toContain(`Next${tests}`);
      const client = await one.get(IWorkflowRuntime).createClient();
      expect(await client.createAndRunInstance({ definition: good })).toMatchObject({ subStatus: 'Finished' });
    }
    const announced: string[] = [];
    starting
      .get(EventEmitter2)
      .on(WorkflowEvent.BookmarkPatternsChanged, ({ patterns }: BookmarkPatternsChanged) =>
        announced.push(...patterns.map(({ hash }) => hash)),
      );
    const repaired = `data = '{"json":{"payload":1}}', announced_at = ${clock.now()}`;
    await dataSource.query(`UPDATE ${backend.tablePrefix}patterns SET ${repaired} WHERE hash = 'h${tests}'`);
    await starting.get(StoreFollower).follow();
    expect(announced).toEqual([`h${tests}`]);
    await starting.close();
    await following.close();
  });

  it.each([1, 600_000])(
    'a damaged row of an instance with a state of %d characters and more is named, however it is read',
    async (size) => {
      const definition = `sized${tests}`;
      await node.deploy(definition, sequence('S', waitFor('E', 'go')));
      const { workflowInstanceId: id } = await start(definition);
      const place = `column "state" of the row with the id "${id}"`;
      const broken = [
        '{"json":{"bookmarks":[\n"pa55word"',
        `{"json":{"date":"pa55word"},"meta":{"values":{"date":["Date"]}}}\n`,
      ];
      for (const text of broken) {
        const state = text + (text.endsWith('}\n') ? ' ' : '"').repeat(size);
        await dataSource.query(
          `UPDATE ${backend.tablePrefix}instances SET state = '${state.replaceAll('\\', '\\\\')}', revision = revision + 1 WHERE id = '${id}'`,
        );
        for (const mayRest of [false, true]) {
          const error: unknown = await store()
            .instances.load(id, { mayRest })
            .catch((thrown: unknown) => thrown);
          expect(error).toMatchObject({ code: 'WM1054', place });
          expect(JSON.stringify([(error as Error).message, (error as Error).cause])).not.toContain('pa55');
        }
      }
      expect(await node.get(InstanceDeletion).delete([id])).toBe(1);
    },
  );

  it('a damaged earlier state of a migrated instance is refused with a code when the migration is undone, and the instance runs', async () => {
    const definition = `moved${tests}`;
    await node.deploy(definition, sequence('S', waitFor('E', 'go')));
    const client = await start(definition);
    const { workflowInstanceId: id } = client;
    await node.deploy(definition, sequence('S', waitFor('E', 'go'), waitFor('F', 'on')));
    const migrator = node.get(IInstanceMigrator);
    await migrator.migrate(id, { targetVersion: 2 });
    const place = `the state before the last migration of instance "${id}"`;
    for (const [from, to] of [
      ['{', 'pa55{'],
      ['pa55{', '{\\"json\\":1,\\"was\\":{'],
    ]) {
      const [before, after] = [from, to].map(
        (text) => `'"before":"${backend.name === 'mysql' ? text!.replaceAll('\\', '\\\\') : text}'`,
      );
      await dataSource.query(
        `UPDATE ${backend.tablePrefix}instances SET state = REPLACE(state, ${before}, ${after}), revision = revision + 1 WHERE id = '${id}'`,
      );
      const error: unknown = await migrator.undo(id).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'WM1054', place });
      expect(JSON.stringify([(error as Error).message, (error as Error).cause])).not.toContain('pa55');
    }
    await client.cancel();
    expect(await store().instances.count({ ids: [id], subStatuses: ['Cancelled'] })).toBe(1);
  });

  it('a damaged row of a message becomes a dead letter, and keeps no other from being served', async () => {
    const outbox = node.get(OutboxProcessor);
    const served: unknown[] = [];
    outbox.register({
      kind: `test${tests}`,
      handle: async ({ id, payload }) => {
        served.push(payload);
        await store().outbox.delete(id);
      },
    });
    const availableAt = new Date(clock.now());
    const of = (id: string) => ({
      id: `${id}${tests}`,
      kind: `test${tests}`,
      payload: id,
      attempts: 0,
      availableAt,
      createdAt: availableAt,
    });
    await store().outbox.add([of('damaged'), of('whole')]);
    await damage('outbox', 'data', `id = 'damaged${tests}'`);
    await outbox.poll();
    await outbox.settled();
    expect(served).toEqual(['whole']);
    for (let times = 0; times < 20; times++) {
      await clock.advance(600_000);
      await outbox.poll();
      await outbox.settled();
    }
    const { deadLetters } = await store().outbox.count();
    expect(deadLetters).toBe(1);
  });

  it('a damaged stimulus becomes a dead letter, and keeps none behind it from being delivered', async () => {
    const definition = `stimulated${tests}`;
    await node.deploy(definition, sequence('S', waitFor('E', 'go'), waitFor('F', 'then')));
    const first = await start(definition);
    const [bookmark] = await store().bookmarks.findMany({ workflowInstanceId: first.workflowInstanceId });
    await first.cancel();
    const { queue } = store();
    for (const [n, id] of ['damaged', 'whole'].entries())
      await queue.enqueue({
        ...{ id: `${id}${tests}`, stimulusHash: bookmark!.hash, attempts: 0, input: { n } },
        ...{ createdAt: new Date(clock.now() + n), expiresAt: new Date(clock.now() + 86_400_000) },
      });
    await damage('queue', 'data', `id = 'damaged${tests}'`);
    const waitsFor = async (id: string) =>
      (await store().bookmarks.findMany({ workflowInstanceId: id })).map(({ hash }) => hash);
    const { workflowInstanceId: second } = await start(definition);
    await node.settled();
    expect(await waitsFor(second)).not.toEqual([bookmark!.hash]);
    expect(await queue.find(`whole${tests}`)).toBeUndefined();
    const { workflowInstanceId: third } = await start(definition);
    await node.settled();
    const id = `damaged${tests}`;
    while (await queue.find(id))
      await expect(node.get(StoreBookmarkQueue).deliver(id)).rejects.toMatchObject({ code: 'WM1054' });
    const letter = await queue.findDeadLetter(id);
    expect(letter).toMatchObject({ reason: 'Failed', unreadable: { code: 'WM1054' } });
    await expect(node.get(IBookmarkQueue).replay(letter!.id)).rejects.toMatchObject({ code: 'WM1054' });
    expect(await waitsFor(third)).toEqual([bookmark!.hash]);
  });
});
