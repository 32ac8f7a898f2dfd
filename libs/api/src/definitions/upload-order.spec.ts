import type { DefinitionModel } from '@waymark/core/adapter';
import { WorkflowPersistence } from '@waymark/runtime';
import { zipSync } from 'fflate';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, line, sequence, useServer } from '../module/api-harness.spec.js';
import { inOrderOfUse } from './upload-order.js';

describe.each(pairsOf(ADAPTERS, 'express'))('an upload of definitions that use one another on %s', (adapter) => {
  const { app, call, deploy } = useServer(adapter);
  const latest = (definitionId: string) =>
    app().get(WorkflowPersistence).definitions.find({ definitionId, versionOptions: 'Latest' });

  /** What a server exports: `checks` uses `limits`, which uses `rates`. */
  async function exported() {
    await deploy('rates', line('R'), { name: 'Rates', options: { usableAsActivity: true } });
    await deploy('limits', sequence({ id: 'Rate', type: 'Rates' }), {
      name: 'Limits',
      options: { usableAsActivity: true },
    });
    await deploy('checks', sequence({ id: 'Limit', type: 'Limits' }), { name: 'Checks' });
    const files: Record<string, Uint8Array> = {};
    for (const id of ['checks', 'limits', 'rates']) {
      const { bytes } = await call('GET', `/workflow-definitions/${id}/export`);
      files[`${id}.json`] = bytes;
      await call('DELETE', `/workflow-definitions/${id}`);
    }
    return files;
  }

  it.each([
    ['by name', ['checks', 'limits', 'rates']],
    ['the used ones first', ['rates', 'limits', 'checks']],
    ['mixed', ['limits', 'rates', 'checks']],
  ])('binds each to the versions of the others, whatever the order of the files: %s', async (_title, order) => {
    const files = await exported();
    const zip = zipSync(Object.fromEntries(order.map((id) => [`${id}.json`, files[`${id}.json`]!])));
    const form = new FormData();
    form.append('files', new Blob([zip as BlobPart]), 'all.zip');
    const { json } = await call('POST', '/workflow-definitions/import-files?publish=true', form);
    expect(json).toEqual({ count: 3 });
    const [checks, limits, rates] = await Promise.all(['checks', 'limits', 'rates'].map(latest));
    const usedBy = (definition: typeof checks) => JSON.stringify(definition!.root);
    expect(usedBy(checks)).toContain(`"workflowDefinitionVersionId":"${limits!.id}"`);
    expect(usedBy(limits)).toContain(`"workflowDefinitionVersionId":"${rates!.id}"`);
    expect(usedBy(checks) + usedBy(limits)).not.toContain('NotFoundActivity');
    await Promise.all(['checks', 'limits', 'rates'].map((id) => call('DELETE', `/workflow-definitions/${id}`)));
  });

  it('binds one that names the other by its type alone', async () => {
    const form = new FormData();
    for (const one of [
      { definitionId: 'by-type', name: 'By type', root: sequence({ id: 'Use', type: 'Used' }) },
      { definitionId: 'used', name: 'Used', root: line('U'), options: { usableAsActivity: true } },
    ])
      form.append('files', new Blob([JSON.stringify(one)]), `${one.definitionId}.json`);
    const { json } = await call('POST', '/workflow-definitions/import-files?publish=true', form);
    expect(json).toEqual({ count: 2 });
    expect(JSON.stringify((await latest('by-type'))!.root)).toContain(
      `"workflowDefinitionVersionId":"${(await latest('used'))!.id}"`,
    );
  });

  it('is a failure of its own where one does not fit what it uses, and the others are stored', async () => {
    const file = (definitionId: string, root: object, more: object = {}) => ({
      ...{ definitionId, name: definitionId, root },
      ...more,
    });
    const ofChild = { options: { usableAsActivity: true }, outputs: [{ name: 'Total', type: 'Object' }] };
    const use = { id: 'Use', type: 'Child', workflowDefinitionId: 'child', total: { typeName: 'Object' } };
    const form = new FormData();
    for (const one of [
      file('parent', sequence(use)),
      file('child', line('C'), { name: 'Child', ...ofChild }),
      file('other', line('O')),
    ])
      form.append('files', new Blob([JSON.stringify(one)]), `${one.definitionId}.json`);
    const { status, json } = await call('POST', '/workflow-definitions/import-files?publish=true', form);
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        count: 2,
        failures: [
          {
            file: 'parent.json',
            definitionId: 'parent',
            errors: { 'root.activities[0].total.memoryReference': expect.anything() },
          },
        ],
      },
    });
    expect((await latest('other'))!.isPublished).toBe(true);
  });
});

it('an upload of very many versions of one definition is ordered in one pass', () => {
  const uploaded = Array.from({ length: 100_000 }, (_, number) => ({
    number,
    model: { definitionId: 'a', root: line('A'), options: {} } as unknown as DefinitionModel,
  }));
  expect(inOrderOfUse(uploaded).map(({ number }) => number)).toEqual(uploaded.map(({ number }) => number));
});
