import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EnvironmentKeys, IWorkflowDefinitionPublisher, webhookSignature, WorkflowClock } from '@waymark/nestjs';
import { RawHubClient } from '../../libs/api/src/hub/testing/raw-hub-client.js';
import { LiveReader } from '../../libs/api/src/live/testing/live-reader.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { canary } from './canaries.js';
import { hostSecrets, keptDefinition } from './kept-canaries.js';
import { canariesIn, World } from './world.js';

// Canaries in the places that came later: keys of webhooks and of encryption, requests that are repeated, the audit trail, the live
// feed, the hub, and whatever else the API reads.

/** 32 bytes that can be recognised. */
const KEY = Buffer.from(canary('encryptionkey').padEnd(32, '-').slice(0, 32));
const SIGNING = canary('nowsigning');
const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });

const signed = {
  type: 'Elsa.Sequence',
  id: 'Root',
  activities: [
    {
      type: 'Elsa.HttpEndpoint',
      id: 'In',
      path: literal('signed'),
      supportedMethods: { typeName: 'Object', expression: { type: 'Object', value: '["POST"]' } },
      policy: literal('partner'),
      customProperties: { canStartWorkflow: true },
    },
    {
      type: 'Elsa.FlowSendHttpRequest',
      id: 'Send',
      url: {
        typeName: 'String',
        expression: { type: 'Test.Canary', value: 'http://ann:{userinfo}@127.0.0.1:1/x?access_token={token}' },
      },
    },
    { type: 'Elsa.Event', id: 'Wait', eventName: literal('never') },
  ],
};

describeOn(await testBackends('sqlite'), 'what the API reads and sends, on $name', (backend) => {
  let world: World;
  beforeAll(async () => {
    const keys = new EnvironmentKeys('K', { K: `k1:${KEY.toString('base64')}` });
    const policies = { partner: webhookSignature({ secret: 'now-signing' }) };
    world = await World.start(backend, { encryption: { keys }, secrets: hostSecrets, http: { policies } });
    const { child, main } = keptDefinition('EncryptedStorageDriver', 'Test.Keeper', world.partner.address);
    for (const definition of [child, main, { definitionId: 'signed', name: 'signed', root: signed }]) {
      const { problems } = await world.app.get(IWorkflowDefinitionPublisher).saveAndPublish(definition);
      expect(problems).toEqual([]);
    }
  });
  afterAll(async () => {
    await world.close();
    await backend.drop();
  });

  async function sign(body: string, secret: string): Promise<number> {
    const time = String(Math.floor(world.app.get(WorkflowClock).now() / 1000));
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const response = await fetch(`${await world.app.getUrl()}/workflows/signed`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature': signature,
        'x-signature-timestamp': time,
        'idempotency-key': 'repeated',
        authorization: `Bearer ${canary('inbound')}`,
      },
      body,
    });
    world.answers.push(await response.text());
    return response.status;
  }

  it('holds no canary, wherever it is read', async () => {
    const base = await world.app.getUrl();
    const admin = { authorization: `ApiKey ${canary('apikey')}` };
    const live = await LiveReader.open(base, '', admin);
    const heard: string[] = [];
    const listening = (async () => {
      for (let block = await live.block(); block !== undefined; block = await live.block()) heard.push(block);
    })().catch(() => undefined);
    const hub = await RawHubClient.greeted(`${base}/elsa/hubs/workflow-instance`, admin);

    await world.begin();
    await world.tryToLogIn();
    const body = JSON.stringify({ input: { pin: canary('pin') } });
    world.answers.push(await world.ask('/workflow-definitions/kept/dispatch', { method: 'POST', body }));
    await world.settled();
    const statuses = [await sign('{}', SIGNING), await sign('{}', SIGNING), await sign('{}', 'wrong')];
    await world.settled();
    const frames: unknown[] = [];
    for (const id of await world.instanceIds()) {
      hub.send({ type: 1, target: 'ObserveInstanceAsync', arguments: [id], invocationId: id });
      frames.push(await hub.until(({ invocationId }) => invocationId === id));
    }

    const all = {
      every: await world.everyAnswer(),
      answers: await world.apiAnswers(),
      stored: await world.stored(),
      log: world.logger.lines.join('\n'),
      heard: heard.join('\n'),
      frames: JSON.stringify(frames),
    };
    live.leave();
    hub.leave();
    await listening;
    const found = Object.fromEntries(Object.entries(all).map(([where, text]) => [where, canariesIn(text)]));
    expect(statuses[2]).toBe(401);
    expect(found).toEqual({ every: [], answers: [], stored: [], log: [], heard: [], frames: [] });
    for (const text of [all.every, all.answers, all.stored, all.log])
      expect(text.includes(KEY.toString('base64')) || text.includes(KEY.toString('hex'))).toBe(false);
    // What was looked at holds what it should.
    expect(all.every).toContain('/audit: 200');
    expect(all.every).toContain('"openapi"');
    expect(all.every.split('\n').length).toBeGreaterThan(80);
  });
});
