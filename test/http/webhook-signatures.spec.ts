import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { webhookSignature, type WorkflowModuleOptions } from '@waymark/nestjs';
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

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('signatures of webhooks (%p)', (Adapter) => {
  let node: HttpNode;
  afterEach(() => node.app.close());

  async function boot(policy: Parameters<typeof webhookSignature>[0], more: WorkflowModuleOptions = {}) {
    node = await startHttpNode(new Adapter() as FastifyAdapter, new MemoryPersistence(), {
      secrets: [{ find: (name) => SECRETS[name] }],
      ...more,
      http: { policies: { signed: webhookSignature(policy) }, ...more.http },
    });
    await node.publish('hooks', [
      endpoint('hooks', { ...methods('POST'), policy: literal('signed') }),
      respond('taken'),
    ]);
  }
  const post = (body: string, headers: Record<string, string>) =>
    node.call('POST', 'hooks', { body, headers: { 'content-type': 'application/json', ...headers } });
  const outcome = async (body: string, headers: Record<string, string>) => {
    const answer = await post(body, headers);
    if (answer.status === 200) return answer.text;
    const { code, message } = answer.json;
    return `${answer.status} ${code} ${/ is (.*?)\./.exec(message)![1]}`;
  };
  const count = () => node.get(WorkflowPersistence).instances.count({ definitionIds: ['hooks'] });

  it.each(Object.entries(STYLES))('of %s let in what is signed as it was sent', async (style, sign) => {
    await boot({ style: style as keyof typeof STYLES, secret: 'hook' });
    // Spaces and order are part of what is signed.
    const body = '{ "b": 1,\n "a":"ü" }';
    expect(await outcome(body, sign(body, NOW_S))).toBe('taken');
    const refused = '401 WM5047 not valid';
    expect(await outcome('{"b":1,"a":"ü"}', sign(body, NOW_S))).toBe(refused);
    expect(await outcome(body, sign(`${body} `, NOW_S))).toBe(refused);
    expect(await outcome(body, {})).toBe('401 WM5047 missing');
    expect(await count()).toBe(1);
  });

  it.each(['stripe', 'slack', 'generic'] as const)('of %s end with their time', async (style) => {
    await boot({ style, secret: 'hook', toleranceMs: 60_000 });
    const sign = STYLES[style];
    for (const [t, expected] of [
      [NOW_S - 60, 'taken'],
      [NOW_S + 60, 'taken'],
      [NOW_S - 61, '401 WM5047 too old or too new'],
      [NOW_S + 61, '401 WM5047 too old or too new'],
    ] as const)
      expect(await outcome('{}', sign('{}', t))).toBe(expected);
    // The time is part of what is signed.
    const old = sign('{}', NOW_S - 3600);
    const moved = Object.fromEntries(
      Object.entries(old).map(([name, value]) => [name, value.replace(String(NOW_S - 3600), String(NOW_S))]),
    );
    expect(await outcome('{}', moved)).toBe('401 WM5047 not valid');
  });

  it('are what a sender of its own kind makes of them', async () => {
    await boot({
      secret: 'hook',
      header: 'X-Acme',
      prefix: 'sig=',
      algorithm: 'sha512',
      encoding: 'base64',
      timestampHeader: false,
    });
    const signed = `sig=${hmac('{}', SECRETS.hook, 'sha512').digest('base64')}`;
    expect(await outcome('{}', { 'X-Acme': signed })).toBe('taken');
    expect(await outcome('{}', { 'X-Acme': signed.slice(4) })).toBe('401 WM5047 missing');
    expect(await outcome('{}', { 'X-Acme': `sig=${hmac('{}').digest('base64')}` })).toBe('401 WM5047 not valid');
  });

  it('may be of one of several secrets, while one is replaced', async () => {
    await boot({ style: 'github', secret: ['hook', 'old'] });
    const body = '{}';
    expect(await outcome(body, { 'X-Hub-Signature-256': `sha256=${hmac(body, SECRETS.old).digest('hex')}` })).toBe(
      'taken',
    );
    expect(await outcome(body, { 'X-Hub-Signature-256': `sha256=${hmac(body, 'guess').digest('hex')}` })).toBe(
      '401 WM5047 not valid',
    );
  });

  it('are checked before anything is made of the body, and of bodies within their limit', async () => {
    await boot(
      { style: 'github', secret: 'hook' },
      { http: { policies: { signed: webhookSignature({ style: 'github', secret: 'hook' }) }, defaultBodyBytes: 100 } },
    );
    const broken = '{"never": ends';
    expect(await outcome(broken, { 'X-Hub-Signature-256': 'sha256=00' })).toBe('401 WM5047 not valid');
    expect((await post(`"${'x'.repeat(100)}"`, STYLES.github(''))).status).toBe(413);
    expect(await outcome('', STYLES.github(''))).toBe('taken');
  });

  it('need a secret that the host has, and that the definition may use', async () => {
    await boot({ style: 'github', secret: 'nowhere' });
    expect((await post('{}', STYLES.github('{}'))).status).toBe(500);
    await node.app.close();
    await boot({ style: 'github', secret: 'hook' }, { allowedSecrets: { other: ['hook'] } });
    expect((await post('{}', STYLES.github('{}'))).status).toBe(500);
    expect(await count()).toBe(0);
  });

  it('are asked for at endpoints where an instance waits, whose bookmark stays for a signed request', async () => {
    await boot({ style: 'github', secret: 'hook' }, { allowedSecrets: { hooks: ['hook'], waits: ['hook'] } });
    await node.publish('waits', [
      endpoint('begin'),
      respond('begun'),
      endpoint('go-on', { ...methods('POST'), policy: literal('signed') }, false),
      respond('gone on'),
      waitFor('End', 'never'),
    ]);
    await node.call('GET', 'begin');
    expect((await node.call('POST', 'go-on', { body: '{}' })).status).toBe(401);
    expect((await node.call('POST', 'go-on', { body: '{}', headers: STYLES.github('{}') })).text).toBe('gone on');
  });
});

describe('webhookSignature', () => {
  it.each([
    [{ secret: '' }, "'secret'"],
    [{ secret: [] }, "'secret'"],
    [{ secret: 's', toleranceMs: 0 }, "'toleranceMs'"],
    [{ secret: 's', style: 'gitlab' as never }, "'style'"],
    [{ secret: 's', header: 'a b' }, "'a b'"],
  ])('refuses %j', (options, message) => {
    expect(() => webhookSignature(options)).toThrow(message);
  });
});
