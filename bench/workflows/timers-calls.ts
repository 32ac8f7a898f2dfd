import type { DefinitionDraft } from '@waymark/runtime';
import { literal } from './nodes.js';

/** Type of the activity that notes for which time an instance runs. */
export const NOTE = 'Bench.Note';
export const DELAYED = 'bench-delayed';

/** Waits, far longer than seeding takes: the due times are written over. */
export const delayedWorkflow: DefinitionDraft = {
  definitionId: DELAYED,
  name: DELAYED,
  root: {
    type: 'Elsa.Sequence',
    id: 'S',
    activities: [{ type: 'Elsa.Delay', id: 'D', timeSpan: literal('1.00:00:00', 'TimeSpan') }],
  },
};

export const everySecondId = (n: number): string => `bench-every-second-${n}`;

/** What begins with them: triggers; a third of those each skips what overlaps, is a Singleton, or does neither; schedules of the application. */
export type CronKind = 'crons' | 'guarded crons' | 'own crons';

/** Crons to publish. */
export interface PublishCrons {
  readonly count: number;
  readonly kind: CronKind;
}

/** What a schedule of the application starts each second. */
export const startedWorkflow = (n: number): DefinitionDraft => ({
  definitionId: everySecondId(n),
  name: everySecondId(n),
  root: { type: NOTE, id: 'N' },
});

export const everySecondWorkflow = (n: number, areGuarded: boolean): DefinitionDraft => ({
  definitionId: everySecondId(n),
  name: everySecondId(n),
  ...(areGuarded && n % 3 === 1 && { options: { activationStrategyType: 'Singleton' } }),
  root: {
    type: 'Elsa.Sequence',
    id: 'S',
    activities: [
      {
        type: 'Elsa.Cron',
        id: 'Cron',
        customProperties: {
          canStartWorkflow: true,
          misfire: 'all',
          ...(areGuarded && n % 3 === 0 && { overlap: 'queue' }),
        },
        cronExpression: literal('* * * * * *', 'String'),
      },
      { type: NOTE, id: 'N' },
    ],
  },
});

/** Delays to store: the first one is due at `firstAt`, the others follow evenly within `overMillis`. */
export interface SeedTimers {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly firstAt: number;
  readonly overMillis: number;
}

/** When something was due and when it was done, in milliseconds since 1970. */
export interface DelayServed {
  readonly dueAt: number;
  readonly at: number;
}

/** An instance that has ended on a node. */
export interface TimerEnd extends DelayServed {
  readonly id: string;
  readonly definitionId: string;
}
