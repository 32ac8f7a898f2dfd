import { unzipSync } from 'fflate';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, line, model, sequence, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'express'))('definitions on %s', (adapter) => {
  const { call, deploy } = useServer(adapter);

  it('are saved, published, changed and retracted', async () => {
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

  it('carry links, without which Studio would not let them be edited', async () => {
    await deploy('linked', line('A'));
    const list = await call('GET', '/workflow-definitions?definitionIds=linked');
    expect(list.json.links.map((l: { rel: string }) => l.rel)).toContain('bulk-publish');
    expect(list.json.items[0].links.map((l: { rel: string }) => l.rel)).toContain('publish');
    expect(list.json.totalCount).toBe(1);
  });

  it('are imported: 200 under a given id, 201 under a new one', async () => {
    expect(
      (await call('POST', '/workflow-definitions/import', model('imported', line('A'), { id: 'imported-v1' }))).json,
    ).toMatchObject({ id: 'imported-v1' });
    expect(
      (await call('PUT', '/workflow-definitions/elsewhere/import', model('imported', line('A')))).json.definitionId,
    ).toBe('elsewhere');
    const created = await call('POST', '/workflow-definitions/import', {});
    expect([created.status, created.json.root.type]).toEqual([201, 'Elsa.Sequence']);
  });

  it('travel as files', async () => {
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

  it('are looked into by node id, also inside workflows used as activities', async () => {
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

  it('have consumers of consumers, which are listed and exported with them', async () => {
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
