import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EnvironmentKeys, IBookmarkResumer, IWorkflowDefinitionPublisher, WorkflowPersistence } from '@waymark/nestjs';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { canary } from './canaries.js';
import { hostSecrets, keptDefinition, seenByKeeper } from './kept-canaries.js';
import { canariesIn, World } from './world.js';

const keys = new EnvironmentKeys('K', { K: `k1:${randomBytes(32).toString('base64')}` });

async function deploy(world: World, driver: string, keeper: string): Promise<void> {
  const publisher = world.app.get(IWorkflowDefinitionPublisher);
  const { child, main } = keptDefinition(driver, keeper, world.partner.address);
  for (const definition of [child, main]) {
    const { problems } = await publisher.saveAndPublish(definition);
    expect(problems).toEqual([]);
  }
}

async function dispatch(world: World): Promise<void> {
  const body = JSON.stringify({ input: { pin: canary('pin') } });
  world.answers.push(await world.ask('/workflow-definitions/kept/dispatch', { method: 'POST', body }));
  await world.settled();
}

/** As an editor does, which was shown no value. */
async function changeCard(world: World): Promise<void> {
  expect(await world.ask('/descriptors/storage-drivers')).toContain('"EncryptedStorageDriver"');
  const { items } = await world.app.get(WorkflowPersistence).instances.findMany({ definitionIds: ['kept'] });
  const at = `/workflow-instances/${items[0]!.id}/variables`;
  const shown = JSON.parse(await world.ask(at)) as { items: { id: string; value?: unknown }[] };
  expect(shown.items.find(({ id }) => id === 'card')!.value).toBe('(redacted)');
  const variables = [{ id: 'card', value: { number: canary('changed') } }];
  world.answers.push(await world.ask(at, { method: 'POST', body: JSON.stringify({ variables }) }));
}

async function resume(world: World): Promise<void> {
  const [bookmark] = await world.app.get(WorkflowPersistence).bookmarks.findMany({ names: ['Keeper'] });
  await world.app.get(IBookmarkResumer).resumeById(bookmark!.id);
  await world.settled();
}

async function search(world: World) {
  const [stored, answers, log] = [await world.stored(), await world.apiAnswers(), world.logger.lines.join('\n')];
  return { stored, answers, log };
}

async function expectNone(world: World): Promise<void> {
  const { stored, answers, log } = await search(world);
  expect({ stored: canariesIn(stored), answers: canariesIn(answers), log: canariesIn(log) }).toEqual({
    stored: [],
    answers: [],
    log: [],
  });
  // What was done is there to be found.
  expect([stored, answers].map((text) => text.includes('RunJavaScript'))).toEqual([true, true]);
}

describeOn(await testBackends(), 'encrypted values and secrets by name on $name', (backend) => {
  let world: World;

  beforeEach(async () => {
    seenByKeeper.length = 0;
    world = await World.start(backend, { encryption: { keys }, secrets: hostSecrets });
    await deploy(world, 'EncryptedStorageDriver', 'Test.Keeper');
  });
  afterEach(() => world.close());
  afterAll(() => backend.drop());

  it('encrypted values and secrets by name are where they are needed, in every burst, and neither in the database nor in the log nor in an answer', async () => {
    await dispatch(world);
    expect(world.partner.requests).toMatchObject([
      { url: '/kept', headers: { authorization: `Bearer ${canary('nowscript')}`, 'x-key': canary('latetemplate') } },
    ]);
    await expectNone(world);
    await changeCard(world);
    await expectNone(world);
    await resume(world);
    const card = { number: canary('card'), owner: canary('owner') };
    const changed = { number: canary('changed') };
    expect(seenByKeeper).toEqual([
      [canary('card'), card, { text: `Bearer ${canary('nowscript')}` }, canary('pin')],
      [canary('card'), changed, { text: 'Bearer (redacted)' }, canary('pin')],
    ]);
    const { items } = await world.app.get(WorkflowPersistence).instances.findMany({ definitionIds: ['kept'] });
    expect(items).toMatchObject([{ subStatus: 'Faulted' }]);
    await expectNone(world);
    expect(world.logger.lines.join('\n')).toContain('no (redacted)(redacted)');
  });
});

describe('the same values without encryption and redaction', () => {
  it('the same values without encryption and redaction are found in the database and in answers: the search finds what is there', async () => {
    const { available } = await testBackends('sqlite');
    const world = await World.start(available[0]!, { redaction: false, secrets: hostSecrets });
    try {
      await deploy(world, 'WorkflowInstanceStorageDriver', 'Test.Holder');
      await dispatch(world);
      const names = ['card', 'pin', 'nowscript', 'latescript', 'latetemplate'];
      const { stored, answers } = await search(world);
      expect(names.filter((name) => !stored.includes(canary(name)))).toEqual([]);
      expect(names.filter((name) => !answers.includes(canary(name)))).toEqual([]);
    } finally {
      await world.close();
      await available[0]!.drop();
    }
  });
});
