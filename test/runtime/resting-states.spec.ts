import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { RestingPart } from '@waymark/core/adapter';
import { IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { aBurstOf } from '../support/a-burst.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, sequence, startNode, waitFor } from '../support/runtime-node.js';

const BRANCHES = 150;

type Node = Awaited<ReturnType<typeof startNode>>;

describeOn(await testBackends(), 'An instance with many branches, on $name', (backend) => {
  let persistence: WorkflowPersistence;
  let node: Node;
  let client: Awaited<ReturnType<IWorkflowRuntime['createClient']>>;

  beforeAll(async () => {
    node = await startNode(await backend.create());
    persistence = node.get(WorkflowPersistence);
    const activities = Array.from({ length: BRANCHES }, (_, i) =>
      sequence(`B${i}`, waitFor(`E${i}`, `go-${i}`), line(`L${i}`, `${i}`), waitFor(`F${i}`, `then-${i}`)),
    );
    await node.deploy('many', sequence('S', { type: 'Elsa.Parallel', id: 'P', activities }));
    client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'many' });
  });
  afterAll(async () => {
    await node?.close();
    await backend.drop();
  });

  const load = async () => (await persistence.instances.load(client.workflowInstanceId))!;
  const bookmarkOf = async (activityId: string) =>
    (await load()).state.bookmarks.find((bookmark) => bookmark.activityId === activityId)!.id;
  /** Items of the stored state that were read for a resume. */
  const readsOf = async (activityId: string): Promise<number> => {
    const bookmarkId = await bookmarkOf(activityId);
    const reads = jest.spyOn(RestingPart.prototype, 'read');
    await client.runInstance({ bookmarkId });
    const count = reads.mock.calls.length;
    reads.mockRestore();
    return count;
  };

  it('is resumed with what the branch needs, and stored as it would be as a whole', async () => {
    await readsOf('E0');
    const before = await load();
    const reads = await readsOf('E1');
    expect(reads).toBeLessThan(15);
    const after = await load();
    expect(after.revision).toBe(before.revision + 1);
    const untouched = (ids: readonly string[]) => ids.filter((id) => !/E1$|F1$|B1$/.test(id));
    expect(untouched(after.state.bookmarks.map(({ activityId }) => activityId))).toEqual(
      untouched(before.state.bookmarks.map(({ activityId }) => activityId)),
    );
    const rows = await persistence.bookmarks.findMany({ workflowInstanceId: client.workflowInstanceId });
    expect(rows.map(({ id }) => id).sort()).toEqual(after.state.bookmarks.map(({ id }) => id).sort());
  });

  it('answers results whose bookmarks are in copies and in JSON', async () => {
    const result = await client.runInstance({ bookmarkId: await bookmarkOf('E4') });
    expect({ ...result }.bookmarks).toEqual(result.bookmarks);
    expect(JSON.parse(JSON.stringify(result.bookmarks))).toHaveLength(BRANCHES);
  });

  it('is read anew where another caller has changed it meanwhile (W3)', async () => {
    await readsOf('E2');
    const { revision, ...instance } = await load();
    // Another node, which this one does not hear of.
    const other = await backend.create();
    if (other !== persistence) await other.initialize();
    const { properties } = instance.state;
    const state = { ...instance.state, properties: { ...properties, fromElsewhere: true } };
    await other.commit(aBurstOf({ ...instance, state }, { expectedRevision: revision }));
    if (other !== persistence) await other.close();
    await readsOf('E3');
    expect((await load()).state.properties).toMatchObject({ fromElsewhere: true });
    expect((await load()).revision).toBe(revision + 2);
  });

  it('ends when all its branches have', async () => {
    for (const prefix of ['E', 'F'])
      await Promise.all(
        (await load()).state.bookmarks
          .filter(({ activityId }) => activityId.startsWith(prefix))
          .map(({ id: bookmarkId }) => client.runInstance({ bookmarkId })),
      );
    expect((await load()).subStatus).toBe('Finished');
    expect((await load()).state.incidents).toEqual([]);
  });
});
