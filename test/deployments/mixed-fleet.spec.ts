import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import {
  activity,
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  inline,
  MemoryPersistence,
  sequence,
  trigger,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
} from '@waymark/nestjs';
import {
  BulkPlans,
  DispatchWorkflow,
  Event,
  ExecuteWorkflow,
  IEventPublisher,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  IBookmarkResumer,
  MissingCode,
  WorkflowCodeMissing,
  WorkflowEvent,
} from '@waymark/runtime';
import { Delay, Timer } from '@waymark/scheduling';
import { InstanceRetries } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { TestApplication } from '../support/application.js';
import { sequence as sequenceOf, waitFor as waitForEventAt } from '../support/runtime-node.js';

type Build = (w: WorkflowDefinitionBuilder, note: (text: string) => ReturnType<typeof inline>) => unknown;

/** What was done, by which release. */
let done: string[];
let clock: VirtualClock;
let persistence: MemoryPersistence;
let nodes: TestApplication[];

const note = (text: string) => inline(() => void done.push(text));

function workflow(options: Parameters<typeof Workflow>[0], build: Build): Type<WorkflowBuilder> {
  @Workflow(options)
  class Sample implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      build(w, note);
    }
  }
  return Sample;
}

/** Work of its own, which the release before does not have. */
@Activity({ type: 'Fleet.Resize', kind: 'Job' })
class Resize extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    done.push(`resized by ${ctx.activityId}`);
  }
}

async function node(order: number, ...providers: Type[]): Promise<TestApplication> {
  const deployment = { id: `release ${order}`, order };
  const app = await TestApplication.start({ persistence, clock, deployment, nodeName: `node ${order}`, providers });
  nodes.push(app);
  return app;
}

async function start(app: TestApplication, definition: string): Promise<string> {
  const client = await app.get(IWorkflowRuntime).createClient();
  return (await client.createAndRunInstance({ definition })).workflowInstanceId;
}

/** Lets all nodes do what they can do within that time, looked at so often: a long time in which little happens, seldom. */
async function pass(ms: number, every = 500): Promise<void> {
  for (let at = 0; at < ms; at += every) {
    await clock.advance(every);
    for (const app of nodes) await app.settled();
  }
}

const waitingFor =
  (event: string, release: number): Build =>
  (w) =>
    w.root(
      sequence([
        activity(Event, { eventName: event }),
        ...Array.from({ length: release }, () => note(`release ${release}`)),
      ]),
    );

function beginFleet(): void {
  nodes = [];
  clock = new VirtualClock();
  persistence = new MemoryPersistence();
}

async function endFleet(): Promise<void> {
  for (const app of nodes) await app.close();
}

/** Each test has a fleet of its own. */
function useFleets(): void {
  beforeEach(beginFleet);
  afterEach(endFleet);
}

beforeEach(() => {
  done = [];
});

describe('the retry of many instances', () => {
  useFleets();

  it('leaves those whose version a node lacks to the nodes that have it, and counts no failure', async () => {
    const failsOnce =
      (release: number): Build =>
      (w) => {
        const work = inline(() => {
          done.push(`release ${release}`);
          if (done.length === 1) throw new Error('the first time');
        });
        return w.root(sequence([work, ...Array.from({ length: release }, () => note('on'))]));
      };
    const old = await node(1, workflow({ id: 'f' }, failsOnce(1)));
    const fresh = await node(2, workflow({ id: 'f' }, failsOnce(2)));
    const id = await start(fresh, 'f');
    expect((await fresh.instance(id)).status).toBe('Faulted');
    const retries = old.get(InstanceRetries);
    await expect(retries.retry(id)).rejects.toMatchObject({ code: 'WM2040' });
    const planId = await retries.submit([id]);
    await pass(10_000);
    expect(await old.get(BulkPlans).find(planId)).toMatchObject({ status: 'Completed', changed: 1, failed: 0 });
    expect((await fresh.instance(id)).status).toBe('Finished');
    expect(done).toEqual(['release 2', 'release 2', 'on', 'on']);
    expect(await persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });
});

describe('work for a version that a node lacks', () => {
  const V1 = workflow({ id: 'w' }, waitingFor('go', 1));
  const V2 = workflow({ id: 'w' }, waitingFor('go', 2));

  describe('beside a node that has it', () => {
    let old: TestApplication;
    let fresh: TestApplication;
    beforeAll(async () => {
      beginFleet();
      old = await node(1, V1);
      fresh = await node(2, V2);
    });
    afterAll(endFleet);

    it('is a resume that another node serves, immediately if it is running', async () => {
      const id = await start(fresh, 'w');
      const { resumed } = await old.get(IEventPublisher).publish('go');
      expect(resumed).toMatchObject([{ workflowInstanceId: id, subStatus: 'Suspended' }]);
      await pass(2000);
      expect((await fresh.instance(id)).status).toBe('Finished');
      expect(done).toEqual(['release 2', 'release 2']);
      expect(await persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
      expect(old.get(MissingCode).alarms).toEqual([]);
    });

    it('is a start by definition id, which runs the newest version that the node has', async () => {
      const id = await start(old, 'w');
      await old.get(IEventPublisher).publish('go');
      expect(await old.instance(id)).toMatchObject({ status: 'Finished' });
      expect(done).toEqual(['release 1']);
    });

    it('is a dispatched start, which keeps to the published version', async () => {
      const id = await old.get(IWorkflowDispatcher).dispatch({ definition: 'w' });
      await pass(3000);
      expect((await persistence.instances.load(id))?.version).toBe(2);
      await fresh.get(IEventPublisher).publish('go');
    });

    it('is a resume with a key of its own, of one instance', async () => {
      const id = await start(fresh, 'w');
      const [row] = await persistence.bookmarks.findMany({ workflowInstanceId: id });
      const result = await old.get(IBookmarkResumer).resumeById(row!.id);
      expect(result).toMatchObject({ workflowInstanceId: id, subStatus: 'Suspended' });
      await pass(2000);
      expect(done).toEqual(['release 2', 'release 2']);
    });
  });

  describe('without such a node', () => {
    useFleets();

    it('waits, uncounted and with an alarm, until there is one', async () => {
      const old = await node(1, V1);
      const fresh = await node(2, V2);
      const id = await start(fresh, 'w');
      await fresh.close();
      nodes = [old];
      const alarms: WorkflowCodeMissing[] = [];
      old.get(EventEmitter2).on(WorkflowEvent.CodeMissing, (alarm: WorkflowCodeMissing) => alarms.push(alarm));
      await old.get(IEventPublisher).publish('go');
      let claims = 0;
      const { outbox } = persistence;
      const claim = outbox.claim.bind(outbox);
      outbox.claim = async (options) => {
        const claimed = await claim(options);
        claims += claimed.length;
        return claimed;
      };
      await pass(50_000);
      expect(alarms).toEqual([]);
      expect(claims).toBe(0);
      await pass(20_000);
      expect(alarms).toMatchObject([
        { definitionId: 'w', version: 2, definitionVersionId: 'w:v2', missing: ['Inline1.run', 'Inline2.run'] },
      ]);
      expect(old.get(MissingCode).alarms).toEqual(alarms);
      // Tried once a minute, and never counted.
      await pass(600_000, 5000);
      expect(claims).toBeLessThan(15);
      expect(alarms).toHaveLength(1);
      expect(await outbox.count()).toEqual({ waiting: 1, deadLetters: 0 });
      expect((await old.instance(id)).status).toBe('Suspended');
      await node(2, V2);
      await pass(10_000);
      expect(done).toEqual(['release 2', 'release 2']);
      await pass(60_000);
      expect(old.get(MissingCode).alarms).toEqual([]);
    });
  });
});

describe('timers and children of a version that a node lacks', () => {
  useFleets();
  const delayed =
    (release: number): Build =>
    (w) =>
      w.root([
        activity(Delay, { timeSpan: '00:00:10' }),
        ...Array.from({ length: release }, () => note(`slept ${release}`)),
      ]);

  it('timers and children of a version that a node lacks fire on the node that has it', async () => {
    const fresh = await node(2, workflow({ id: 'w' }, delayed(2)));
    await node(1, workflow({ id: 'w' }, delayed(1)));
    await start(fresh, 'w');
    await pass(12_000);
    expect(done).toEqual(['slept 2', 'slept 2']);
  });

  it('timers and children of a version that a node lacks wait when none has it, and fire once when there is one', async () => {
    const fresh = await node(2, workflow({ id: 'w' }, delayed(2)));
    const id = await start(fresh, 'w');
    await fresh.close();
    nodes = [];
    const old = await node(1, workflow({ id: 'w' }, delayed(1)));
    await pass(90_000, 5000);
    expect(done).toEqual([]);
    expect((await old.instance(id)).status).toBe('Suspended');
    expect(old.get(MissingCode).alarms).toMatchObject([{ definitionId: 'w', missing: ['Inline1.run', 'Inline2.run'] }]);
    await node(2, workflow({ id: 'w' }, delayed(2)));
    await pass(40_000);
    expect(done).toEqual(['slept 2', 'slept 2']);
    expect((await old.instance(id)).incidents).toEqual([]);
  });

  const ticking =
    (release: number): Build =>
    (w) =>
      w.root([
        trigger(Timer, { interval: '00:00:05' }, { id: 'timer' }),
        ...Array.from({ length: release }, () => note(`tick ${release}`)),
      ]);

  it('timers and children of a version that a node lacks start on the node that has the published version', async () => {
    const old = await node(1, workflow({ id: 't' }, ticking(1)));
    await pass(5500);
    expect(done).toEqual(['tick 1']);
    await node(2, workflow({ id: 't' }, ticking(2)));
    done = [];
    await pass(10_000);
    expect(done).toEqual(['tick 2', 'tick 2', 'tick 2', 'tick 2']);
    expect(old.get(MissingCode).alarms).toEqual([]);
  });

  it.each([
    ['executed', ExecuteWorkflow],
    ['dispatched', DispatchWorkflow],
  ])('timers and children of a version that a node lacks are %s by the node that has them', async (_, type) => {
    const parent = workflow({ id: 'parent' }, (w) =>
      w.root([
        activity<ExecuteWorkflow>(type as never, { workflowDefinitionId: 'child', waitForCompletion: true }),
        note('parent'),
      ]),
    );
    const child = (release: number) =>
      workflow({ id: 'child' }, (w) => w.root(Array.from({ length: release }, () => note(`child ${release}`))));
    const old = await node(1, parent, child(1));
    await node(2, parent, child(2));
    const id = await start(old, 'parent');
    await pass(4000);
    expect(done).toEqual(['child 2', 'child 2', 'parent']);
    expect((await old.instance(id)).incidents).toEqual([]);
  });
});

describe('activities of a type that a node lacks', () => {
  useFleets();
  const V1 = workflow({ id: 'w' }, (w) => w.root([activity(Event, { eventName: 'go' })]));
  const V2 = workflow({ id: 'w' }, (w) =>
    w.root([activity(Event, { eventName: 'go' }), activity(Resize, {}, { id: 'small', runAsynchronously: true })]),
  );

  it('activities of a type that a node lacks run on the other one, in the background, too', async () => {
    const old = await node(1, V1);
    const fresh = await node(2, V2, Resize);
    const id = await start(fresh, 'w');
    await old.get(IEventPublisher).publish('go');
    await pass(5000);
    expect(done).toEqual(['resized by small']);
    expect(await fresh.instance(id)).toMatchObject({ status: 'Finished', incidents: [] });
  });
});

describe('a definition of JSON with an activity type that a node lacks', () => {
  useFleets();
  @Activity({ type: 'Fleet.Ring' })
  class Ring extends ActivityBase {
    execute(): void {
      done.push('rung');
    }
  }
  const ringing = {
    definitionId: 'ringing',
    root: sequenceOf('S', waitForEventAt('E', 'go'), { type: 'Fleet.Ring', id: 'ring' }),
  };

  it('continues on the release that has published it, and faults on no node', async () => {
    const old = await node(1);
    const fresh = await node(2, Ring);
    await fresh.deploy(ringing);
    const id = await start(fresh, 'ringing');
    const { resumed } = await old.get(IEventPublisher).publish('go');
    expect(resumed).toMatchObject([{ workflowInstanceId: id, subStatus: 'Suspended' }]);
    await pass(3000);
    expect(await fresh.instance(id)).toMatchObject({ status: 'Finished', incidents: [] });
    expect(done).toEqual(['rung']);
    expect(await persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('starts only on nodes with the type, and waits with an alarm if there are none', async () => {
    const fresh = await node(2, Ring);
    await fresh.deploy(ringing);
    await fresh.close();
    nodes = [];
    const old = await node(1);
    await expect(start(old, 'ringing')).rejects.toMatchObject({ code: 'WM2040' });
    const id = await old.get(IWorkflowDispatcher).dispatch({ definition: 'ringing' });
    await pass(70_000);
    expect(old.get(MissingCode).alarms).toMatchObject([{ definitionId: 'ringing', missing: ['Fleet.Ring'] }]);
    const again = await node(2, Ring);
    await pass(10_000);
    expect((await again.instance(id!)).status).toBe('Suspended');
  });

  it('faults on a release that has removed the type', async () => {
    const before = await node(1, Ring);
    await before.deploy(ringing);
    const id = await start(before, 'ringing');
    await before.close();
    nodes = [];
    const after = await node(2);
    await after.get(IEventPublisher).publish('go');
    await pass(1000);
    const { status, incidents } = await after.instance(id);
    expect([status, incidents]).toEqual(['Faulted', [expect.stringContaining('Fleet.Ring')]]);
  });
});

describe('functions of other code', () => {
  useFleets();
  const code =
    (...more: string[]): Build =>
    (w) =>
      w.root([
        activity(Event, { eventName: 'go' }, { id: 'wait' }),
        inline(() => void done.push(`with ${more.length} more`), { id: 'end' }),
        ...more.map((id) => inline(() => void done.push(id), { id })),
      ]);

  it('functions of other code serve old instances at steps with explicit ids', async () => {
    const old = await node(1, workflow({ id: 'w' }, code()));
    const id = await start(old, 'w');
    await old.close();
    nodes = [];
    const fresh = await node(2, workflow({ id: 'w' }, code('new')));
    await fresh.get(IEventPublisher).publish('go');
    // By the graph of its own version: the new step is no part of it.
    expect(done).toEqual(['with 1 more']);
    expect(await fresh.instance(id)).toMatchObject({ status: 'Finished', incidents: [] });
  });

  it('functions of other code do not serve old instances if they have an explicit version', async () => {
    const old = await node(1, workflow({ id: 'w', version: 1 }, code()));
    const id = await start(old, 'w');
    await old.close();
    nodes = [];
    const fresh = await node(2, workflow({ id: 'w', version: 2 }, code()));
    await fresh.get(IEventPublisher).publish('go');
    await pass(3000);
    expect(done).toEqual([]);
    expect((await fresh.instance(id)).status).toBe('Suspended');
    await fresh.close();
    nodes = [];
    await node(3, workflow({ id: 'w', version: 1 }, code()), workflow({ id: 'w', version: 2 }, code()));
    await pass(3000);
    expect(done).toEqual(['with 0 more']);
  });
});
