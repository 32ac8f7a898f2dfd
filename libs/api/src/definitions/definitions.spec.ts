import { StoredValueError } from '@waymark/core';
import { IWorkflowDefinitionPublisher, WorkflowPersistence } from '@waymark/runtime';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, line, model, sequence, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'express'))('definitions on %s', (adapter) => {
  const { app, call, deploy } = useServer(adapter);

  it('definitions are saved, published, changed and retracted', async () => {
    const saved = await call('POST', '/workflow-definitions', { model: model('life', line('A')), publish: false });
    expect(saved.json).toMatchObject({
      alreadyPublished: false,
      validationErrors: [],
      workflowDefinition: { version: 1, isPublished: false, isLatest: true },
    });
    const published = await call('POST', '/workflow-definitions/life/publish', {});
    expect(published.json).toMatchObject({ alreadyPublished: false, workflowDefinition: { isPublished: true } });
    expect((await call('POST', '/workflow-definitions/life/publish', {})).json.alreadyPublished).toBe(true);
    const second = await call('POST', '/workflow-definitions', { model: model('life', line('B')) });
    expect(second.json.workflowDefinition).toMatchObject({ version: 2, isPublished: false });
    expect(
      (await call('GET', '/workflow-definitions/life/versions')).json.map((d: { version: number }) => d.version),
    ).toEqual([2, 1]);
    expect((await call('POST', '/workflow-definitions/life/retract', {})).json).toMatchObject({
      version: 1,
      isPublished: false,
    });
    const again = await call('POST', '/workflow-definitions/life/retract', {});
    expect([again.status, again.json.errors.generalErrors]).toEqual([400, ['Workflow with id life is not published']]);
    const reverted = await call('POST', '/workflow-definitions/life/revert/1');
    expect([reverted.status, reverted.headers.get('location')]).toEqual([
      201,
      `/elsa/api/workflow-definitions/by-id/${reverted.json.id}`,
    ]);
    expect(reverted.json).not.toHaveProperty('links');
    expect((await call('DELETE', '/workflow-definitions/life/version/1')).status).toBe(200);
    expect((await call('DELETE', `/workflow-definition-versions/${reverted.json.id}`)).status).toBe(204);
    expect((await call('DELETE', '/workflow-definitions/life')).status).toBe(204);
    expect((await call('DELETE', '/workflow-definitions/life')).status).toBe(404);
  });

  it('definitions have links, without which Studio would not allow editing', async () => {
    await deploy('linked', line('A'));
    const list = await call('GET', '/workflow-definitions?definitionIds=linked');
    expect(list.json.links.map((l: { rel: string }) => l.rel)).toContain('bulk-publish');
    expect(list.json.items[0].links.map((l: { rel: string }) => l.rel)).toContain('publish');
    expect(list.json.totalCount).toBe(1);
  });

  it('definitions are listed from A on by name, and the newest first by anything else', async () => {
    for (const text of ['one', 'two']) await deploy('ordered', line(text));
    const versions = async (query: string) => {
      const { items } = (await call('GET', `/workflow-definitions?definitionIds=ordered&${query}`)).json;
      return items.map(({ version }: { version: number }) => version);
    };
    expect(await versions('orderBy=Version')).toEqual([2, 1]);
    expect(await versions('orderBy=Version&orderDirection=Ascending')).toEqual([1, 2]);
    await call('POST', '/workflow-definitions', { model: model('ordered-a', line('A'), { name: 'A' }) });
    await call('POST', '/workflow-definitions', { model: model('ordered-b', line('B'), { name: 'B' }) });
    const named = async (query: string) => {
      const ids = 'definitionIds=ordered-a&definitionIds=ordered-b';
      const { items } = (await call('GET', `/workflow-definitions?${ids}&${query}`)).json;
      return items.map(({ name }: { name: string }) => name).join('');
    };
    expect([await named(''), await named('orderBy=Name')]).toEqual(['AB', 'AB']);
    expect(await named('orderBy=Name&orderDirection=Descending')).toBe('BA');
  });

  it('definitions are listed to the end, although a damaged one is deleted meanwhile', async () => {
    const ids = ['listed-a', 'listed-b', 'listed-c'];
    for (const id of ids) await call('POST', '/workflow-definitions', { model: model(id, line('A'), { name: id }) });
    const { definitions } = app().get(WorkflowPersistence);
    const { findMany, findVersions } = definitions;
    const [gone] = await findVersions.call(definitions, { definitionId: 'listed-b' });
    definitions.findMany = async (...parameters) => {
      const found = await findMany.apply(definitions, parameters);
      const isThere = found.items.some(({ id }) => id === gone!.id);
      if (isThere) throw new StoredValueError('it is not JSON', 'data', gone!.id);
      return found;
    };
    definitions.findVersions = async (filter) => {
      Object.assign(definitions, { findMany, findVersions });
      await call('DELETE', `/workflow-definition-versions/${gone!.id}`);
      return findVersions.call(definitions, filter);
    };
    const query = ids.map((id) => `definitionIds=${id}`).join('&');
    const { json } = await call('GET', `/workflow-definitions?${query}`);
    expect(json.items.map(({ definitionId }: { definitionId: string }) => definitionId)).toEqual([
      'listed-a',
      'listed-c',
    ]);
  });

  it('definitions are imported: 200 under a given id, 201 under a new one', async () => {
    expect(
      (await call('POST', '/workflow-definitions/import', model('imported', line('A'), { id: 'imported-v1' }))).json,
    ).toMatchObject({ id: 'imported-v1' });
    expect(
      (await call('PUT', '/workflow-definitions/elsewhere/import', model('imported', line('A')))).json.definitionId,
    ).toBe('elsewhere');
    const created = await call('POST', '/workflow-definitions/import', {});
    expect([created.status, created.json.root.type]).toEqual([201, 'Elsa.Sequence']);
  });

  it('definitions are exported and imported as files', async () => {
    const [one, two] = [await deploy('file-one', line('A')), await deploy('file-two', line('A'))];
    const file = await call('GET', '/workflow-definitions/file-one/export');
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    expect(file.headers.get('content-disposition')).toContain(
      `filename=workflow-definition-file-one-file-one-${one.id}.json`,
    );
    expect(Object.keys(file.json)[0]).toBe('$schema');
    const zip = await call('POST', '/bulk-actions/export/workflow-definitions', { ids: [one.id, two.id, 'none'] });
    expect(Object.keys(unzipSync(zip.bytes))).toHaveLength(2);
    expect((await call('POST', '/bulk-actions/export/workflow-definitions', { ids: ['none'] })).status).toBe(204);

    const form = new FormData();
    form.append('files', new Blob([zip.bytes as BlobPart]), 'both.zip');
    form.append('files', new Blob([JSON.stringify(model('file-three', line('A')))]), 'three.json');
    expect((await call('POST', '/workflow-definitions/import-files', form)).json).toEqual({ count: 3 });
    const broken = new FormData();
    broken.append('files', new Blob(['{ nope']), 'broken.json');
    expect((await call('POST', '/workflow-definitions/import-files', broken)).json.errors).toHaveProperty(
      'serializerErrors',
    );
    const none = new FormData();
    none.append('other', 'x');
    expect((await call('POST', '/workflow-definitions/import-files', none)).status).toBe(204);
  });

  describe('of an upload with a file that cannot be imported', () => {
    const upload = (files: Readonly<Record<string, string | Uint8Array>>, query = '') => {
      const form = new FormData();
      for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content as BlobPart]), name);
      return call('POST', `/workflow-definitions/import-files${query}`, form);
    };
    const file = (definitionId: string, root: object = line('A')) => JSON.stringify({ definitionId, root });
    const isStored = async (definitionId: string) =>
      (await call('GET', `/workflow-definitions/by-definition-id/${definitionId}`)).status === 200;

    it('definitions of an upload keep the unpublished drafts of others on demand, and replace those that are named', async () => {
      const draft = (name: string, text: string) => JSON.stringify({ ...model(name, line('A', text)), name: 'Drawn' });
      const textOf = async (id: string) =>
        (await call('GET', `/workflow-definitions/by-definition-id/${id}`)).json.root.text.expression.value;
      await deploy('kept-published', line('A'));
      await upload({ 'mia.json': draft('kept-draft', 'of Mia') });
      const files = {
        'a.json': draft('kept-draft', 'of Ron'),
        'b.json': draft('kept-published', 'of Ron'),
        'c.json': draft('kept-new', 'of Ron'),
        // The draft of the same upload is not of another person.
        'd.json': draft('kept-new', 'again'),
      };
      const first = await upload(files, '?keepDrafts=true');
      expect([first.status, first.json]).toEqual([
        200,
        {
          count: 3,
          keptDrafts: [{ file: 'a.json', definitionId: 'kept-draft', name: 'Drawn', version: 1 }],
        },
      ]);
      expect([await textOf('kept-draft'), await textOf('kept-published'), await textOf('kept-new')]).toEqual([
        'of Mia',
        'of Ron',
        'again',
      ]);
      // What is the same replaces nothing.
      const same = { 'a.json': draft('kept-draft', 'of Mia') };
      expect((await upload(same, '?keepDrafts=true')).json).toEqual({ count: 1 });
      expect((await upload(files, '?definitionIds=kept-draft&definitionIds=none')).json).toEqual({ count: 1 });
      expect([await textOf('kept-draft'), await textOf('kept-new')]).toEqual(['of Ron', 'again']);
    });

    it('definitions of an upload with a broken file are imported, and the answer says which file failed, and why', async () => {
      const archive = zipSync({
        'good.json': strToU8(file('upload-good')),
        'sub/broken.json': strToU8('{ nope'),
        'sub/untyped.json': strToU8(file('upload-untyped', { id: 'x' })),
        // As macOS packs it beside each file.
        '__MACOSX/._good.json': new Uint8Array([0, 5, 22, 7]),
      });
      const answer = await upload({ 'all.zip': archive, 'more.json': file('upload-more') });
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          count: 2,
          failures: [
            { file: 'sub/broken.json', errors: { serializerErrors: [expect.stringContaining('line 1')] } },
            {
              file: 'sub/untyped.json',
              errors: { root: [expect.stringContaining("has no type. Add a member 'type'")] },
            },
          ],
        },
      ]);
      expect(await Promise.all(['upload-good', 'upload-more', 'upload-untyped'].map(isStored))).toEqual([
        true,
        true,
        false,
      ]);
    });

    it('definitions of an upload with a broken file are named where they cannot be published, or belong to code', async () => {
      const publisher = app().get(IWorkflowDefinitionPublisher, { strict: false });
      await publisher.saveAndPublish({ definitionId: 'upload-code', isReadonly: true, root: line('A') as never });
      const perl = { ...line('P'), text: { typeName: 'String', expression: { type: 'Perl', value: '1' } } };
      const list = `[${file('upload-listed')},${file('upload-perl', perl)}]`;
      const { status, json } = await upload({ 'list.json': list, 'code.json': file('upload-code') }, '?publish=true');
      expect([status, json.count]).toEqual([200, 1]);
      expect(json.failures).toEqual([
        {
          file: 'list.json',
          definitionId: 'upload-perl',
          errors: { generalErrors: [expect.stringContaining('Perl')] },
        },
        {
          file: 'code.json',
          definitionId: 'upload-code',
          errors: { generalErrors: [expect.stringContaining('upload-code')] },
        },
      ]);
    });

    it('definitions of an upload with a broken file are refused with the names of all files if none can be imported', async () => {
      const answer = await upload({ 'a.json': '{ nope', 'b.json': file('upload-untyped', { id: 'x' }) });
      expect([answer.status, answer.json.errors]).toEqual([
        400,
        {
          'a.json': [expect.stringMatching(/^a\.json: .*line 1/)],
          'b.json': [expect.stringMatching(/^b\.json: .*has no type/)],
        },
      ]);
    });
  });

  it('definitions are read by node id, also inside workflows used as activities', async () => {
    await deploy('inner', sequence(line('I')), { name: 'InnerWorkflow', options: { usableAsActivity: true } });
    const outer = await deploy('outer', sequence({ id: 'Call', type: 'InnerWorkflow' }));
    const path = `/workflow-definitions/subgraph`;
    const inside = 'Workflow2:Seq:Call:Workflow1:Seq:I';
    const shown = await call('GET', `${path}/${outer.id}?parentNodeId=Workflow2:Seq:Call`);
    expect(shown.json).toMatchObject({
      nodeId: 'Workflow2:Seq:Call',
      port: 'Activities',
      activity: { id: 'Call', root: { type: 'Elsa.Workflow', root: { id: 'Seq' } } },
    });
    const segments = await call('GET', `${path}/segments/${outer.id}?childNodeId=${inside}`);
    expect(segments.json.childNode).toMatchObject({ nodeId: inside, activity: { id: 'I' } });
    expect(segments.json.container.nodeId).toBe('Workflow2:Seq:Call');
    expect(segments.json.pathSegments).toEqual([expect.objectContaining({ activityId: 'Call', portName: 'Root' })]);
    expect((await call('GET', `${path}/${outer.id}?parentNodeId=nope`)).json).toMatchObject({
      nodeId: 'Workflow2',
      port: 'Root',
    });
    expect((await call('GET', `${path}/segments/${outer.id}?childNodeId=nope`)).status).toBe(400);
    expect((await call('GET', '/workflow-definitions/inner/consumers')).json).toEqual({
      consumingWorkflowDefinitionIds: ['outer'],
    });
  });

  it('definitions have consumers of consumers, which are listed and exported with them', async () => {
    const usable = { options: { usableAsActivity: true } };
    const child = await deploy('child-c', sequence(line('I')), { name: 'ChildC', ...usable });
    await deploy('parent-c', sequence({ id: 'Call', type: 'ChildC' }), { name: 'ParentC', ...usable });
    await deploy('grand-c', sequence({ id: 'Call', type: 'ParentC' }, { id: 'Again', type: 'ChildC' }), {
      name: 'GrandC',
      ...usable,
    });
    await deploy('great-c', sequence({ id: 'Call', type: 'GrandC' }));
    const ids = (await call('GET', '/workflow-definitions/child-c/consumers')).json.consumingWorkflowDefinitionIds;
    expect(ids.toSorted()).toEqual(['grand-c', 'great-c', 'parent-c']);
    const request = { ids: [child.id], includeConsumingWorkflows: true };
    const zip = await call('POST', '/bulk-actions/export/workflow-definitions', request);
    expect(Object.keys(unzipSync(zip.bytes))).toHaveLength(4);
  });
});
