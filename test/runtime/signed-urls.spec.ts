import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Injectable } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { WorkflowApiModule, type WorkflowApiOptions } from '@waymark/api';
import {
  type UrlLifetime,
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  WorkflowModule,
} from '@waymark/nestjs';
import type { ActivityJson } from '@waymark/core';
import { VirtualClock } from '@waymark/testing';
import { sequence, waitFor } from '../support/runtime-node.js';

const HOUR = 3_600_000;
const T0 = '2026-01-01T00:00:00Z';
let urls: string[];
let lifetime: UrlLifetime | undefined;

@Injectable()
@Activity({ namespace: 'Test' })
class Ask extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    urls.push(ctx.resumeUrl(ctx.createBookmark({ callback: this.onAnswer }), lifetime));
  }

  onAnswer(ctx: ActivityExecutionContext<{ by?: string }>): unknown {
    ctx.setVariable('by', ctx.input.by);
    return ctx.complete();
  }
}

const ask: ActivityJson = { type: 'Test.Ask', id: 'Ask' };
const variables = [
  { id: 'v1', name: 'by', typeName: 'String', storageDriverTypeName: 'WorkflowInstanceStorageDriver' },
];
const script = (text: string) => ({ typeName: 'String', expression: { type: 'JavaScript', value: text } });

describe('signed URLs', () => {
  let clock: VirtualClock;
  let app: INestApplication;

  async function boot(options: WorkflowApiOptions = {}): Promise<void> {
    clock = new VirtualClock();
    const runtime = WorkflowModule.forRoot({ clock, pollIntervalMs: 24 * HOUR, scheduling: { enabled: false } });
    const imports = [runtime, WorkflowApiModule.forRoot(options)];
    const module = await Test.createTestingModule({ imports, providers: [Ask] }).compile();
    app = module.createNestApplication(new FastifyAdapter());
    app.useLogger(false);
    await app.listen(0, '127.0.0.1');
  }
  async function start(root: ActivityJson) {
    await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId: 'w', name: 'w', root });
    const client = await app.get(IWorkflowRuntime).createClient();
    const { incidents } = await client.createAndRunInstance({ definition: 'w' });
    return { client, incidents, subStatus: async () => (await client.exportState()).subStatus };
  }
  /** As the outside calls it, by way of a proxy that knows where `example.org` is. */
  const follow = async (url: string, init?: RequestInit) => {
    const local = url.replace('https://example.org', await app.getUrl());
    expect(local).not.toBe(url);
    const response = await fetch(local, init);
    return { status: response.status, text: await response.text() };
  };

  beforeEach(() => {
    urls = [];
    lifetime = undefined;
  });

  describe('of a host that has an address', () => {
    beforeAll(() => boot({ publicUrl: 'https://example.org/elsa/api/' }));
    beforeEach(() => clock.setTime(T0));
    afterAll(() => app.close());

    it('signed URLs resume their bookmark once, with their input', async () => {
      const waiting = await start({ ...sequence('S', ask, waitFor('E', 'never')), variables });
      const body = JSON.stringify({ input: { by: 'mia' } });
      const post = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      expect((await follow(urls[0]!, post)).status).toBe(200);
      const { bookmarks, activityExecutionContexts } = await waiting.client.exportState();
      expect(bookmarks.map((b) => b.activityId)).toEqual(['E']);
      expect(activityExecutionContexts.map((c) => c.properties.Variables)).toContainEqual({ v1: 'mia' });
      expect((await follow(urls[0]!, post)).status).toBe(200);
      expect((await waiting.client.exportState()).bookmarks).toEqual(bookmarks);
    });

    it.each<[UrlLifetime]>([
      ['1.00:00:00'],
      ['24:00:00'],
      ['1 day'],
      ['PT24H'],
      [24 * HOUR],
      [new Date('2026-01-02T00:00:00Z')],
      ['2026-01-02T00:00:00Z'],
    ])('signed URLs expire on time: %p', async (end) => {
      lifetime = end;
      const { subStatus } = await start(sequence('S', ask));
      await clock.setTime('2026-01-02T00:00:00Z');
      expect(await follow(urls[0]!)).toMatchObject({ status: 400, text: expect.stringContaining('Invalid token.') });
      expect(await subStatus()).toBe('Suspended');
      await clock.setTime('2026-01-01T23:59:59Z');
      expect((await follow(urls[0]!)).status).toBe(200);
      expect(await subStatus()).toBe('Finished');
    });

    it('cannot be changed', async () => {
      lifetime = '00:00:01';
      const { subStatus } = await start(sequence('S', ask));
      await clock.setTime(clock.now() + HOUR);
      const url = urls[0]!;
      const [head, body, signature] = [url.slice(0, url.lastIndexOf('.tl.')), ...url.split('.').slice(-2)] as [
        string,
        string,
        string,
      ];
      const text = Buffer.from(body, 'base64url').toString();
      const later = Buffer.from(text.replace(/"exp":\d+/, '"exp":9999999999999')).toString('base64url');
      expect(later).not.toBe(body);
      for (const forged of [
        `${head}.tl.${later}.${signature}`,
        `${head}.ne.${body}.${signature}`,
        `${head}.ne.${body}.`,
      ])
        expect(await follow(forged)).toMatchObject({ status: 400 });
      expect(await subStatus()).toBe('Suspended');
    });

    it.each([
      'createEventTriggerUrl("Paid", "01:00:00")',
      'createEventTriggerUrl("Paid", "1 hour")',
      'createEventTriggerUrl("Paid", TimeSpan.FromHours(1))',
      'createEventTriggerUrl("Paid", DateTime.UtcNow.AddHours(1))',
    ])('signed URLs publish events to the instance whose script made them: %s', async (text) => {
      const root = sequence('S', { type: 'Elsa.SetName', id: 'N', value: script(text) }, waitFor('E', 'Paid'));
      const [first, second] = [await start(root), await start(root)];
      const url = (await first.client.exportState()).name!;
      expect(url).toMatch(/^https:\/\/example\.org\/elsa\/api\/events\/trigger\?t=v1\.tl\./);
      expect((await follow(url)).status).toBe(200);
      expect([await first.subStatus(), await second.subStatus()]).toEqual(['Finished', 'Suspended']);
      await clock.setTime(clock.now() + HOUR);
      expect((await follow(url)).status).toBe(400);
    });

    it('signed URLs of scripts have lifetimes as .NET reads them: 24:00:00 is 24 days', async () => {
      const value = script('createEventTriggerUrl("Paid", "24:00:00")');
      const { client } = await start(sequence('S', { type: 'Elsa.SetName', id: 'N', value }, waitFor('E', 'Paid')));
      const url = (await client.exportState()).name!;
      await clock.setTime(clock.now() + 25 * HOUR);
      expect((await follow(url)).status).toBe(200);
    });

    it.each(['createEventTriggerUrl("")', 'createEventTriggerUrl(5)', 'createEventTriggerUrl("x", "soon")'])(
      'signed URLs are refused: %s',
      async (text) => {
        const { incidents } = await start(sequence('S', { type: 'Elsa.SetName', id: 'N', value: script(text) }));
        expect(incidents).toHaveLength(1);
      },
    );

    it.each(['soon', 'step 1', '2100-01-01T00:00:00+99:99'])(
      'signed URLs are refused with a lifetime %j',
      async (malformed) => {
        lifetime = malformed;
        const { incidents } = await start(sequence('S', ask));
        expect(incidents[0]!.exception?.metadata).toMatchObject({ code: 'WM2024' });
      },
    );
  });

  describe('of a host that has none', () => {
    afterEach(() => app.close());

    it('signed URLs of a host without an address are not made', async () => {
      await boot();
      const { incidents } = await start(sequence('S', ask));
      expect(incidents[0]!.exception?.metadata).toMatchObject({ code: 'WM2023' });
    });

    it('signed URLs of a host without an address need an address that is one', async () => {
      await expect(boot({ publicUrl: 'example.org' })).rejects.toThrow("'publicUrl' must be an http or https URL");
      await boot();
    });
  });
});
