import { line, model, useServer } from '../module/api-harness.spec.js';

const revisionOf = (tag: string) => /[^".]+\.\d+/.exec(tag)![0];

/** Elsa Studio saves what it shows half a second after an edit, even where the user has published that meanwhile. */
describe('a published definition that a client saves as it is', () => {
  const { call } = useServer('fastify');
  const OPTIONS_OF_ELSA = {
    activationStrategyType: null,
    usableAsActivity: null,
    autoUpdateConsumingWorkflows: false,
    activityCategory: null,
    incidentStrategyType: null,
  };
  const shown = (definitionId: string, text: string, more: object = {}) =>
    model(definitionId, line('A', text), { options: OPTIONS_OF_ELSA, ...more });
  const save = async (saved: object, publish = false) => {
    const { json, headers } = await call('POST', '/workflow-definitions', { model: saved, publish });
    const { id, version, isPublished } = json.workflowDefinition;
    return { id, version, isPublished, revision: revisionOf(headers.get('etag')!) };
  };
  const versionsOf = async (definitionId: string) =>
    (await call('GET', `/workflow-definitions?definitionIds=${definitionId}&versionOptions=AllVersions`)).json.items
      .length as number;

  it('stays published where the client is one of Elsa: no draft is made', async () => {
    const published = await save(shown('as-is', 'text'), true);
    expect(await save(shown('as-is', 'text'))).toEqual(published);
    const read = (await call('GET', '/workflow-definitions/by-definition-id/as-is')).json;
    expect(await save({ ...read, options: { ...OPTIONS_OF_ELSA } })).toEqual(published);
    expect(await versionsOf('as-is')).toBe(1);
  });

  it.each<[string, object]>([
    ['an activity', shown('differs', 'other')],
    ['its name', shown('differs', 'text', { name: 'Another' })],
    ['a variable', shown('differs', 'text', { variables: [{ id: 'v', name: 'V', typeName: 'Int32' }] })],
    ['an option', shown('differs', 'text', { options: { ...OPTIONS_OF_ELSA, usableAsActivity: true } })],
    ['a custom property', shown('differs', 'text', { customProperties: { own: 1 } })],
  ])('has a draft where %s differs', async (_, changed) => {
    const published = await save(shown('differs', 'text'), true);
    expect(await save(changed)).toMatchObject({ version: published.version + 1, isPublished: false });
  });

  it('has a draft where another client saves it: a new version is asked for', async () => {
    await save(model('own', line('A')), true);
    expect(await save(model('own', line('A')))).toMatchObject({ version: 2, isPublished: false });
  });

  it('is one version when it is published and saved at the same moment', async () => {
    await save(shown('at-once', 'before'), true);
    await Promise.all([save(shown('at-once', 'after'), true), save(shown('at-once', 'after'))]);
    const { version, isPublished } = (await call('GET', '/workflow-definitions/by-definition-id/at-once')).json;
    expect([version, isPublished, await versionsOf('at-once')]).toEqual([2, true, 2]);
  });
});
