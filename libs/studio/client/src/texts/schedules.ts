/** What a schedule does when it fires. */
interface Does {
  /** If false, it resumes instances. */
  readonly isStart: boolean;
  /** A time that comes during a pause is made up for. */
  readonly isKept: boolean;
}

export const scheduleTexts = {
  title: 'Schedules',
  views: { schedules: 'Schedules', waiting: 'Waiting for a time' },
  viewsLabel: 'Kind of dead letters',
  leads: {
    schedules:
      'What starts or resumes workflows at times: triggers of published workflows, and schedules set in the code of the application. The next one first.',
    waiting:
      'Running instances that wait for a time on their way: at a Delay, or at a Timer, Cron or StartAt that does not start the workflow. The earliest first.',
  },
  mayOnlyLook: 'Read only: you need the permission manage:schedules to fire, pause or resume a schedule.',
  mayNotLook: 'You need the permission read:schedules to see schedules.',
  yourZone: 'In your time zone:',
  filters: {
    definition: 'Workflow id',
    kind: 'Kind',
    origin: 'Origin',
    state: 'State',
    instance: 'Instance id',
    activity: 'Activity',
  },
  kinds: { Timer: 'Timer', Cron: 'Cron', StartAt: 'Start at', Other: 'Other' },
  origins: { Trigger: 'Workflow trigger', Application: 'Application' },
  originHints: {
    Trigger: 'A trigger of the published workflow.',
    Application: 'Set in the code of the application (IWorkflowScheduler).',
  },
  resumes: 'Resumes what waits for it',
  resumesInstance: 'Resumes an instance',
  stimuli: {
    'Elsa.Delay': 'Delay',
    'Elsa.Timer': 'Timer',
    'Elsa.Cron': 'Cron',
    'Elsa.StartAt': 'Start at',
    'Waymark.UserTask.Reminder': 'Reminder of a task',
    'Waymark.UserTask.Escalation': 'Escalation of a task',
    'Waymark.UserTask.Due': 'Due date of a task',
  } as Readonly<Record<string, string>>,
  states: { running: 'Running', paused: 'Paused', over: 'Over' },
  columns: {
    workflow: 'Workflow',
    activity: 'Activity',
    origin: 'Origin',
    expression: 'When',
    overlap: 'Overlap, jitter',
    next: 'Next time',
    last: 'Latest firing',
    failures: 'Failures',
    state: 'State',
    actions: 'Actions',
    instance: 'Instance',
    due: 'Continues',
  },
  every: (interval: string) => `Every ${interval}`,
  at: (time: string) => `At ${time}`,
  overlaps: { allow: 'allowed', skip: 'left out', queue: 'queued', cancelPrevious: 'replaces' },
  overlapHints: {
    allow: 'It starts another instance, also while one runs that it has started.',
    skip: 'While an instance runs that it has started, it starts none.',
    queue: 'The next instance begins when the one before it has ended.',
    cancelPrevious: 'The instance that still runs is cancelled.',
  },
  jitterWithin: (span: string) => `of ${span}`,
  validFrom: (time: string) => `from ${time} on`,
  validUntil: (time: string) => `until ${time}`,
  lateBy: (time: string) => `late by ${time}`,
  overdue: (time: string) => `overdue by ${time}`,
  pausedSince: 'since',
  furtherTimes: (workflow: string) => `Next times of ${workflow}`,
  results: { Started: '', Sent: '', Refused: 'start refused', Missed: 'missed, left out' },
  version: (version: number) => `Version ${version}`,
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  triedAgain: 'Tried again',
  actionsOf: (workflow: string, activity: string) => `Actions for ${workflow}, ${activity}`,
  actions: { fire: 'Fire now', pause: 'Pause', resume: 'Resume' },
  questions: {
    fire: {
      title: (workflow: string) => `Fire ${workflow} now`,
      lead: ({ isStart }: Does) =>
        `It ${isStart ? 'starts one instance' : 'resumes what waits for it'} as the schedule does, with now as its time. The next times stay as they are.`,
    },
    pause: {
      title: (workflow: string) => `Pause the schedule of ${workflow}`,
      lead: ({ isStart, isKept }: Does) =>
        [
          `No server ${isStart ? 'starts the workflow' : 'resumes anything'} by this schedule while it is paused.`,
          isKept
            ? 'If its time comes meanwhile, it fires once the pause ends.'
            : 'What becomes due meanwhile is left out.',
          isStart ? 'Instances that run continue.' : 'What waits for it keeps waiting.',
        ].join(' '),
    },
    resume: {
      title: (workflow: string) => `Resume the schedule of ${workflow}`,
      lead: ({ isKept }: Does) =>
        isKept
          ? 'It fires at its time; if that has passed, at once.'
          : 'It continues with its next time. What became due during the pause is left out.',
    },
  },
  done: { pause: 'Paused.', resume: 'Resumed.' },
  fired: (workflow: string) => `${workflow} was fired.`,
  openInstance: 'Open the instance',
  empty: {
    schedules: {
      title: 'No schedules',
      lead: 'Publish a workflow that begins with a Timer, Cron or StartAt, or schedule one in the code of the application (IWorkflowScheduler), and it appears here.',
    },
    waiting: {
      title: 'No instance waits for a time',
      lead: 'Instances that come to a Delay, or to a Timer, Cron or StartAt on their way, appear here.',
    },
    nothingFound: 'Nothing matches.',
  },
  more: 'Show more',
} as const;
