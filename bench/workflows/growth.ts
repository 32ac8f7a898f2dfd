import type { ActivityJson, WorkflowDefinition } from '@waymark/core';
import { input, literal } from './nodes.js';
import { publishedDefinition } from './published.js';

/** `plain`: started by an event. `endpoints`: by a request, at a path with a parameter. `reusable`: usable as an activity. */
export const GROWTH_KINDS = ['plain', 'endpoints', 'reusable'] as const;
export type GrowthKind = (typeof GROWTH_KINDS)[number];

/** Path of a definition's endpoint: another one with each change, so that routes have to follow. */
export const growthPath = (number: number, change: number): string => `growth/${number}/v${change}`;

/** One of many that are there, or a change of it. */
export function growthDefinition(kind: GrowthKind, number: number, change = 0): WorkflowDefinition {
  return {
    ...publishedDefinition(number),
    id: `growth-${number}-v1`,
    definitionId: `growth-${number}`,
    name: `Growth ${number}`,
    variables: [],
    options: kind === 'reusable' ? { usableAsActivity: true, autoUpdateConsumingWorkflows: true } : {},
    root: {
      type: 'Elsa.Sequence',
      id: 'Root',
      activities: [
        ...triggerOf(kind, number, change),
        ...Array.from({ length: 5 }, (_, i) => ({
          type: 'Elsa.WriteLine',
          id: `Line${i}`,
          text: literal(`Line ${i} of change ${change}`, 'String'),
        })),
      ],
    },
  };
}

function triggerOf(kind: GrowthKind, number: number, change: number): ActivityJson[] {
  const start = { id: 'Start', customProperties: { canStartWorkflow: true } };
  if (kind === 'plain')
    return [{ ...start, type: 'Elsa.Event', eventName: literal(`growth-${number}-${change}`, 'String') }];
  if (kind === 'reusable') return [];
  const path = literal(`${growthPath(number, change)}/{id}`, 'String');
  return [
    { ...start, type: 'Elsa.HttpEndpoint', path, supportedMethods: input('Object', '["GET"]', 'String[]') },
  ] as ActivityJson[];
}
