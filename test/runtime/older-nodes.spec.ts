import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import {
  type DefinitionsChanged,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  WorkflowEvent,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { StoreFollower } from '@waymark/runtime/adapter';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { openLikeOlderNode } from '../support/older-node.js';
import { line, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const backends = await testBackends('sqlite', 'mysql', 'postgres');

const reusable = { options: { usableAsActivity: true, autoUpdateConsumingWorkflows: true } };
const using = (definitionId: string, version = 1): ActivityJson => ({
  type: definitionId,
  id: 'Inner',
  version,
  workflowDefinitionId: definitionId,
});

describeOn(backends, 'beside a node of the version before, on $name', (backend) => {
  let older: RuntimeNode;
  let here: RuntimeNode;
  let store: WorkflowPersistence;
  let changes: DefinitionsChanged[];
  let run = 0;
  let inner: string;
  let outer: string;

  beforeEach(async () => {
    [inner, outer] = [`Inner${++run}`, `Outer${run}`];
    store = await backend.create();
    here = await startNode(store);
    older = await startNode(await openLikeOlderNode(backend));
    changes = [];
    here.get(EventEmitter2).on(WorkflowEvent.DefinitionsChanged, (event: DefinitionsChanged) => changes.push(event));
  });
  afterEach(async () => {
    await here.close();
    await older.close();
  });
  afterAll(() => backend.drop());

  const follow = () => here.get(StoreFollower).follow();
  const runOn = async (node: RuntimeNode, definition: string) => {
    node.lines.length = 0;
    await (await node.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition });
    return node.lines;
  };
  const consumers = () => here.get(IWorkflowDefinitionPublisher).consumers(inner);

  it('reads everything again after its changes, and only changed definitions after changes of other nodes', async () => {
    await here.deploy(inner, line('Say', 'first'), reusable);
    await here.deploy(outer, sequence('Root', using(inner)));
    expect(await runOn(here, outer)).toEqual(['first']);
    await follow();
    expect(changes.at(-1)?.definitionIds?.toSorted()).toEqual([inner, outer]);

    await older.deploy(outer, sequence('Root', line('Before', 'from the other one'), using(inner)));
    await follow();
    expect(changes.at(-1)?.definitionIds).toBeUndefined();
    expect(await runOn(here, outer)).toEqual(['from the other one', 'first']);

    await here.deploy(`${outer}x`, line('Say', 'more'));
    await follow();
    expect(changes.at(-1)?.definitionIds).toEqual([`${outer}x`]);
    const seen = changes.length;
    await follow();
    expect(changes).toHaveLength(seen);
  });

  it('changes of an older node are noticed when others come between two looks', async () => {
    await here.deploy(outer, line('Say', 'first'));
    expect(await runOn(here, outer)).toEqual(['first']);
    await follow();
    await older.deploy(outer, line('Say', 'second'));
    const third = await startNode(await backend.create());
    await third.deploy(`${outer}x`, line('Say', 'x'));
    await follow();
    expect(changes.at(-1)?.definitionIds).toBeUndefined();
    expect(await runOn(here, outer)).toEqual(['second']);
    await third.close();
  });

  it('activities that it publishes can be used', async () => {
    await older.deploy(inner, line('Say', 'inner'), reusable);
    await follow();
    await here.deploy(outer, sequence('Root', using(inner)));
    expect(await runOn(here, outer)).toEqual(['inner']);
    await older.deploy(inner, line('Say', 'second'), reusable);
    await older.get(IWorkflowDefinitionPublisher).delete([inner]);
    await follow();
    expect((await here.get(IWorkflowDefinitionPublisher).publish(outer)).alreadyPublished).toBe(true);
    expect(await store.definitions.count({ definitionId: inner })).toBe(0);
  });

  it('finds consumers that the older node publishes, until it publishes them without the reference', async () => {
    await here.deploy(inner, line('Say', 'first'), reusable);
    expect(await consumers()).toEqual([]);
    await older.deploy(outer, sequence('Root', using(inner)));
    expect(await consumers()).toEqual([outer]);
    await older.deploy(`${outer}y`, sequence('Root', using(inner)));
    expect(await consumers()).toEqual([outer, `${outer}y`]);
    await older.deploy(outer, line('Say', 'alone'));
    expect(await consumers()).toEqual([`${outer}y`]);
    await here.deploy(inner, line('Say', 'second'), reusable);
    expect(await runOn(here, `${outer}y`)).toEqual(['second']);
    await older.get(IWorkflowDefinitionPublisher).delete([`${outer}y`]);
    expect(await consumers()).toEqual([]);
  });
});
