import { defaultMode, valueMode, withDefaultMode, withValueMode } from './log-persistence.js';

const strategy = (mode: string) => ({
  evaluationMode: 'Strategy',
  strategyType: `Elsa.Workflows.LogPersistence.Strategies.${mode}, Elsa.Workflows.Core`,
});

describe('what the journal keeps of an activity', () => {
  it.each([
    ['nothing said', {}, ''],
    ['the form of before', { logPersistenceMode: 'Exclude' }, 'Exclude'],
    ['the form of before, by value', { logPersistenceMode: { default: 'Include' } }, 'Include'],
    ['the form of now', { logPersistenceConfig: { default: strategy('Exclude') } }, 'Exclude'],
    ['the form of now, which wins', { logPersistenceConfig: {}, logPersistenceMode: 'Exclude' }, ''],
    ['an expression', { logPersistenceConfig: { default: { evaluationMode: 'Expression' } } }, 'other'],
    ['the configuration', { logPersistenceConfig: { default: strategy('Configuration') } }, 'other'],
    ['inherit', { logPersistenceConfig: { default: strategy('Inherit') } }, ''],
  ])('is read from %s', (_name, properties, mode) => {
    expect(defaultMode(properties)).toBe(mode);
  });

  it('is written value by value in the current form, and removed without a trace', () => {
    const before = { canStartWorkflow: true };
    const one = withValueMode(before, 'inputs', 'text', 'Exclude');
    expect(one).toEqual({ ...before, logPersistenceConfig: { inputs: { text: strategy('Exclude') } } });
    const two = withValueMode(one, 'outputs', 'result', 'Include');
    expect([valueMode(two, 'inputs', 'text'), valueMode(two, 'outputs', 'result')]).toEqual(['Exclude', 'Include']);
    const bare = withValueMode(withValueMode(two, 'inputs', 'text', ''), 'outputs', 'result', '');
    expect(bare).toEqual(before);
  });

  it('keeps the settings of the older form', () => {
    expect(withValueMode({ logPersistenceMode: 'Exclude' }, 'inputs', 'text', 'Include')).toEqual({
      logPersistenceConfig: { default: 'Exclude', inputs: { text: strategy('Include') } },
    });
    expect(
      withDefaultMode({ logPersistenceMode: { default: 'Include', inputs: { a: 'Exclude' } } }, 'Exclude'),
    ).toEqual({
      logPersistenceMode: { default: 'Exclude', inputs: { a: 'Exclude' } },
    });
    expect(withDefaultMode({ logPersistenceMode: 'Exclude' }, '')).toEqual({});
  });
});
