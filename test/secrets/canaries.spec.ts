import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkflowPersistence } from '@waymark/nestjs';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { makeImpatient } from '../support/impatient.js';
import { canary, seenByVault } from './canaries.js';
import { canariesIn, World } from './world.js';

describeOn(await testBackends(), 'secrets of a workflow on $name', (backend) => {
  let world: World;

  beforeEach(async () => {
    seenByVault.length = 0;
    world = await World.start(backend);
  });
  afterEach(() => world.close());
  afterAll(() => backend.drop());

  it('secrets of a workflow reach their targets, but neither the database nor the log nor an answer of the API', async () => {
    const response = await world.begin();
    expect((await world.stored()).includes('plain=1&access_token=(redacted)')).toBe(true);
    expect(await response.text()).toBe(`Bearer ${canary('inbound')}`);
    expect(response.headers.get('set-cookie')).toBe(`session=${canary('setcookie')}`);
    expect(world.partner.requests).toMatchObject([
      {
        url: `/?api_key=${canary('urlkey')}`,
        headers: { 'x-api-key': canary('sentkey'), 'x-plain': 'plain', authorization: `Bearer ${canary('bearer')}` },
      },
      { url: '/later', headers: { 'x-api-key': canary('laterkey') } },
    ]);
    await expectNone(world);

    await world.tryToLogIn();
    await world.resume();
    const secrets = { pin: canary('pin'), password: canary('password') };
    expect(seenByVault).toEqual([secrets, secrets]);
    await expectNone(world);
    expect(world.logger.lines.join('\n')).toContain('The vault does not take (redacted).');
  });
});

async function expectNone(world: World): Promise<void> {
  const stored = await world.stored();
  const answers = await world.apiAnswers();
  expect({
    stored: canariesIn(stored),
    answers: canariesIn(answers),
    log: canariesIn(world.logger.lines.join('\n')),
  }).toEqual({
    stored: [],
    answers: [],
    log: [],
  });
  // What is not secret is there to be found.
  expect([stored, answers].map((text) => text.includes('X-Plain'))).toEqual([true, true]);
}

describe('secrets where redaction is switched off', () => {
  it('secrets where redaction is switched off are found in the database and in the answers of the API: the search finds what is there', async () => {
    const { available } = await testBackends('sqlite');
    const world = await World.start(available[0]!, { redaction: false });
    try {
      await world.begin();
      const names = ['inbound', 'cookie', 'inkey', 'query', 'urlpassword', 'urlkey', 'sentkey', 'partner', 'setcookie'];
      for (const text of [await world.stored(), await world.apiAnswers()])
        expect(names.filter((name) => !text.includes(canary(name)))).toEqual([]);
    } finally {
      await world.close();
      await available[0]!.drop();
    }
  });
});

describe('credentials of a request', () => {
  it('credentials of a request are there for later bursts where the host says so, and still not shown', async () => {
    const { available } = await testBackends('sqlite');
    const world = await World.start(available[0]!, { redaction: { storeReceived: true } });
    try {
      await world.begin();
      expect(await world.stored()).toContain(`"authorization\\":\\"Bearer ${canary('inbound')}`);
      expect(canariesIn(await world.apiAnswers())).toEqual([]);
    } finally {
      await world.close();
      await available[0]!.drop();
    }
  });

  it('credentials of a request are not replaced by their redacted form when an editor saves it', async () => {
    const { available } = await testBackends('memory');
    const world = await World.start(available[0]!);
    try {
      await world.begin();
      const persistence = world.app.get(WorkflowPersistence);
      const [instance] = (await persistence.instances.findMany({ definitionIds: ['main'] })).items;
      const at = `/workflow-instances/${instance!.id}/variables`;
      const { items } = JSON.parse(await world.ask(at)) as { items: { name: string; value: object }[] };
      expect(items.find(({ name }) => name === 'headers')!.value).toMatchObject({ authorization: '(redacted)' });
      await expect(world.ask(at, { method: 'POST', body: JSON.stringify({ variables: items }) })).rejects.toThrow(
        '400',
      );
    } finally {
      await world.close();
      await available[0]!.drop();
    }
  });
});

describe('a database URL', () => {
  const unreachable = (scheme: string) => `${scheme}://waymark:${canary('database')}@127.0.0.1:1/waymark`;

  it.each(['postgres', 'mysql'])(
    'a database URL of %s does not show its password when nothing answers',
    async (scheme) => {
      const persistence = TypeOrmPersistence.fromUrl(unreachable(scheme));
      const patience = makeImpatient();
      const error = await persistence.initialize().then(
        () => 'it answered',
        (thrown: unknown) => inspect(thrown, { depth: 10 }),
      );
      patience.mockRestore();
      expect(error).toContain('WM7');
      expect(canariesIn(error)).toEqual([]);
    },
  );
});
