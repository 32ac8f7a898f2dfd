import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ActivityJson } from '@waymark/core';
import { WorkflowModule } from '@waymark/nestjs';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  MemoryPersistence,
  WorkflowEngine,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { StoreFollower } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { line, literal, sequence } from '../support/runtime-node.js';

/** Rows that came out of the store, by method; of definitions only those with their content. */
type Reads = Map<string, number>;

/** Counts what is read. */
function counted(persistence: WorkflowPersistence, reads: Reads): WorkflowPersistence {
  const rowsOf = (answer: unknown): number => {
    if (Array.isArray(answer)) return answer.length;
    const { items } = (answer ?? {}) as { items?: unknown[] };
    return items?.length ?? (answer === undefined ? 0 : 1);
  };
  const watch = (name: string, target: object): object =>
    new Proxy(target, {
      get(of, member) {
        const value: unknown = Reflect.get(of, member);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          const answer: unknown = await (value as (...given: unknown[]) => unknown).apply(of, args);
          const key = `${name}.${String(member)}`;
          reads.set(key, (reads.get(key) ?? 0) + rowsOf(answer));
          return answer;
        };
      },
    });
  const { definitions, triggers } = persistence;
  return Object.create(persistence, {
    definitions: { value: watch('definitions', definitions) },
    triggers: { value: watch('triggers', triggers) },
  }) as WorkflowPersistence;
}

const endpoint = (path: string): ActivityJson => ({
  type: 'Elsa.HttpEndpoint',
  id: 'In',
  path: literal(path),
  customProperties: { canStartWorkflow: true },
});
const reusable = { usableAsActivity: true, autoUpdateConsumingWorkflows: true };

describe('among many definitions', () => {
  let store: MemoryPersistence;
  const apps: NestFastifyApplication[] = [];

  const startNode = async (reads: Reads) => {
    const app = await NestFactory.create<NestFastifyApplication>(
      WorkflowModule.forRoot({
        persistence: counted(store, reads),
        clock: new VirtualClock(),
        writeLine: () => undefined,
      }),
      new FastifyAdapter(),
      { logger: ['error'] },
    );
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    return app;
  };
  const saveAndPublish = async (
    app: NestFastifyApplication,
    definitionId: string,
    root: ActivityJson,
    options = {},
  ) => {
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const result = await publisher.saveAndPublish({ definitionId, name: definitionId, root, options });
    expect(result.problems).toEqual([]);
    return result.definition;
  };
  const publish = (app: NestFastifyApplication, definitionId: string, ...activities: ActivityJson[]) =>
    saveAndPublish(app, definitionId, sequence('Root', ...activities), reusable);
  /** Not usable as an activity: each version of such a one is a type. */
  const publishPlain = (app: NestFastifyApplication, definitionId: string, text: string) =>
    saveAndPublish(app, definitionId, sequence('Root', line('Say', text)));

  beforeEach(() => {
    store = new MemoryPersistence();
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });

  it('a publish reads what it reads among few, and so does a node that follows', async () => {
    const [reads, followerReads]: Reads[] = [new Map(), new Map()];
    const app = await startNode(reads!);
    const follower = await startNode(followerReads!);
    const measure = async (change: number) => {
      await follower.get(StoreFollower).follow();
      reads!.clear();
      followerReads!.clear();
      await publish(app, `measured${change}`, endpoint(`measured/${change}/{id}`), endpoint(`also/${change}`));
      await follower.get(StoreFollower).follow();
      const answer = await fetch(`${await follower.getUrl()}/workflows/measured/${change}/7`);
      expect(answer.status).toBe(200);
      return [new Map(reads), new Map(followerReads)];
    };
    await measure(1);
    const among1 = await measure(2);
    for (let i = 0; i < 30; i++) await publish(app, `other${i}`, endpoint(`other/${i}/{id}`));
    expect(await measure(3)).toEqual(among1);
  });

  it('the deletion of a version reads the same whether there are two versions or twenty', async () => {
    const reads: Reads = new Map();
    const app = await startNode(reads);
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const deletion = async (definitionId: string, versions: number) => {
      for (let i = 0; i < versions; i++) await publishPlain(app, definitionId, `${i}`);
      const latest = await store.definitions.find({ definitionId });
      reads.clear();
      expect(await publisher.deleteVersions([latest!.id])).toBe(1);
      const left = await store.definitions.find({ definitionId });
      expect(left).toMatchObject({ version: versions - 1, isLatest: true, isPublished: false });
      return [...reads].filter(([method]) => /definitions.find/.test(method));
    };
    expect(await deletion('few', 2)).toEqual(await deletion('many', 20));
  });

  it('a node that follows reads of a definition with many versions those that it uses', async () => {
    const reads: Reads = new Map();
    const app = await startNode(new Map());
    const follower = await startNode(reads);
    const following = async (definitionId: string, versions: number) => {
      for (let i = 0; i < versions; i++) await publishPlain(app, definitionId, `${i}`);
      await follower.get(StoreFollower).follow();
      await follower.get(IWorkflowDefinitionService).require(definitionId);
      reads.clear();
      await publishPlain(app, definitionId, 'again');
      await follower.get(StoreFollower).follow();
      return new Map(reads);
    };
    expect(await following('few', 2)).toEqual(await following('many', 20));
  });

  it('a deletion reads no content, but that of a version that becomes the latest', async () => {
    const reads: Reads = new Map();
    const app = await startNode(reads);
    const publisher = app.get(IWorkflowDefinitionPublisher);
    for (let i = 0; i < 3; i++) await publish(app, 'deleted', endpoint(`deleted/${i}`));
    const [first, , last] = await store.definitions.findVersions({ definitionId: 'deleted' });
    const contents = () => [reads.get('definitions.find'), reads.get('definitions.findMany')];
    reads.clear();
    await publisher.deleteVersions([first!.id]);
    expect(contents()).toEqual([undefined, undefined]);
    await publisher.deleteVersions([last!.id]);
    // As a row to be written, and as an activity to be registered.
    expect(contents()).toEqual([undefined, 2]);
    expect(await store.triggers.findMany({})).toEqual([]);
    reads.clear();
    expect(await publisher.delete(['deleted', 'absent'])).toBe(1);
    expect(contents()).toEqual([undefined, undefined]);
  });

  it('graphs that do not depend on what was published stay, also when the registry has changed', async () => {
    const app = await startNode(new Map());
    const follower = await startNode(new Map());
    const definitions = follower.get(IWorkflowDefinitionService);
    const using = (definitionId: string): ActivityJson => ({
      type: definitionId,
      id: 'Inner',
      version: 1,
      workflowDefinitionId: definitionId,
    });
    const inner = await publish(app, 'Inner', line('Say', 'first'));
    const middle = await publish(app, 'Middle', using('Inner'));
    const outer = await publish(app, 'Outer', using('Middle'));
    const alone = await publish(app, 'Alone', line('Say', 'alone'));
    await follower.get(StoreFollower).follow();
    const graphsOf = (...versions: { id: string }[]) => Promise.all(versions.map(({ id }) => definitions.graph(id)));
    const before = await graphsOf(inner, middle, outer, alone);

    const { activities } = follower.get(WorkflowEngine);
    const { version } = activities;
    await publish(app, 'Another', line('Say', 'another'));
    await follower.get(StoreFollower).follow();
    expect(activities.version).toBeGreaterThan(version);
    expect((await graphsOf(inner, middle, outer, alone)).map((graph, i) => graph === before[i])).toEqual(
      Array.from({ length: 4 }, () => true),
    );

    // The innermost one is retracted: its row has changed, and what contains it is compiled again.
    await app.get(IWorkflowDefinitionPublisher).retract('Inner');
    await follower.get(StoreFollower).follow();
    expect((await graphsOf(inner, middle, outer, alone)).map((graph, i) => graph === before[i])).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('what a node has cached of its own publish stays when it follows it', async () => {
    const reads: Reads = new Map();
    const app = await startNode(reads);
    const definitions = app.get(IWorkflowDefinitionService);
    const published = await publish(app, 'mine', line('Say', 'hello'));
    const graph = await definitions.graph(published.id);
    const found = await definitions.find('mine');
    const { version } = app.get(WorkflowEngine).activities;
    reads.clear();
    await app.get(StoreFollower).follow();
    expect(await definitions.graph(published.id)).toBe(graph);
    expect(await definitions.find('mine')).toBe(found);
    expect(app.get(WorkflowEngine).activities.version).toBe(version);
    expect([reads.get('definitions.find'), reads.get('definitions.findMany')]).toEqual([undefined, undefined]);
  });
});
