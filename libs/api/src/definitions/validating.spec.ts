import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, ApiServer, sequence } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'fastify'))('validating what is not saved (%s)', (adapter) => {
  let api: ApiServer;
  const [writer, reader] = ['w'.repeat(32), 'r'.repeat(32)];
  beforeAll(async () => {
    const apiKeys = [
      {
        key: writer,
        permissions: ['write:workflow-definitions', 'publish:workflow-definitions', 'read:workflow-definitions'],
      },
      { key: reader, permissions: ['read:workflow-definitions'] },
    ];
    api = await ApiServer.start(adapter, { authentication: { apiKeys } });
  });
  afterAll(() => api.close());

  const validate = (model: unknown, key = writer) =>
    api.call('POST', '/workflow-definitions/validate', { model }, { authorization: `ApiKey ${key}` });

  it('finds no problem in a valid definition, and saves nothing', async () => {
    const { status, json } = await validate({ definitionId: 'fine', root: sequence() });
    expect([status, json]).toEqual([200, { isValid: true, validationErrors: [], warnings: [] }]);
    const found = await api.call('GET', '/workflow-definitions/fine', undefined, { authorization: `ApiKey ${writer}` });
    expect(found.status).toBe(404);
  });

  it('names the problems that prevent publishing', async () => {
    const input = { name: 'Order', type: 'String' };
    const text = { typeName: 'String', expression: { type: 'CSharp', value: '1' } };
    const root = sequence({ id: 'W', type: 'Elsa.WriteLine', text });
    const { status, json } = await validate({ root, inputs: [input, input] });
    expect(status).toBe(200);
    expect(json).toEqual({
      isValid: false,
      validationErrors: [
        { message: 'The following inputs are defined more than once: Order' },
        { message: expect.stringContaining('C#'), activityId: 'W', path: 'root.activities[0]' },
      ],
      warnings: [],
    });
  });

  it('warns of problems that do not prevent publishing, but cause failures at run time', async () => {
    const text = { typeName: 'String', expression: { type: 'Literal', value: 'fine' } };
    const arrow = (source: object, activity: string) => ({ source, target: { activity } });
    const root = {
      id: 'F',
      type: 'Elsa.Flowchart',
      activities: [
        { id: 'L', type: 'Elsa.WriteLine', text },
        { id: 'U', type: 'Acme.Unknown' },
        {
          id: 'D',
          type: 'Elsa.FlowDecision',
          condition: { typeName: 'Boolean', expression: { type: 'Literal', value: true } },
        },
      ],
      connections: [
        arrow({ activity: 'L', port: 'Done' }, 'gone'),
        arrow({ activity: 'D', port: 'True' }, 'L'),
        arrow({ activity: 'D', port: 'Perhaps' }, 'L'),
      ],
    };
    const { json } = await validate({ definitionId: 'doubtful', root });
    expect(json).toMatchObject({ isValid: true, validationErrors: [] });
    const at = (code: string, activityId: string, path: string, message: string) => ({
      code,
      activityId,
      path,
      message: expect.stringContaining(message),
    });
    expect((json as { warnings: object[] }).warnings).toEqual([
      at('WM1046', 'D', 'root.connections[1]', "leaves by the outcome 'Perhaps'"),
      at('WM1003', 'L', 'root.connections', "names the activity 'gone'"),
      at('WM2003', 'U', 'root.activities[1]', "'Acme.Unknown' is not registered"),
    ]);
  });

  it('warns of the same problems in the answers to imports that publish, and not in those to drafts', async () => {
    const auth = { authorization: `ApiKey ${writer}` };
    const definition = (definitionId: string) => ({ definitionId, root: sequence({ id: 'U', type: 'Acme.Unknown' }) });
    const warnings = [expect.objectContaining({ code: 'WM2003', activityId: 'U', path: 'root.activities[0]' })];
    const send = (path: string, body: unknown, headers = {}) =>
      api.call('POST', `/workflow-definitions/${path}`, body, { ...auth, ...headers });
    expect((await send('import?publish=true', definition('lacking'))).json).toMatchObject({
      isPublished: true,
      warnings,
    });
    expect((await send('import', definition('lacking-draft'))).json).not.toHaveProperty('warnings');
    const file = JSON.stringify([definition('lacking-1'), { definitionId: 'complete', root: sequence() }]);
    const form = `--b\r\nContent-Disposition: form-data; name="files"; filename="a.json"\r\n\r\n${file}\r\n--b--\r\n`;
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await send('import-files?publish=true', form, type)).json).toEqual({
      count: 2,
      warnings: { 'lacking-1': warnings },
    });
    expect((await send('import-files', form, type)).json).toEqual({ count: 2 });
    // The same definition twice, as in an archive with all its versions: of the last one. What follows is imported.
    const twice = (...last: object[]) =>
      [definition('lacking-2'), definition('__proto__'), ...last].map(
        (item, i) =>
          `--b\r\nContent-Disposition: form-data; name="files"; filename="${i}.json"\r\n\r\n${JSON.stringify(item)}\r\n`,
      );
    const upload = async (...last: object[]) =>
      (await send('import-files?publish=true', `${twice(...last).join('')}--b--\r\n`, type)).json as {
        count: number;
        warnings: object;
      };
    const again = await upload(definition('lacking-2'), { definitionId: 'complete-2', root: sequence() });
    expect(again).toMatchObject({ count: 4 });
    expect(Object.entries(again.warnings)).toEqual([
      ['lacking-2', warnings],
      ['__proto__', warnings],
    ]);
    const mended = await upload({ definitionId: 'lacking-2', root: sequence() });
    expect(Object.keys(mended.warnings)).toEqual(['__proto__']);
  });

  it('reports an unregistered activity without a warning about its outcomes', async () => {
    const call = (path: string, body: object) => api.call('POST', path, body, { authorization: `ApiKey ${writer}` });
    const root = {
      id: 'F',
      type: 'Elsa.Flowchart',
      activities: [
        { id: 'U', type: 'Acme.Unknown' },
        { id: 'L', type: 'Elsa.WriteLine' },
      ],
      connections: [{ source: { activity: 'U', port: 'Taxed' }, target: { activity: 'L' } }],
    };
    await call('/workflow-definitions/import', { definitionId: 'unknown-outcome', root });
    const { json } = await call('/workflow-definitions/unknown-outcome/publish', {});
    expect((json as { warnings: object[] }).warnings).toEqual([
      expect.objectContaining({ code: 'WM2003', activityId: 'U' }),
    ]);
  });

  it('refuses values that are not definitions, and callers who may not write', async () => {
    expect((await validate({ root: 5 })).status).toBe(400);
    expect((await validate(undefined)).status).toBe(400);
    expect((await validate({ root: sequence() }, reader)).status).toBe(403);
  });
});
