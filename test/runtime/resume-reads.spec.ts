import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { WorkflowApiModule } from '@waymark/api';
import type { ActivityJson } from '@waymark/core';
import { IWorkflowDefinitionPublisher, IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';
import { IBookmarkResumer, IEventPublisher, MemoryPersistence, SignedUrls } from '@waymark/runtime';
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { line, literal, sequence, waitFor } from '../support/runtime-node.js';

const MINUTE = 60_000;
const PUBLIC_URL = 'https://example.org/elsa/api';

/** How often a resume asks the store, from what wakes the instance to its commit. */
describe('a resume', () => {
  let clock: VirtualClock;
  let calls: FaultPoints;
  let app: INestApplication;

  beforeEach(async () => {
    clock = new VirtualClock();
    calls = new FaultPoints();
    const persistence = withFaultPoints(new MemoryPersistence(), calls);
    const runtime = WorkflowModule.forRoot({
      clock,
      persistence,
      fanOutLimit: 1,
      pollIntervalMs: 2 ** 30,
      writeLine: () => undefined,
    });
    const imports = [runtime, WorkflowApiModule.forRoot({ publicUrl: PUBLIC_URL })];
    const module = await Test.createTestingModule({ imports }).compile();
    app = module.createNestApplication(new FastifyAdapter());
    app.useLogger(false);
    await app.listen(0, '127.0.0.1');
    await clock.advance(0);
  });
  afterEach(() => app.close());

  /** An instance that waits there, and what it waits at. */
  const startWaiting = async (waiting: ActivityJson) => {
    const root = sequence('Root', waiting, line('Then', 'on'));
    const { problems } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId: 'w', root });
    expect(problems).toEqual([]);
    const client = await app.get(IWorkflowRuntime).createClient();
    const { state } = await client.createAndRunInstance({ definition: 'w' });
    return {
      id: state.id,
      bookmarkId: state.bookmarks[0]!.id,
      subStatus: async () => (await client.exportState()).subStatus,
    };
  };
  /** Calls about bookmarks and instances, and commits, in their order. */
  const callsOf = async (task: () => Promise<unknown>): Promise<string[]> => {
    const before = calls.reached.length;
    await task();
    const made = calls.reached.slice(before).map((point) => point.split('#')[0]!);
    return made.filter((call) => /^(bookmarks|instances|commit)/.test(call));
  };

  it('a resume by a request reads the bookmark once: to find it', async () => {
    const path = { path: literal('in'), supportedMethods: literal('["GET"]', 'Object') };
    const { subStatus } = await startWaiting({ type: 'Elsa.HttpEndpoint', id: 'In', ...path });
    const made = await callsOf(async () => expect((await fetch(`${await app.getUrl()}/workflows/in`)).ok).toBe(true));
    expect(made).toEqual(['bookmarks.findMany', 'instances.load', 'commit']);
    expect(await subStatus()).toBe('Finished');
  });

  it('a resume by a timer does not read the bookmark that it has claimed', async () => {
    const { subStatus } = await startWaiting({
      type: 'Elsa.Delay',
      id: 'Wait',
      timeSpan: literal('00:01:00', 'TimeSpan'),
    });
    const made = await callsOf(() => clock.advance(MINUTE));
    expect(made.filter((call) => call !== 'bookmarks.claimDue')).toEqual(['instances.load', 'commit']);
    expect(await subStatus()).toBe('Finished');
  });

  it('a resume by a URL does not read the bookmark, whose instance is in the URL', async () => {
    const { id, bookmarkId, subStatus } = await startWaiting(waitFor('Wait', 'never'));
    const url = app
      .get(SignedUrls)
      .forBookmark(bookmarkId, id)
      .replace(PUBLIC_URL, `${await app.getUrl()}/elsa/api`);
    const follow = async () => expect((await fetch(url)).status).toBe(200);
    expect(await callsOf(follow)).toEqual(['instances.load', 'commit']);
    expect(await subStatus()).toBe('Finished');
    await follow();
  });

  it('a message of a fan-out does not read the bookmark, whose instance is in the message', async () => {
    const waiting = await startWaiting(waitFor('Wait', 'go'));
    const client = await app.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'w' });
    // One more than the sender resumes itself.
    const made = await callsOf(async () => {
      const { resumed, handedOver } = await app.get(IEventPublisher).publish('go');
      expect([resumed.length, handedOver]).toEqual([1, 1]);
      await app.get(OutboxProcessor).settled();
    });
    expect(made.filter((call) => call === 'bookmarks.findMany')).toHaveLength(1);
    expect(made.filter((call) => call === 'instances.load')).toHaveLength(2);
    expect(await waiting.subStatus()).toBe('Finished');
    expect((await client.exportState()).subStatus).toBe('Finished');
  });

  it('a resume of an instance that is gone, or of another one, finds no instance that waits at the bookmark', async () => {
    const { id, bookmarkId, subStatus } = await startWaiting(waitFor('Wait', 'never'));
    const resume = (workflowInstanceId: string | undefined) =>
      app.get(IBookmarkResumer).resumeById(bookmarkId, { workflowInstanceId });
    await expect(resume('another')).rejects.toMatchObject({ code: 'WM3004', bookmarkId });
    expect(await subStatus()).toBe('Suspended');
    await resume(id);
    for (const known of [id, undefined])
      await expect(resume(known)).rejects.toMatchObject({ code: 'WM3004', bookmarkId });
  });
});
