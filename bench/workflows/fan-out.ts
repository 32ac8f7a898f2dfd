import type { DefinitionDraft } from '@waymark/runtime';
import { input, literal, setVariable, variable } from './nodes.js';

export const FAN_OUT = 'bench-fan-out';
export const FAN_OUT_EVENT = 'Opened';

/** For the nodes of the dimension. */
export interface FanOutChoice {
  /** What each waiting instance carries along. */
  readonly bytes: number;
}

const data = variable('Data');

/** Takes what it is given, waits for an event that many wait for, finishes. */
export const fanOutWorkflow: DefinitionDraft = {
  definitionId: FAN_OUT,
  name: 'Fan-out',
  inputs: [{ name: 'data', type: 'String', isArray: false }],
  variables: [data],
  root: {
    type: 'Elsa.Sequence',
    id: 'Steps',
    activities: [
      setVariable('Take', data, input('Input', 'data', 'Object')),
      { type: 'Elsa.Event', id: 'Wait', eventName: literal(FAN_OUT_EVENT, 'String') },
    ],
  },
};
