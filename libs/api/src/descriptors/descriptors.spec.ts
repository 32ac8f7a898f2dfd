import { deploySeen, line, model, sequence, useServer } from '../module/api-harness.spec.js';

describe('descriptors and tests', () => {
  const { call, deploy } = useServer('fastify', deploySeen);

  it('tries single activities out', async () => {
    const { id } = await deploy('tested', sequence(line('A', 'tried'), { id: 'X', type: 'Test.Broken' }));
    const test = (activityId: string) =>
      call('POST', '/tests/activities', {
        workflowDefinitionHandle: { definitionVersionId: id },
        activityHandle: { activityId },
      });
    expect((await test('A')).json).toEqual({
      activityState: { Text: 'tried' },
      outputs: {},
      payload: {},
      status: 'Completed',
    });
    expect((await test('X')).json).toMatchObject({ status: 'Faulted', exception: { message: 'broken on purpose' } });
    expect((await test('nope')).status).toBe(400);
  });

  it.each(['total', 'constructor'])('tries activities out that read a variable by its id: %s', async (variableId) => {
    const variables = [{ id: variableId, name: 'Total', typeName: 'Int32', value: '5' }];
    const text = { typeName: 'String', expression: { type: 'Variable', value: variables[0] } };
    const { id } = await deploy(`tested-${variableId}`, sequence({ ...line('A', ''), text }), {
      variables,
      customProperties: { VariableTestValues: {} },
    });
    const { status, json } = await call('POST', '/tests/activities', {
      workflowDefinitionHandle: { definitionVersionId: id },
      activityHandle: { activityId: 'A' },
    });
    expect([status, json.activityState]).toEqual([200, { Text: '5' }]);
  });

  it('refuses test values that a definition with strict conversions would refuse', async () => {
    const variables = [{ id: 'total', name: 'Total', typeName: 'Int32' }];
    const tried = async (strictConversions: boolean) => {
      const { id } = await deploy(`tested-strictly-${strictConversions}`, sequence(line('A', 'tried')), {
        variables,
        customProperties: { VariableTestValues: { total: 'abc' } },
        options: { strictConversions },
      });
      const workflowDefinitionHandle = { definitionVersionId: id };
      const request = { workflowDefinitionHandle, activityHandle: { activityId: 'A' } };
      return (await call('POST', '/tests/activities', request)).status;
    };
    expect([await tried(true), await tried(false)]).toEqual([400, 200]);
  });

  it('says when a trigger would start workflows next, as the engine reads its schedule', async () => {
    const ask = (type: string, body: object) => call('POST', `/descriptors/activities/${type}/due-times`, body);
    const cron = async (cronExpression: string, more: object = {}, count?: number) =>
      (await ask('Elsa.Cron', { payload: { cronExpression, ...more }, count })).json.times as string[];
    const leapDays = await cron('0 12 29 2 *', { timeZone: 'Europe/Vilnius' }, 3);
    expect(leapDays.map((time) => time.slice(4))).toEqual(Array(3).fill('-02-29T10:00:00+00:00'));
    expect(await cron('0 12 * * *')).toHaveLength(5);
    expect(await cron('0 0 31 2 *')).toEqual([]);
    expect(await cron('0 12 * * *', { timeZone: 'Nope/Zone' })).toEqual([]);
    // Due once; and no schedule at all.
    const executeAt = '2999-01-01T00:00:00+00:00';
    expect((await ask('Elsa.StartAt', { payload: { executeAt } })).json).toEqual({ times: [executeAt] });
    expect((await ask('Elsa.WriteLine', { payload: {} })).json).toEqual({ times: [] });
    expect((await ask('Elsa.Cron', {})).json.errors).toHaveProperty('payload');
    expect((await ask('Elsa.Cron', { payload: {}, count: 51 })).json.errors).toHaveProperty('count');
    expect((await ask('Elsa.Nope', { payload: {} })).status).toBe(404);
  });

  it('describes all activities, types and features', async () => {
    const all = await call('GET', '/descriptors/activities?refresh=true');
    expect(all.json.count).toBe(all.json.items.length);
    expect((await call('GET', '/descriptors/activities/Elsa.WriteLine')).json).toMatchObject({
      clrType: 'UnregisteredClrType:Elsa.Workflows.Activities.WriteLine, Elsa.Workflows.Core',
      customProperties: { Type: 'UnregisteredClrType:Elsa.Workflows.Activities.WriteLine, Elsa.Workflows.Core' },
    });
    expect((await call('GET', '/descriptors/activities/Test.Broken')).json).not.toHaveProperty('clrType');
    expect((await call('GET', '/descriptors/activities/elsa.writeline')).status).toBe(404);
    expect((await call('GET', '/descriptors/activities/Elsa.WriteLine?version=99')).status).toBe(404);
    expect((await call('POST', '/descriptors/activities/Elsa.WriteLine/options/Text', {})).json).toEqual({ items: {} });
    expect((await call('GET', '/descriptors/output-converters')).json.errors.generalErrors).toHaveLength(2);
    expect(
      (await call('GET', '/descriptors/variables')).json.items.map((t: { typeName: string }) => t.typeName),
    ).toContain('ObjectDictionary');
    const script = await call('POST', '/scripting/javascript/type-definitions/seen', {});
    expect(script.text).toContain('declare function setCount(value: number): void;');
    expect(script.text).toContain('declare class TimeSpan {');
  });

  it('a workflow that is published stays on offer while its next version is drafted', async () => {
    const save = (name: string, publish: boolean) => {
      const options = { usableAsActivity: true };
      return call('POST', '/workflow-definitions', { model: model(name, sequence(line('A')), { options }), publish });
    };
    const listed = async (typeName: string) =>
      (await call('GET', '/descriptors/activities')).json.items
        .filter((item: { typeName: string }) => item.typeName === typeName)
        .map(({ version, isBrowsable }: { version: number; isBrowsable: boolean }) => [version, isBrowsable]);
    await save('Offered', true);
    await save('Offered', false);
    expect(await listed('Offered')).toEqual([[1, true]]);
    expect((await call('GET', '/descriptors/activities/Offered?version=2')).json).toMatchObject({ isBrowsable: false });
    await save('Offered', true);
    // Workflows that use the version before are drawn by it.
    expect(await listed('Offered')).toEqual([
      [2, true],
      [1, false],
    ]);
    await save('Drafted', false);
    expect(await listed('Drafted')).toEqual([[1, false]]);
  });
});
