/** Names under which time-based triggers and bookmarks are stored. */
export const SchedulingStimulus = {
  Cron: 'Elsa.Cron',
  Delay: 'Elsa.Delay',
  StartAt: 'Elsa.StartAt',
  Timer: 'Elsa.Timer',
} as const;
export type SchedulingStimulus = (typeof SchedulingStimulus)[keyof typeof SchedulingStimulus];
