import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, Input, Output } from '@waymark/core';
import { IEventPublisher, MemoryPersistence, WorkflowPersistence } from '@waymark/runtime';
import { endpoint, flag, type HttpNode, methods, startHttpNode } from '../http/http-node.js';
import { pairsOf } from '../support/pairs.js';
import { literal, waitFor } from '../support/runtime-node.js';

const KEY = 'sk "live" & <42>/ü';
const PLAIN = 'plain-key-12345';
const VALUES: Readonly<Record<string, string>> = { key: KEY, plain: PLAIN, pin: '42' };
const secrets = [{ find: (name: string) => VALUES[name] }];

/** Makes bytes of a text, as an application does. */
@Injectable()
@Activity({ type: 'Test.Bytes' })
class Bytes extends ActivityBase {
  @Input() text: string;
  @Output({ type: 'Object' }) result: unknown;

  execute(ctx: ActivityExecutionContext): void {
    this.result = Buffer.from(this.text);
    ctx.complete();
  }
}

const script = (value: string, typeName = 'Object') => ({ typeName, expression: { type: 'JavaScript', value } });
const named = (value: string, typeName = 'String') => ({ typeName, expression: { type: 'Secret', value } });
const write = (members: object): ActivityJson => ({ type: 'Elsa.WriteHttpResponse', id: 'Out', ...members });
const file = (members: object): ActivityJson => ({ type: 'Elsa.WriteFileHttpResponse', id: 'Out', ...members });
const large = (what: string) => script(`'x'.repeat(600000) + ${what} + 'y'.repeat(300000)`);

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))(
  'secrets by name in answers (%p)',
  (Adapter) => {
    let node: HttpNode;
    let persistence: MemoryPersistence;

    /** Of the workflow of this test: each test has one of its own, since all share the node. */
    let asked: string;
    let count = 0;

    beforeAll(async () => {
      persistence = new MemoryPersistence();
      const options = { secrets, pollIntervalMs: 3_600_000, http: { idempotencyKeys: true } };
      node = await startHttpNode(new Adapter() as FastifyAdapter, persistence, options, [Bytes]);
    });
    afterAll(() => node.app.close());

    const ask = async (...activities: ActivityJson[]) => {
      asked = `asked-${count++}`;
      await node.publish(asked, [endpoint(asked, methods('POST')), ...activities]);
      return node.call('POST', asked);
    };
    const incident = async () => {
      const { instances } = node.get(WorkflowPersistence);
      const [id] = await instances.findIds({ definitionIds: [asked] });
      return (await instances.load(id!))!.state.incidents[0];
    };

    it.each<[string, ActivityJson, string]>([
      ['text', write({ content: script(`'key: ' + secret('key')`) }), 'key'],
      ['an expression of type Secret', write({ content: named('plain', 'Object') }), 'plain'],
      ['JSON', write({ content: script(`({ deep: [{ key: secret('key') }] })`) }), 'key'],
      ['a name of a member', write({ content: script(`({ [secret('plain')]: 1 })`) }), 'plain'],
      ['XML', write({ content: script(`({ key: secret('key') })`), contentType: literal('text/xml') }), 'key'],
      [
        'a form',
        write({
          content: script(`({ key: secret('key') })`),
          contentType: literal('application/x-www-form-urlencoded'),
        }),
        'key',
      ],
      ['base64', write({ content: script(`'Basic ' + stringToBase64('user:' + secret('key') + '!')`) }), 'key'],
      [
        'a header',
        write({ responseHeaders: script(`({ 'X-Key': [ 'a', secret('plain') ] })`, 'HttpHeaders') }),
        'plain',
      ],
      [
        'a cookie',
        write({ responseHeaders: script(`({ 'Set-Cookie': 'k=' + secret('plain') })`, 'HttpHeaders') }),
        'plain',
      ],
      [
        'a redirect',
        write({
          statusCode: literal('Found', 'HttpStatusCode'),
          responseHeaders: script(`({ Location: '/x?key=' + encodeURIComponent(secret('key')) })`, 'HttpHeaders'),
        }),
        'key',
      ],
      [
        'a content type',
        write({ content: literal('x', 'Object'), contentType: script(`'a/' + secret('plain')`) }),
        'plain',
      ],
      ['a large content', write({ content: large(`secret('key')`) }), 'key'],
      ['a file', file({ content: script(`'key: ' + secret('key')`) }), 'key'],
      ['a large file', file({ content: large(`secret('key')`) }), 'key'],
      ['an archive', file({ content: script(`['a', { content: secret('key'), filename: 'b.txt' }]`) }), 'key'],
      [
        'the name of a file',
        file({ content: literal('x', 'Object'), filename: script(`secret('plain') + '.txt'`) }),
        'plain',
      ],
      ['a short one alone', write({ content: named('pin', 'Object') }), 'pin'],
    ])('secrets by name in answers are refused in %s', async (_what, activity, name) => {
      const answer = await ask(activity);
      expect([answer.status, answer.text]).toEqual([500, '']);
      const shown = JSON.stringify([...answer.headers]);
      expect([PLAIN, encodeURIComponent(KEY)].filter((text) => shown.includes(text))).toEqual([]);
      const { message, exception } = (await incident())!;
      expect([message, exception?.type]).toEqual([
        expect.stringContaining(`the value of the secret '${name}'`),
        'SecretInAnswerError',
      ]);
      expect(JSON.stringify(await persistence.instances.findMany({}))).not.toContain(PLAIN);
    });

    it('secrets by name in answers are refused in bytes', async () => {
      const bytes = { type: 'Test.Bytes', id: 'Bytes', text: script(`'ü' + secret('key')`, 'String') };
      const content = script(`getOutputFrom('Bytes', 'Result')`);
      expect((await ask(bytes, write({ content }))).status).toBe(500);
      expect((await incident())!.message).toContain("'key'");
    });

    it('secrets by name in answers are sent where the activity says that they may be', async () => {
      const allowSecrets = flag(true);
      const answer = await ask(write({ content: script(`secret('key')`), allowSecrets }));
      expect([answer.status, answer.text]).toEqual([200, KEY]);
      const sent = await ask(file({ content: script(`secret('key')`), allowSecrets }));
      expect([sent.status, sent.text]).toEqual([200, KEY]);
    });

    it('secrets by name in answers let answers pass that have none, also where the burst knows some', async () => {
      const line = { type: 'Elsa.WriteLine', id: 'Line', text: script(`secret('key') + secret('plain')`, 'String') };
      const short = { type: 'Elsa.WriteLine', id: 'Pin', text: named('pin') };
      const content = script(`({ text: 'plain-key-1234', more: 'the answer is 42', list: [42] })`);
      const answer = await ask(line, short, write({ content }));
      expect([answer.status, answer.json]).toEqual([
        200,
        { text: 'plain-key-1234', more: 'the answer is 42', list: [42] },
      ]);
      // What is compressed is another text.
      const compressed = gzipSync(KEY).toString('hex');
      expect((await ask(line, write({ content: literal(compressed, 'Object') }))).text).toBe(compressed);
    });

    it('secrets by name in answers are refused in an answer that comes later, and in one that is kept for its key', async () => {
      const later = endpoint('later', { ...methods('POST'), respondAsync: flag(true) });
      const answer = write({ content: script(`secret('plain')`), allowSecrets: flag(false) });
      await node.publish('later', [later, waitFor('Wait', 'go'), answer]);
      const { location } = (await node.call('POST', 'later')).json as { location: string };
      await node.get(IEventPublisher).publish('go');
      expect(await node.call('GET', `${location}/answer`)).toMatchObject({ status: 500, text: '' });
      const key = { headers: { 'Idempotency-Key': 'k-1' } };
      await node.publish('keyed', [endpoint('keyed', methods('POST')), answer]);
      for (let i = 0; i < 2; i++)
        expect(await node.call('POST', 'keyed', key)).toMatchObject({ status: 500, text: '' });
    });
  },
);
