import { describe, expect, it } from '@jest/globals';
import { resolveRuntimeOptions } from './runtime-options.js';

describe('option defaultIncidentStrategy', () => {
  it.each(['ContinueWithIncident', '', 'constructor'])(
    'is refused when no strategy has the name %j',
    (defaultIncidentStrategy) => {
      const resolve = () => resolveRuntimeOptions({ defaultIncidentStrategy, incidentStrategies: { Page: () => {} } });
      expect(resolve).toThrow(RangeError);
      expect(resolve).toThrow(/'defaultIncidentStrategy'.*'Fault', 'ContinueWithIncidents', 'Page'/);
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
