import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type HttpRequest, webhookSignature, type WorkflowModuleOptions } from '@waymark/nestjs';
import { MemoryPersistence, WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../support/pairs.js';
import { literal, waitFor } from '../support/runtime-node.js';
import { endpoint, type HttpNode, methods, respond, startHttpNode } from './http-node.js';

const SECRETS: Record<string, string> = { hook: 'It is a Secret to Everybody', old: 'the one before' };
const NOW_S = Date.parse('2026-01-01T00:00:00Z') / 1000;
const hmac = (text: string, key = SECRETS.hook!, algorithm = 'sha256') => createHmac(algorithm, key).update(text);

/** What senders send for a body, at a time. */
const STYLES = {
  github: (body: string) => ({ 'X-Hub-Signature-256': `sha256=${hmac(body).digest('hex')}` }),
  stripe: (body: string, t: number) => ({
    'Stripe-Signature': `t=${t},v1=${'0'.repeat(64)},v1=${hmac(`${t}.${body}`).digest('hex')},v0=abc`,
  }),
  slack: (body: string, t: number) => ({
    'X-Slack-Request-Timestamp': String(t),
    'X-Slack-Signature': `v0=${hmac(`v0:${t}:${body}`).digest('hex')}`,
  }),
  generic: (body: string, t: number) => ({
    'X-Signature-Timestamp': String(t),
    'X-Signature': hmac(`${t}.${body}`).digest('hex'),
  }),
} as const;

type Policy = Parameters<typeof webhookSignature>[0];
type Style = keyof typeof STYLES;

/** Of one node, by the path of their endpoint. */
const POLICIES: Record<string, Policy> = {
  ...Object.fromEntries(Object.keys(STYLES).map((style) => [style, { style: style as Style, secret: 'hook' }])),
  ...Object.fromEntries(
    Object.keys(STYLES).map((style) => [
      `${style}-within-a-minute`,
      { style: style as Style, secret: 'hook', toleranceMs: 60_000 },
    ]),
  ),
  acme: {
    secret: 'hook',
    header: 'X-Acme',
    prefix: 'sig=',
    algorithm: 'sha512',
    encoding: 'base64',
    timestampHeader: false,
  },
  replaced: { style: 'github', secret: ['hook', 'old'] },
};

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('signatures of webhooks (%p)', (Adapter) => {
  const nodes: HttpNode[] = [];
  let node: HttpNode;
  beforeAll(async () => void (node = await start(POLICIES)));
  afterAll(() => Promise.all(nodes.map(({ app }) => app.close())));

  /** A node with an endpoint for each policy. */
  async function start(policies: Record<string, Policy>, more: WorkflowModuleOptions = {}): Promise<HttpNode> {
    const made = Object.entries(policies).map(([name, policy]) => [name, webhookSignature(policy)] as const);
    const started = await startHttpNode(new Adapter() as FastifyAdapter, new MemoryPersistence(), {
      secrets: [{ find: (name) => SECRETS[name] }],
      ...more,
      http: { policies: Object.fromEntries(made), ...more.http },
    });
    nodes.push(started);
    for (const name of Object.keys(policies)) {
      const signed = endpoint(name, { ...methods('POST'), policy: literal(name) });
      await started.publish(name, [signed, respond('taken')]);
    }
    return started;
  }
  const post = (path: string, body: string, headers: Record<string, string>, to = node) =>
    to.call('POST', path, { body, headers: { 'content-type': 'application/json', ...headers } });
  const outcome = async (path: string, body: string, headers: Record<string, string>, to = node) => {
    const answer = await post(path, body, headers, to);
    if (answer.status === 200) return answer.text;
    const { code, message } = answer.json;
    return `${answer.status} ${code} ${/ is (.*?)\./.exec(message)![1]}`;
  };
  const count = (definitionId: string, on = node) =>
    on.get(WorkflowPersistence).instances.count({ definitionIds: [definitionId] });

  it.each(Object.entries(STYLES))('webhooks of %s accept requests that are signed correctly', async (style, sign) => {
    // Spaces and order are part of what is signed.
    const body = '{ "b": 1,\n "a":"ü" }';
    expect(await outcome(style, body, sign(body, NOW_S))).toBe('taken');
    const refused = '401 WM5047 not valid';
    expect(await outcome(style, '{"b":1,"a":"ü"}', sign(body, NOW_S))).toBe(refused);
    expect(await outcome(style, body, sign(`${body} `, NOW_S))).toBe(refused);
    expect(await outcome(style, body, {})).toBe('401 WM5047 missing');
    expect(await count(style)).toBe(1);
  });

  it.each(['stripe', 'slack', 'generic'] as const)(
    'signatures of webhooks of %s end with their time',
    async (style) => {
      const path = `${style}-within-a-minute`;
      const sign = STYLES[style];
      for (const [t, expected] of [
        [NOW_S - 60, 'taken'],
        [NOW_S + 60, 'taken'],
        [NOW_S - 61, '401 WM5047 too old or too new'],
        [NOW_S + 61, '401 WM5047 too old or too new'],
      ] as const)
        expect(await outcome(path, '{}', sign('{}', t))).toBe(expected);
      // The time is part of what is signed.
      const old = sign('{}', NOW_S - 3600);
      const moved = Object.fromEntries(
        Object.entries(old).map(([name, value]) => [name, value.replace(String(NOW_S - 3600), String(NOW_S))]),
      );
      expect(await outcome(path, '{}', moved)).toBe('401 WM5047 not valid');
    },
  );

  it('signatures of other senders are configurable', async () => {
    const signed = `sig=${hmac('{}', SECRETS.hook, 'sha512').digest('base64')}`;
    expect(await outcome('acme', '{}', { 'X-Acme': signed })).toBe('taken');
    expect(await outcome('acme', '{}', { 'X-Acme': signed.slice(4) })).toBe('401 WM5047 missing');
    const other = `sig=${hmac('{}').digest('base64')}`;
    expect(await outcome('acme', '{}', { 'X-Acme': other })).toBe('401 WM5047 not valid');
  });

  it('may be of one of several secrets, while one is replaced', async () => {
    const signedWith = (key: string | undefined) => ({
      'X-Hub-Signature-256': `sha256=${hmac('{}', key).digest('hex')}`,
    });
    expect(await outcome('replaced', '{}', signedWith(SECRETS.old))).toBe('taken');
    expect(await outcome('replaced', '{}', signedWith('guess'))).toBe('401 WM5047 not valid');
  });

  it('signatures of webhooks are checked before the body is parsed, and within its size limit', async () => {
    const policies = { signed: webhookSignature({ style: 'github', secret: 'hook' }) };
    const narrow = await start({ signed: POLICIES.github! }, { http: { policies, defaultBodyBytes: 100 } });
    const broken = '{"never": ends';
    const wrong = { 'X-Hub-Signature-256': 'sha256=00' };
    expect(await outcome('signed', broken, wrong, narrow)).toBe('401 WM5047 not valid');
    expect((await post('signed', `"${'x'.repeat(100)}"`, STYLES.github(''), narrow)).status).toBe(413);
    expect(await outcome('signed', '', STYLES.github(''), narrow)).toBe('taken');
  });

  it('signatures of webhooks that are missing are noticed before the body is read', async () => {
    const socket = connect(node.port, '127.0.0.1');
    socket.write(
      'POST /workflows/github HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\nContent-Type: text/plain\r\n\r\nfirst',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
  });

  it('signatures of webhooks over long bodies are checked in turns with other requests', async () => {
    const body = 'x'.repeat(9_000_000);
    expect(await outcome('replaced', body, STYLES.github(body))).toBe('taken');
    expect(await outcome('replaced', body, STYLES.github(`${body}y`))).toBe('401 WM5047 not valid');
    const keys = [SECRETS.hook!, SECRETS.old!];
    const request = { header: () => `sha256=${hmac(body).digest('hex')}` } as unknown as HttpRequest;
    let turns = 0;
    const count = (): void => void (turns++, (next = setImmediate(count)));
    let next = setImmediate(count);
    const fault = await webhookSignature({ style: 'github', secret: ['hook', 'old'] }).faultOf(
      request,
      Buffer.from(body),
      keys,
      0,
    );
    clearImmediate(next);
    expect([fault, turns >= 3]).toEqual([undefined, true]);
  });

  it.each<[what: string, policy: Policy, more: WorkflowModuleOptions]>([
    ['the host has', { style: 'github', secret: 'nowhere' }, {}],
    ['the definition may use', { style: 'github', secret: 'hook' }, { allowedSecrets: { other: ['hook'] } }],
  ])('signatures of webhooks require a secret that %s', async (_what, policy, more) => {
    const without = await start({ signed: policy }, more);
    expect((await post('signed', '{}', STYLES.github('{}'), without)).status).toBe(500);
    expect(await count('signed', without)).toBe(0);
  });

  it('signatures of webhooks are asked for at endpoints where an instance waits, whose bookmark stays for a signed request', async () => {
    const allowedSecrets = { signed: ['hook'], waits: ['hook'] };
    const waiting = await start({ signed: POLICIES.github! }, { allowedSecrets });
    await waiting.publish('waits', [
      endpoint('begin'),
      respond('begun'),
      endpoint('go-on', { ...methods('POST'), policy: literal('signed') }, false),
      respond('gone on'),
      waitFor('End', 'never'),
    ]);
    await waiting.call('GET', 'begin');
    expect((await waiting.call('POST', 'go-on', { body: '{}' })).status).toBe(401);
    expect((await waiting.call('POST', 'go-on', { body: '{}', headers: STYLES.github('{}') })).text).toBe('gone on');
  });
});

describe('webhookSignature', () => {
  it.each([
    [{ secret: '' }, "'secret'"],
    [{ secret: [] }, "'secret'"],
    [{ secret: 's', toleranceMs: 0 }, "'toleranceMs'"],
    [{ secret: 's', algorithm: 'md5' as 'sha256' }, "'algorithm'"],
    [{ secret: 's', encoding: 'utf8' as 'hex' }, "'encoding'"],
    [{ secret: 's', style: 'gitlab' as never }, "'style'"],
    [{ secret: 's', header: 'a b' }, "'a b'"],
  ])('refuses %j', (options, message) => {
    expect(() => webhookSignature(options)).toThrow(message);
  });
});
