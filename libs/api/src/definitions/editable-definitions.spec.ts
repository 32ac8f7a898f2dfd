import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { line, model, useServer } from '../module/api-harness.spec.js';

describe('a definition that comes from code', () => {
  const { call, app } = useServer('fastify');
  let versionId: string;
  beforeAll(async () => {
    const publisher = app().get(IWorkflowDefinitionPublisher, { strict: false });
    const root = { id: 'A', type: 'Elsa.WriteLine', version: 1 };
    const saved = await publisher.saveAndPublish({ definitionId: 'coded', name: 'Coded', isReadonly: true, root });
    versionId = saved.definition.id;
  });

  it.each([
    ['POST', '/workflow-definitions', { model: model('coded', line('B')) }],
    ['PUT', '/workflow-definitions/coded/import', model('coded', line('B'))],
    ['POST', '/workflow-definitions/coded/publish', {}],
    ['POST', '/workflow-definitions/coded/retract', {}],
    ['POST', '/workflow-definitions/coded/revert/1', {}],
    ['POST', '/workflow-definitions/coded/update-references', {}],
    ['DELETE', '/workflow-definitions/coded', undefined],
    ['DELETE', '/workflow-definitions/coded/version/1', undefined],
  ])('%s %s is forbidden', async (method, path, body) => {
    const refused = await call(method, path, body);
    expect([refused.status, refused.json.code]).toEqual([403, 'WM1022']);
  });

  it('is skipped when many are changed, and stays unchanged', async () => {
    expect((await call('DELETE', `/workflow-definition-versions/${versionId}`)).status).toBe(403);
    const bulk = (action: string, body: object) =>
      call(
        'POST',
        `/bulk-actions/${action}/workflow-definitions/by-definition-id${action === 'delete' ? '' : 's'}`,
        body,
      );
    const definitionIds = ['coded'];
    expect((await bulk('publish', { definitionIds })).json.skipped).toEqual(['coded']);
    expect((await bulk('retract', { definitionIds })).json.skipped).toEqual(['coded']);
    expect((await bulk('delete', { definitionIds })).json).toEqual({ deleted: 0 });
    const byId = await call('POST', '/bulk-actions/delete/workflow-definitions/by-id', { ids: [versionId] });
    expect(byId.json).toEqual({ deleted: 0 });
    const shown = await call('GET', '/workflow-definitions/coded');
    expect(shown.json).toMatchObject({ isPublished: true, isReadonly: true });
    expect(shown.json.links.map((link: { rel: string }) => link.rel)).not.toContain('publish');
  });
});
