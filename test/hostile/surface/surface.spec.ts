import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { mountElsaStudio, WorkflowApiModule } from '@waymark/api';
import { IWorkflowDefinitionPublisher, WorkflowModule } from '@waymark/nestjs';
import { MemoryPersistence } from '@waymark/runtime';
import { StudioModule } from '@waymark/studio';
import { endpoint, flag, methods } from '../../http/http-node.js';
import { pairsOf } from '../../support/pairs.js';
import { sequence, waitFor } from '../../support/runtime-node.js';

/** What no answer may have. */
const HIDDEN = 'hidden-from-all-clients';
const KEY = 'k'.repeat(40);
const STREAMS = 20;
const FORGED = ['evil.example', '//evil.example', 'evil.example, proxy', '127.0.0.1:1', 'a\tb', '"><script>', ''];

/** Spellings of ways out of a folder. */
const WAYS_OUT = [
  '..',
  '%2e%2e',
  '%2E.',
  '..%2f..',
  '..%5c..',
  '..\\..',
  '%252e%252e',
  '%c0%ae%c0%ae',
  './..',
  '..;',
  '.%00.',
  '....',
  '..%ff',
];

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('what strangers reach (%p)', (Adapter) => {
  let app: INestApplication;
  let folder: string;
  let port: number;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-surface-'));
    const studio = path.join(folder, 'studio');
    mkdirSync(path.join(studio, '_content'), { recursive: true });
    mkdirSync(path.join(studio, 'assets'));
    for (const file of ['secret.js', 'studio/package.json', 'studio/_content/.secret.js', 'studio/.secret.js'])
      writeFileSync(path.join(folder, file), HIDDEN);
    for (const file of ['_content/a.js', 'assets/a-1.js']) writeFileSync(path.join(studio, file), 'open');
    writeFileSync(path.join(studio, 'index.html'), '<p>the page</p>');
    const module = await Test.createTestingModule({
      imports: [
        WorkflowModule.forRoot({ persistence: new MemoryPersistence(), writeLine: () => undefined }),
        WorkflowApiModule.forRoot({
          authentication: { apiKeys: [KEY], signingKey: KEY },
          liveClients: STREAMS,
          publicUrl: 'https://public.example/elsa/api',
        }),
        StudioModule.forRoot(),
      ],
    })
      .overrideProvider(Symbol.for('@waymark/studio:folder'))
      .useValue(studio)
      .compile();
    app = module.createNestApplication(new Adapter() as FastifyAdapter);
    app.useLogger(false);
    mountElsaStudio(app, { folder: studio });
    await app.listen(0, '127.0.0.1');
    ({ port } = app.getHttpServer().address() as { port: number });
    const asked = endpoint('later', { ...methods('POST'), respondAsync: flag(true) });
    const root = sequence('Root', asked, waitFor('Wait', 'never'));
    expect(
      (await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId: 'later', root })).problems,
    ).toEqual([]);
  });
  afterAll(async () => {
    app.getHttpServer().closeAllConnections();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As bytes: clients would tidy the path. */
  const raw = (head: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1');
      let heard = '';
      socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
      socket.on('close', () => resolve(heard)).on('error', reject);
      socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    });
  const get = (target: string) => raw(`GET ${target} HTTP/1.1\r\nHost: localhost`);

  it.each(['/studio', '/elsa-studio'])(
    'files of %s do not lead out of their folder, nor to what is not served',
    async (base) => {
      const own = base === '/studio' ? 'assets/a-1.js' : '_content/a.js';
      expect(await get(`${base}/${own}`)).toMatch(/^HTTP\/1.1 200 [^]*open$/);
      const targets = WAYS_OUT.flatMap((way) => [
        `${base}/${way}/secret.js`,
        `${base}/_content/${way}/${way}/secret.js`,
        `${base}/assets/${way}/${way}/secret.js`,
        `${base}/_content/${way}/package.json`,
      ]);
      const hidden = ['.secret.js', '_content/.secret.js', ...(base === '/studio' ? [] : ['package.json'])];
      for (const target of [...targets, ...hidden.map((name) => `${base}/${name}`)]) {
        const answer = await get(target);
        expect([target, answer.includes(HIDDEN), /^HTTP\/1.1 5(?!03)/.test(answer)]).toEqual([target, false, false]);
      }
    },
  );

  it.each(['/studio', '/elsa-studio'])(
    'pages of %s are framed by no other site, and their base stays here',
    async (base) => {
      const answer = await get(`${base}${base === '/studio' ? '' : '/'}`);
      const policy = /content-security-policy: (.*)/i.exec(answer)?.[1] ?? '';
      for (const rule of ["frame-ancestors 'self'", "form-action 'self'", 'base-uri ']) expect(policy).toContain(rule);
      expect(policy).not.toContain('base-uri *');
    },
  );

  it('headers of a proxy that is not there do not reach what is generated', async () => {
    for (const forged of FORGED.filter((value) => value !== '')) {
      const names = [
        'X-Forwarded-Host',
        'X-Forwarded-Proto',
        'X-Forwarded-Prefix',
        'X-Forwarded-For',
        'Forwarded',
        'X-Original-URL',
      ];
      const headers = [...names.map((name) => `${name}: ${forged}`), 'Content-Length: 0'].join('\r\n');
      const answer = await raw(`POST /workflows/later HTTP/1.1\r\nHost: evil.example\r\n${headers}`);
      expect(answer).toMatch(/^HTTP\/1.1 202 /);
      expect(answer).toMatch(/\r\nlocation: \/workflows\/~requests\/[\w-]+\.[\w-]+\r\n/i);
      expect(answer).not.toContain('evil.example');
    }
  });

  it('paths with two slashes lead to no other host', async () => {
    for (const target of [
      '//evil.example/workflows/later',
      '/workflows//evil.example',
      'http://evil.example/workflows/later',
    ]) {
      const answer = await raw(`POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0`);
      const location = /\r\nlocation: (.*)\r\n/i.exec(answer)?.[1];
      if (location !== undefined) expect([target, location]).toEqual([target, expect.stringMatching(/^\/workflows\//)]);
    }
  });

  const stream = async (headers: Record<string, string> = {}) => {
    const leaving = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/elsa/api/events/stream`, {
      headers: { authorization: `ApiKey ${KEY}`, ...headers },
      signal: leaving.signal,
    });
    return { answer, leave: () => leaving.abort() };
  };

  it.each([
    '',
    '0.0.0',
    '9007199254740991.9007199254740991.9007199254740991',
    '1e999.0.0',
    '-1.-1.-1',
    '0x10.0b1.0',
    'NaN.Infinity.1',
    '1.2.3.4',
    '__proto__',
    "' OR 1=1 --",
    '1'.repeat(10_000),
  ])('a forged Last-Event-ID starts a stream, or makes the client read everything again: %s', async (id) => {
    const { answer, leave } = await stream({ 'last-event-id': id });
    expect(answer.status).toBe(200);
    const { value } = await answer.body!.getReader().read();
    expect(Buffer.from(value!).toString()).toContain('event: ready');
    leave();
  });

  it('clients of streams that come and go leave none behind, and those beyond the limit are refused', async () => {
    for (let round = 0; round < 3; round++) {
      const all = await Promise.all(Array.from({ length: 3 * STREAMS }, () => stream()));
      const statuses = all.map(({ answer }) => answer.status);
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(STREAMS);
      for (const { leave } of all) leave();
      // A further one finds a place once the server has noticed.
      for (let isIn = false; !isIn;) {
        const { answer, leave } = await stream();
        isIn = answer.status === 200;
        leave();
      }
    }
  });
});
