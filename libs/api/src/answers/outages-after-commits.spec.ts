import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ConcurrencyConflictError, StoreUnavailableError, WorkflowPersistence } from '@waymark/runtime';
import { deploySeen, JSON_TYPE, line, model, useServer } from '../module/api-harness.spec.js';

const BY_IDS = '/workflow-definitions/by-definition-ids';

describe('an outage of the store after a part of a request is stored', () => {
  const { app, call, execute } = useServer('fastify', deploySeen);
  const store = () => app().get(WorkflowPersistence);
  afterEach(() => void jest.restoreAllMocks());

  const outage = () => Promise.reject(new StoreUnavailableError('a detail'));
  const saved = (id: string, publish = true) =>
    call('POST', '/workflow-definitions', { model: model(id, line('A')), publish });
  /** The call fails once, as soon as the store has written something. */
  const failsAfterCommit = (name: 'find' | 'findVersions') => {
    const { definitions } = store();
    const [apply, read] = [definitions.apply.bind(definitions), definitions[name].bind(definitions) as () => never];
    jest.spyOn(definitions, 'apply').mockImplementationOnce(async (change) => {
      await apply(change);
      jest.spyOn(definitions, name).mockImplementationOnce(outage).mockImplementation(read);
    });
  };
  /** The definition, or instance, with this id cannot be read. */
  const failsFor = (id: string) => {
    const { definitions, instances } = store();
    const find = definitions.find.bind(definitions);
    jest
      .spyOn(definitions, 'find')
      .mockImplementation((filter) => (filter.definitionId === id ? outage() : find(filter)));
    const load = instances.load.bind(instances);
    jest.spyOn(instances, 'load').mockImplementation((one, ...rest) => (one === id ? outage() : load(one, ...rest)));
  };
  const outcome = async ({ status, json, headers }: Awaited<ReturnType<typeof call>>, action: string) => {
    const [entry] = await store().audit.find({ action }, { limit: 1 });
    return [status, json.code, headers.get('retry-after'), entry?.outcome, entry?.code];
  };
  const unknown = () => [503, 'WM7015', null, 'Failed', 'WM7015'];

  it.each(['find', 'findVersions'] as const)(
    'is not answered as one in which nothing was changed: a publish that reads what it has stored (%s)',
    async (name) => {
      failsAfterCommit(name);
      const answer = await saved(`stored-${name}`);
      expect(await outcome(answer, 'definitions.save')).toEqual(unknown());
      const { json } = await call('GET', `/workflow-definitions/by-definition-id/stored-${name}`);
      expect(json).toMatchObject({ version: 1, isPublished: true });
    },
  );

  it('is not answered as one in which nothing was changed: several publishes and imports', async () => {
    for (const id of ['a', 'b', 'c']) await saved(id, false);
    failsFor('b');
    const published = (...definitionIds: string[]) => call('POST', `/bulk-actions/publish${BY_IDS}`, { definitionIds });
    expect((await published('b', 'c')).json.code).toBe('WM7014');
    expect(await outcome(await published('a', 'b', 'c'), 'definitions.publish')).toEqual(unknown());
    const form = new FormData();
    for (const id of ['d', 'b'])
      form.append('files', new Blob([JSON.stringify(model(id, line('A')))], { type: JSON_TYPE['content-type'] }), id);
    const imported = await call('POST', '/workflow-definitions/import-files', form);
    expect(await outcome(imported, 'definitions.import')).toEqual(unknown());
  });

  it('is not answered as one in which nothing was changed: several cancellations', async () => {
    const [first, second] = [await execute('seen'), await execute('seen')];
    failsFor(second.id);
    const cancel = (...ids: string[]) => call('POST', '/bulk-actions/cancel/workflow-instances', { ids });
    expect((await cancel(second.id)).json.code).toBe('WM7014');
    expect(await outcome(await cancel(first.id, second.id), 'instances.cancel')).toEqual(unknown());
    expect((await call('GET', `/workflow-instances/${first.id}`)).json.subStatus).toBe('Cancelled');
  });

  it('is answered with what is stored where instances are imported, and one cannot be', async () => {
    const exported = async () => {
      const { id } = await execute('seen');
      return [id, (await call('GET', `/workflow-instances/${id}/export`)).text] as const;
    };
    const files = [await exported(), await exported()];
    const [[good], [busy]] = files as [(typeof files)[0], (typeof files)[0]];
    const imported = (texts: readonly string[]) => {
      const form = new FormData();
      for (const [n, text] of texts.entries())
        form.append('files', new Blob([text], { type: JSON_TYPE['content-type'] }), `${n}.json`);
      return call('POST', '/bulk-actions/import/workflow-instances', form);
    };
    const persistence = store();
    const commit = persistence.commit.bind(persistence);
    let fault: Error = new ConcurrencyConflictError('instance', busy);
    jest
      .spyOn(persistence, 'commit')
      .mockImplementation((burst) => (burst.instance?.id === busy ? Promise.reject(fault) : commit(burst)));
    const texts = files.map(([, text]) => text);
    const partly = await imported(texts);
    expect([partly.status, partly.json]).toEqual([
      200,
      { imported: 1, count: 1, failures: [{ id: busy, code: 'WM7001', message: fault.message }] },
    ]);
    const [entry] = await persistence.audit.find({ action: 'instances.import' }, { limit: 1 });
    expect(entry).toMatchObject({ outcome: 'Succeeded', targetIds: [good, busy], details: { failed: 1 } });
    expect((await imported(texts.slice(1))).json.code).toBe('WM7001');
    fault = new StoreUnavailableError('a detail');
    expect(await outcome(await imported(texts), 'instances.import')).toEqual(unknown());
    expect((await imported(texts.slice(1))).json.code).toBe('WM7014');
  });
});
