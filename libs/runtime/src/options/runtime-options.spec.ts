import { describe, expect, it } from '@jest/globals';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { resolveRuntimeOptions } from './resolve-runtime-options.js';
import type { WorkflowRuntimeOptions } from './runtime-options.js';

describe('option defaultIncidentStrategy', () => {
  it.each(['ContinueWithIncident', '', 'constructor'])(
    'is refused when no strategy has the name %j',
    (defaultIncidentStrategy) => {
      const resolve = () => resolveRuntimeOptions({ defaultIncidentStrategy, incidentStrategies: { Page: () => {} } });
      expect(resolve).toThrow(expect.objectContaining({ code: 'WM1090' }));
      expect(resolve).toThrow(/'defaultIncidentStrategy'.*'Fault', 'ContinueWithIncidents' or 'Page'/);
    },
  );

  it.each(['Fault', 'ContinueWithIncidentsStrategy', 'Elsa.Strategies.FaultStrategy, Elsa', 'page'])(
    'is a stock one or one of the application: %s',
    (defaultIncidentStrategy) =>
      expect(resolveRuntimeOptions({ defaultIncidentStrategy, incidentStrategies: { Page: () => {} } })).toMatchObject({
        defaultIncidentStrategy,
      }),
  );
});

describe('numbers among the options', () => {
  it.each<[WorkflowRuntimeOptions, string]>([
    [{ deliveryConcurrency: 1.5 }, "'deliveryConcurrency' must be an integer greater than 0, not 1.5."],
    [{ backgroundConcurrency: 1.5 }, "'backgroundConcurrency' must be an integer of 0 or more, not 1.5."],
    [{ maxDeliveryAttempts: Infinity }, "'maxDeliveryAttempts' must be an integer greater than 0"],
    [{ dispatchLimits: { slow: 1.5 } }, "'dispatchLimits.slow' must be an integer greater than 0, not 1.5."],
    [{ stimulusTtlMs: Infinity }, "'stimulusTtlMs' must be a finite number greater than 0, not Infinity."],
    [
      { pollIntervalMs: '5000' as never },
      "'pollIntervalMs' must be a finite number greater than 0, not the string '5000'.",
    ],
    [{ drainTimeoutMs: Number.NaN }, "'drainTimeoutMs' must be a finite number of 0 or more, not NaN."],
    [{ retentionMs: Infinity }, "'retentionMs' must be a finite number greater than 0, or false, not Infinity."],
  ])('numbers among the options are refused where they cannot work: %j', (options, message) =>
    expect(() => resolveRuntimeOptions(options)).toThrow(message),
  );
});

describe('option persistence', () => {
  it.each(['sqlite:app.db', {}, { useFactory: 1 }, () => new MemoryPersistence()])('is refused: %p', (persistence) => {
    const resolve = () => resolveRuntimeOptions({ persistence: persistence as never });
    expect(resolve).toThrow(expect.objectContaining({ code: 'WM1090' }));
    expect(resolve).toThrow("WorkflowModule option 'persistence' must be a WorkflowPersistence");
    expect(resolve).not.toThrow('app.db');
  });

  it.each([undefined, new MemoryPersistence(), { inject: [], useFactory: () => new MemoryPersistence() }])(
    'is a store or a provider',
    (persistence) => expect(resolveRuntimeOptions({ persistence }).persistence).toBe(persistence),
  );
});

// Messages have it in their rows.
it.each(['', ' ', 'x'.repeat(256), 'a\0b', 'half of a pair: \ud800'])(
  'refuses a name that no node can have: %j',
  (nodeName) => {
    expect(() => resolveRuntimeOptions({ nodeName })).toThrow("WorkflowModule option 'nodeName'");
    expect(resolveRuntimeOptions({ nodeName: '🐳'.repeat(255) }).nodeName).toHaveLength(510);
  },
);
