import type { WorkflowDefinition } from '@waymark/core';
import { connect, input, javascript, literal, setVariable, variable } from './nodes.js';

/** One of many: half of them start with an HTTP request, each at a path of its own, half with an event. */
export function publishedDefinition(number: number): WorkflowDefinition {
  const total = variable('Total');
  const start =
    number % 2 === 0
      ? {
          type: 'Elsa.HttpEndpoint',
          path: literal(`bench/${number}/{id}`, 'String'),
          supportedMethods: input('Object', '["POST"]', 'String[]'),
        }
      : { type: 'Elsa.Event', eventName: literal(`bench-${number}`, 'String') };
  return {
    id: `bench-${number}-v1`,
    definitionId: `bench-${number}`,
    version: 1,
    name: `Bench ${number}`,
    createdAt: new Date(),
    isLatest: true,
    isPublished: true,
    isReadonly: false,
    isSystem: false,
    materializerName: 'Json',
    variables: [total],
    inputs: [],
    outputs: [],
    outcomes: [],
    customProperties: {},
    options: {},
    root: {
      type: 'Elsa.Flowchart',
      id: 'Flow',
      activities: [
        { ...start, id: 'Start', customProperties: { canStartWorkflow: true } },
        setVariable('Calculate', total, javascript(`${number} * 1.21`)),
        { type: 'Elsa.FlowDecision', id: 'IsLarge', condition: javascript("getVariable('Total') > 100", 'Boolean') },
        { type: 'Elsa.WriteLine', id: 'Large', text: literal('Large', 'String') },
        { type: 'Elsa.WriteLine', id: 'Small', text: literal('Small', 'String') },
      ],
      connections: [
        connect('Start', 'Calculate'),
        connect('Calculate', 'IsLarge'),
        connect('IsLarge', 'Large', 'True'),
        connect('IsLarge', 'Small', 'False'),
      ],
    },
  };
}
