import { line, model, useServer } from '../module/api-harness.spec.js';

describe('members of a definition that Elsa does not know', () => {
  const { call } = useServer('fastify');

  /** As Elsa.Api.Client writes them. */
  const ELSA_OPTIONS = {
    activationStrategyType: null,
    usableAsActivity: null,
    autoUpdateConsumingWorkflows: false,
    activityCategory: null,
    incidentStrategyType: null,
    commitStrategyName: null,
  };
  const elsaInput = (name: string, type: string) => ({
    uiHint: null,
    storageDriverType: null,
    type,
    isArray: false,
    name,
    displayName: null,
    description: null,
    category: null,
  });
  const INPUTS = [
    { name: 'amount', type: 'Int32', isRequired: true },
    { name: 'note', type: 'String', defaultValue: 'none' },
  ];
  const save = async (definitionId: string, more: object) => {
    const { status, json } = await call('POST', '/workflow-definitions', {
      model: model(definitionId, line('A'), more),
    });
    expect(status).toBe(200);
    return json.workflowDefinition;
  };

  it('members that Elsa does not know stay when a client of Elsa saves the definition, which leaves them out', async () => {
    await save('kept', { inputs: INPUTS, options: { strictConversions: true }, isSystem: true });
    const saved = await save('kept', {
      inputs: [elsaInput('note', 'String'), elsaInput('amount', 'Int32'), elsaInput('more', 'String')],
      options: ELSA_OPTIONS,
    });
    expect(saved.options).toEqual({ autoUpdateConsumingWorkflows: false, strictConversions: true });
    expect(saved.inputs).toEqual([INPUTS[1], INPUTS[0], { name: 'more', type: 'String' }]);
    expect(saved.isSystem).toBe(true);
    // The next version as well, which such a save makes of a published one.
    await call('POST', '/workflow-definitions/kept/publish', {});
    const next = await save('kept', { inputs: [elsaInput('amount', 'Int32')], options: ELSA_OPTIONS });
    expect([next.version, next.options.strictConversions, next.inputs]).toEqual([2, true, [INPUTS[0]]]);
  });

  it('members that Elsa does not know are removed by null and false, and a default with the type that it was of', async () => {
    await save('changed', { inputs: INPUTS, options: { strictConversions: true } });
    const saved = await save('changed', {
      inputs: [{ ...elsaInput('amount', 'Int32'), isRequired: false }, elsaInput('note', 'Int32')],
      options: { ...ELSA_OPTIONS, strictConversions: null },
    });
    expect(saved.options).toEqual({ autoUpdateConsumingWorkflows: false });
    expect(saved.inputs).toEqual([
      { name: 'amount', type: 'Int32' },
      { name: 'note', type: 'Int32' },
    ]);
  });

  it('members that Elsa does not know are removed by other clients also where every option of Elsa is set', async () => {
    const options = {
      activationStrategyType: 'Singleton',
      usableAsActivity: true,
      activityCategory: 'Own',
      incidentStrategyType: 'FaultStrategy',
    };
    await save('all-set', { inputs: INPUTS, options });
    const saved = await save('all-set', { inputs: INPUTS.map(({ name, type }) => ({ name, type })), options });
    expect(saved.inputs).toEqual(INPUTS.map(({ name, type }) => ({ name, type })));
    // An option that was not chosen, or an input, shows that Elsa has written it.
    await save('all-set', { inputs: INPUTS, options });
    const byElsa = { inputs: [elsaInput('amount', 'Int32')], options };
    expect((await save('all-set', byElsa)).inputs).toEqual([INPUTS[0]]);
  });

  it('members that Elsa does not know are removed by other clients, which do not mention them', async () => {
    await save('whole', { inputs: INPUTS, options: { strictConversions: true, usableAsActivity: true } });
    const saved = await save('whole', {
      inputs: INPUTS.map(({ name, type }) => ({ name, type })),
      options: { usableAsActivity: true },
    });
    expect(saved.options).toEqual({ autoUpdateConsumingWorkflows: false, usableAsActivity: true });
    expect(saved.inputs).toEqual(INPUTS.map(({ name, type }) => ({ name, type })));
  });
});
