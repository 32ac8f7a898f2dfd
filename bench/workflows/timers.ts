import type { DefinitionDraft } from '@waymark/runtime';
import { literal } from './nodes.js';

/** Seconds between two occurrences of each cron. */
export const CRON_SECONDS = 5;

export const cronId = (n: number): string => `bench-cron-${n}`;

/** Starts an instance every five seconds. */
export const cronWorkflow = (n: number): DefinitionDraft => ({
  definitionId: cronId(n),
  name: cronId(n),
  root: {
    type: 'Elsa.Sequence',
    id: 'S',
    activities: [
      {
        type: 'Elsa.Cron',
        id: 'Cron',
        customProperties: { canStartWorkflow: true },
        cronExpression: literal(`*/${CRON_SECONDS} * * * * *`, 'String'),
      },
    ],
  },
});
