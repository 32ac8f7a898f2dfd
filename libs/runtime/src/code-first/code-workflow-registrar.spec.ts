import { Logger } from '@nestjs/common';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  Activity,
  activity,
  ActivityBase,
  flowchart,
  flowJoin,
  forEach,
  ifElse,
  inline,
  Input,
  sequence,
  setOutput,
  setVariable,
  trigger,
  type WorkflowDefinitionBuilder,
  writeLine,
} from '@waymark/core';
import { toInstanceRecord } from '../persistence/records.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { CODE_PROPERTY } from '../definitions/code-version-facts.js';
import { CodeFirstNode } from './testing/code-first-test.js';
import { ACTIVITIES, Arrived, forgetStructures, node, Wait, workflow } from './testing/code-samples.js';
import { Workflow, type WorkflowBuilder } from './workflow-decorator.js';

const V1 = workflow({ id: 'sample' }, (w) => w.root([activity(Wait), writeLine('after'), writeLine(() => 'one')]));
const V2 = workflow({ id: 'sample' }, (w) =>
  w.root([activity(Wait), writeLine('after'), writeLine(() => 'two'), writeLine(() => 'three')]),
);

beforeAll(() => Logger.overrideLogger(false));

it('has no revision that a deleted version of its id has had: other nodes keep definitions by both', async () => {
  const { persistence } = await node().start(V1);
  for (const [first, ...rest] of [[V2], [workflow({ id: 'other' }, (w) => w.root(writeLine('x'))), V2]]) {
    const before = (await persistence.definitions.find({ id: 'sample:v1' }))!;
    const removedTriggerIds = (await persistence.triggers.findMany({})).map(({ id }) => id);
    await persistence.definitions.apply({ saved: [], deletedIds: [before.id], addedTriggers: [], removedTriggerIds });
    await node(persistence).start(first!, ...rest);
    expect((await persistence.definitions.find({ id: before.id }))!.revision).toBeGreaterThan(before.revision);
  }
});

describe('a workflow class', () => {
  it('is stored as a published, read-only version', async () => {
    @Workflow({ description: 'Shows everything.', isSystem: true })
    class LeaveApproval implements WorkflowBuilder {
      async build(w: WorkflowDefinitionBuilder): Promise<void> {
        w.variable('days', { default: 3 });
        w.customProperties({ owner: 'hr' }).root(writeLine(() => 'x'));
      }
    }
    const { persistence, published } = await node().start(LeaveApproval);
    const stored = await persistence.definitions.find({ definitionId: 'LeaveApproval' });
    expect(stored).toMatchObject({
      id: 'LeaveApproval:v1',
      version: 1,
      name: 'Leave Approval',
      description: 'Shows everything.',
      createdAt: new Date(Date.UTC(2026, 0, 1)),
      isLatest: true,
      isPublished: true,
      isReadonly: true,
      isSystem: true,
      materializerName: 'CLR',
      providerName: 'CLR',
      variables: [{ name: 'days' }],
      customProperties: {
        owner: 'hr',
        [CODE_PROPERTY]: { fingerprint: expect.stringMatching(/^[0-9A-F]{64}$/), uses: {} },
      },
      root: {
        type: 'Elsa.WriteLine',
        text: {
          expression: {
            type: 'Delegate',
            value: { $function: expect.stringMatching(/^WriteLine1\.text#[0-9A-F]{16}$/) },
          },
        },
      },
    });
    expect(published).toEqual(['LeaveApproval:v1']);
  });

  it('is not written again while it stays the same', async () => {
    const first = await node().start(V1);
    const counter = await first.persistence.definitions.changeCounter();
    const second = await node(first.persistence).start(V1);
    expect(await first.persistence.definitions.changeCounter()).toBe(counter);
    expect(second.published).toEqual([]);
    const { state } = await second.run('sample:v1');
    expect(state.subStatus).toBe('Suspended');
  });

  it('is recognised by every release: what is written for the same code never changes', async () => {
    const { persistence } = await node().start(
      workflow({ id: 'fixed', name: 'Fixed' }, (w) => {
        const order = w.input<{ id: string }>('order');
        const place = w.variable('place', { default: 'berlin' });
        const done = w.output<string>('done');
        const arrived = trigger(Arrived, { place });
        const join = flowJoin('WaitAll');
        w.options({ activation: 'Singleton' }).root(
          flowchart((flow) => {
            flow.start(arrived).next(ifElse(true, [writeLine('a'), setOutput(done, place)]), join);
            flow.from(arrived).next(
              forEach(['x'], (item) => setVariable(place, item)),
              join,
            );
            flow.from(join).next(activity('App.Wait', {}, { displayText: order.name }));
          }),
        );
      }),
    );
    const stored = await persistence.definitions.find({ definitionId: 'fixed' });
    expect(stored?.customProperties[CODE_PROPERTY]).toMatchObject({
      fingerprint: '2C9E2F7E1CE02B30F762BBFB91913091FA6DF3449CDA030412D52A09C8058E2C',
    });
  });

  it('becomes the next version when its structure changes', async () => {
    const { persistence } = await node().start(V1);
    const second = await node(persistence).start(V2);
    expect(await second.versions('sample')).toEqual(['v1', 'v2 published latest']);
    expect(second.published).toEqual(['sample:v2']);
  });

  it('is the same version when only the body of a function changes', async () => {
    const code = (text: string) =>
      workflow({ id: 'body' }, (w) => w.root([activity(Wait), writeLine(() => text.trim())]));
    const old = await node().start(code('one'));
    const { stored } = await old.run('body:v1');
    const fresh = await node(old.persistence).start(code('two '));
    expect(await fresh.versions('body')).toEqual(['v1 published latest']);
    await fresh.run('body:v1', stored);
    expect(fresh.lines).toEqual(['two']);
  });

  it('is the version that a build before structures has stored', async () => {
    const first = await node().start(V1);
    await forgetStructures(first.persistence);
    const counter = await first.persistence.definitions.changeCounter();
    // By another compiler: what that build compared is different.
    const again = workflow({ id: 'sample' }, (w) =>
      w.root([
        activity(Wait),
        writeLine('after'),
        writeLine(function () {
          return 'one';
        }),
      ]),
    );
    const { stored } = await first.run('sample:v1');
    const second = await node(first.persistence).start(again);
    expect(await first.persistence.definitions.changeCounter()).toBe(counter);
    const { state } = await second.run('sample:v1', stored);
    expect(state.subStatus).toBe('Finished');
    expect(second.lines).toEqual(['after', 'one']);
    const third = await node(first.persistence).start(V2);
    expect(await third.versions('sample')).toEqual(['v1', 'v2 published latest']);
  });

  it('is published again as it was when a newer deployment has its code', async () => {
    const of = (order: number, persistence?: MemoryPersistence) =>
      new CodeFirstNode(persistence, ACTIVITIES, { deployment: { id: `d${order}`, order } });
    const { persistence } = await of(1).start(V1);
    await of(2, persistence).start(V2);
    const rolledBack = await of(3, persistence).start(V1);
    expect(await rolledBack.versions('sample')).toEqual(['v1 published', 'v2 latest']);
    // Those of the deployments before are restarted.
    await of(2, persistence).start(V2);
    const old = await of(1, persistence).start(V1);
    expect(await old.versions('sample')).toEqual(['v1 published', 'v2 latest']);
    const forward = await of(4, persistence).start(V2);
    expect(await forward.versions('sample')).toEqual(['v1', 'v2 published latest']);
  });

  it('is not published by an older deployment over one that left it as it was', async () => {
    const of = (order: number, persistence?: MemoryPersistence) =>
      new CodeFirstNode(persistence, ACTIVITIES, { deployment: { id: `d${order}`, order } });
    const { persistence } = await of(1).start(V1);
    await of(3, persistence).start(V1);
    const late = await of(2, persistence).start(V2);
    expect(await late.versions('sample')).toEqual(['v1 published', 'v2 latest']);
    expect(late.published).toEqual([]);
    // Its instances run all the same.
    const { state } = await late.run('sample:v2');
    expect(state.subStatus).toBe('Suspended');
  });

  it('stays published when an older node is restarted that states no deployment, which says so', async () => {
    const { persistence } = await node().start(V1);
    await node(persistence).start(V2);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const old = await node(persistence).start(V1);
    expect(await old.versions('sample')).toEqual(['v1', 'v2 published latest']);
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/this node has version 1, and version 2 stays published.*'order'/),
      ]),
    );
    warn.mockRestore();
  });

  it('is stored once by nodes that start together', async () => {
    const persistence = new MemoryPersistence();
    const { definitions } = persistence;
    const apply = definitions.apply.bind(definitions);
    // Each lets the others read before it writes.
    definitions.apply = (change) => new Promise((done) => setImmediate(done)).then(() => apply(change));
    const nodes = await Promise.all([V1, V1, V1, V2].map((code) => node(persistence).start(code)));
    const { items } = await definitions.findMany({ definitionId: 'sample' });
    expect(items).toHaveLength(2);
    expect(items.filter((d) => d.isPublished)).toHaveLength(1);
    expect(items.filter((d) => d.isLatest).map((d) => d.version)).toEqual([2]);
    for (const { id } of items) await expect(nodes[0]!.definitions.graph(id)).resolves.toBeDefined();
  });

  it('takes over a definition that was made by other means', async () => {
    const { persistence } = await node().start(V1);
    const { revision, ...stored } = (await persistence.definitions.find({ id: 'sample:v1' }))!;
    const imported = {
      ...stored,
      id: 'json',
      version: 7,
      materializerName: 'Json',
      customProperties: {},
      isReadonly: false,
    };
    await persistence.definitions.apply({
      saved: [{ definition: imported, expectedRevision: undefined }],
      deletedIds: [stored.id],
      addedTriggers: [],
      removedTriggerIds: [],
    });
    expect(revision).toBe(1);
    const next = await node(persistence).start(V1);
    expect(await next.versions('sample')).toEqual(['v7', 'v8 published latest']);
  });
});

describe('versions in @Workflow', () => {
  const versioned = (version: number, text: string) =>
    workflow({ id: 'numbered', version }, (w) => w.root(sequence([activity(Wait), writeLine(text)])));

  it('versions in @Workflow are kept, and refused when the content changed (WM1211)', async () => {
    const { persistence } = await node().start(versioned(4, 'a'));
    expect(await node(persistence).versions('numbered')).toEqual(['v4 published latest']);
    await expect(node(persistence).start(versioned(4, 'b'))).rejects.toMatchObject({
      code: 'WM1211',
      definitionId: 'numbered',
      nextVersion: 5,
    });
    const raised = await node(persistence).start(versioned(5, 'b'));
    expect(await raised.versions('numbered')).toEqual(['v4', 'v5 published latest']);
  });

  it('versions in @Workflow are not published over a higher one, unless by a newer deployment', async () => {
    const { persistence } = await node().start(versioned(5, 'b'));
    const old = await node(persistence).start(versioned(4, 'a'));
    expect(await old.versions('numbered')).toEqual(['v4', 'v5 published latest']);
    const back = new CodeFirstNode(persistence, ACTIVITIES, { deployment: { id: 'back', order: 1 } });
    expect(await (await back.start(versioned(4, 'a'))).versions('numbered')).toEqual(['v4 published', 'v5 latest']);
    // It may be one of before.
    await node(persistence).start(versioned(5, 'b'));
    expect(await back.versions('numbered')).toEqual(['v4 published', 'v5 latest']);
  });

  it('versions in @Workflow stand side by side, the highest published', async () => {
    const both = await node().start(versioned(2, 'b'), versioned(1, 'a'));
    expect(await both.versions('numbered')).toEqual(['v1', 'v2 published latest']);
  });

  it('must differ (WM1212)', async () => {
    await expect(node().start(versioned(1, 'a'), versioned(1, 'b'))).rejects.toMatchObject({ code: 'WM1212' });
    await expect(node().start(V1, V2, V1)).rejects.toMatchObject({ code: 'WM1212', classNames: ['Sample', 'Sample'] });
  });
});

describe('instances of an older version', () => {
  it('instances of an older version stay on it, and continue with the unchanged code', async () => {
    const old = await node().start(V1);
    const { stored } = await old.run('sample:v1');
    const fresh = await node(old.persistence).start(
      workflow({ id: 'sample' }, (w) =>
        w.root([activity(Wait), writeLine('changed'), writeLine(() => 'one'), writeLine('added')]),
      ),
    );
    const { state } = await fresh.run('sample:v1', stored);
    expect(fresh.lines).toEqual(['after', 'one']);
    expect(state).toMatchObject({ definitionVersion: 1, subStatus: 'Finished' });
  });

  it('instances of an older version are stopped by a function that is gone (WM2012), and retried when it is back', async () => {
    const old = await node().start(V1);
    const { stored } = await old.run('sample:v1');
    const fresh = await node(old.persistence).start(V2);
    const stopped = await fresh.run('sample:v1', stored);
    expect(stopped.state).toMatchObject({ subStatus: 'Faulted', definitionVersionId: 'sample:v1' });
    expect(stopped.state.incidents).toMatchObject([
      {
        activityId: 'WriteLine2',
        exception: { metadata: { code: 'WM2001' }, innerException: { metadata: { code: 'WM2012' } } },
      },
    ]);
    expect(stopped.state.incidents[0]!.message).toContain(
      "The function 'WriteLine2.text' of version 1 of workflow 'sample' is not loaded",
    );
    const back = await node(old.persistence).start(V1);
    const repaired = await back.run('sample:v1', stopped.stored, (wec) => {
      wec.reopen();
      const [faulted] = wec.faultedContexts();
      wec.queue.add({ node: faulted!.node, existing: faulted! });
    });
    expect(back.lines).toEqual(['one']);
    expect(repaired.state.subStatus).toBe('Finished');
  });

  it('instances of an older version are stopped by an Inline that is gone (WM2012), without harm to other branches where incidents are allowed', async () => {
    const code = (...runs: (() => unknown)[]) =>
      workflow({ id: 'inline' }, (w) =>
        w.options({ incidents: 'ContinueWithIncidents' }).root([activity(Wait), ...runs.map((run) => inline(run))]),
      );
    const old = await node().start(code(() => 1));
    const { stored } = await old.run('inline:v1');
    const fresh = await node(old.persistence).start(
      code(
        () => 2,
        () => 3,
      ),
    );
    const { state } = await fresh.run('inline:v1', stored);
    expect(state).toMatchObject({ status: 'Running', subStatus: 'Suspended' });
    expect(state.incidents).toMatchObject([{ activityId: 'Inline1', exception: { metadata: { code: 'WM2012' } } }]);
  });

  it('instances of an older version are reported when the node starts', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const old = await node().start(V1);
    const { state } = await old.run('sample:v1');
    await old.persistence.commit({
      instance: toInstanceRecord(state),
      expectedRevision: undefined,
      addedBookmarks: [],
      removedBookmarkIds: [],
      consumedBookmarkIds: [],
      journal: { log: [], records: [] },
      outbox: [],
      consumedMessageIds: [],
      queue: [],
      consumedQueueItemIds: [],
    });
    await node(old.persistence).start(V2);
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual([
      expect.stringMatching(
        /'sample', version 1, has 1 running instance .* not loaded: WriteLine2\.text\. Its work is left to nodes that have them\./,
      ),
    ]);
    warn.mockClear();
    await node(old.persistence).start();
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual(
      expect.arrayContaining([expect.stringMatching(/version 2 \(published\), has 0 running/)]),
    );
    warn.mockRestore();
  });
});

describe('workflows that keep values encrypted', () => {
  @Activity()
  class Pay extends ActivityBase {
    @Input({ type: 'String', isEncrypted: true }) card: string;
    execute(): void {}
  }
  const byVariable = workflow({ id: 'by-variable' }, (w) => {
    w.variable('iban', { storage: 'encrypted' });
    w.root(writeLine('x'));
  });
  const byActivity = workflow({ id: 'by-activity' }, (w) => w.root(activity(Pay, { card: '4242' })));
  const plain = workflow({ id: 'plain' }, (w) => w.root(writeLine('x')));
  const encryption = { keys: { keys: () => [{ id: 'k1', key: new Uint8Array(32) }] } };

  it('workflows that keep values encrypted are named in a warning on a node without keys, and only there', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const persistence = new MemoryPersistence();
    await new CodeFirstNode(persistence, [Pay], { encryption }).start(byVariable, byActivity, plain);
    expect(warn).not.toHaveBeenCalled();
    await new CodeFirstNode(persistence, [Pay]).start(byVariable, byActivity, plain);
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual([
      expect.stringMatching(/no keys: 'by-variable', 'by-activity'\..* WM3043 .*'encryption'/),
    ]);
    warn.mockRestore();
  });
});

it('a class that fails while it describes its workflow is named in the log', async () => {
  const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
  const Broken = workflow({ id: 'broken' }, () => {
    throw new TypeError("Cannot read properties of undefined (reading 'address')");
  });
  await expect(node().start(Broken)).rejects.toThrow(/address/);
  expect(log.mock.calls.map(([line]) => String(line))).toEqual([
    expect.stringMatching(/^Workflow "broken" \(class \w+\) cannot be built\.$/),
  ]);
});
