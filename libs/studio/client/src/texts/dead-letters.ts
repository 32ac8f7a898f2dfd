import { number } from './lists.js';

export const deadLetterTexts = {
  title: 'Dead letters',
  sources: { outbox: 'Messages', 'bookmark-queue': 'Stimuli' },
  sourcesLabel: 'Kind of dead letters',
  leads: {
    outbox:
      'Work of the runtime that failed at every attempt, such as a start whose workflow is gone. Fix the cause of the last error, then replay it. It stays here until then, or until you delete it.',
    'bookmark-queue':
      'Events and answers that found no waiting instance in time, or could not be delivered. Replay those that an instance waits for now. Each is deleted after seven days.',
  },
  filters: {
    kind: 'Kind',
    errorCode: 'Error code',
    from: 'Created from',
    to: 'Created to',
    shortFrom: 'From',
    shortTo: 'To',
    instance: 'Instance id',
  },
  columns: {
    what: 'What',
    instance: 'Instance',
    error: 'Last error',
    attempts: 'Attempts',
    created: 'Created',
    given: 'Given up',
    actions: 'Actions',
  },
  selectAll: 'Select all on this page',
  select: (id: string) => `Select ${id}`,
  actionsOf: (id: string) => `Actions for ${id}`,
  actions: { look: 'Look', replay: 'Replay', delete: 'Delete' },
  all: { replay: (count: string) => `Replay all ${count}`, delete: (count: string) => `Delete all ${count}` },
  first: {
    replay: (count: number) => `Replay the first ${number(count)}`,
    delete: (count: number) => `Delete the first ${number(count)}`,
  },
  reasons: { Failed: 'Delivery failed', Expired: 'Nothing waited for it in time' },
  replayed: 'Replayed',
  noError: 'No error was recorded.',
  anyStimulus: 'Stimulus',
  kinds: {
    start: 'Start a workflow',
    stimulus: 'Deliver a stimulus',
    'resume-parent': 'Resume the parent',
    'run-task': 'Run a task',
    resume: 'Resume an instance',
  } as Readonly<Record<string, string>>,
  empty: {
    title: 'No dead letters',
    outbox: 'Every message was processed, or is still being retried.',
    'bookmark-queue': 'Every stimulus found its instance, or is still waiting for it.',
    nothingFound: 'No dead letter matches.',
  },
  replay: {
    title: (count: string, isOne: boolean) => (isOne ? 'Replay dead letter' : `Replay ${count} dead letters`),
    leads: {
      outbox:
        'It is tried again, with all its attempts, as soon as the runtime accepts work. If the cause persists, it comes back here.',
      'bookmark-queue':
        'It is put into the queue again and resumes the instance that waits for it, now or until it expires again. One that was already replayed is skipped.',
    },
    submit: 'Replay',
    done: (count: number) => (count === 1 ? 'Replayed.' : `${count.toLocaleString('en')} replayed.`),
  },
  delete: {
    title: (count: string, isOne: boolean) => (isOne ? 'Delete dead letter' : `Delete ${count} dead letters`),
    leads: {
      outbox: 'Its work will not be done: a workflow is not started, a parent keeps waiting. This cannot be undone.',
      'bookmark-queue': 'Its data is lost: an instance that waits for it keeps waiting. This cannot be undone.',
    },
    submit: 'Delete',
    done: (count: number) => (count === 1 ? 'Deleted.' : `${count.toLocaleString('en')} deleted.`),
  },
  failures: (count: number) => `${number(count)} could not be changed.`,
  one: {
    title: 'Dead letter',
    id: 'Id',
    kind: 'Kind',
    instance: 'Instance',
    correlation: 'Correlation id',
    bookmark: 'Bookmark',
    reason: 'Reason',
    attempts: 'Attempts',
    created: 'Created',
    given: 'Given up',
    replayed: 'Replayed',
    error: 'Last error',
    payload: 'What it holds',
    input: 'Input',
  },
} as const;
