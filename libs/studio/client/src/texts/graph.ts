export const graphTexts = {
  label: 'Picture of the workflow',
  path: 'Level of this picture',
  empty: 'No activity yet.',
  node: (name: string, type: string) => `${name}, ${type}`,
  open: (name: string) => `Open ${name}`,
  counts: (started: number, completed: number) => `Started ${started} times, completed ${completed} times`,
  tokens: (count: number) => (count === 1 ? 'Stands here' : `${count} executions stand here`),
  standing: {
    waiting: (count: number) =>
      `${count.toLocaleString('en')} ${count === 1 ? 'instance waits' : 'instances wait'} here`,
    faulted: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'instance' : 'instances'} failed here`,
  },
  tones: { faulted: 'Faulted', waiting: 'Waiting', running: 'Running', finished: 'Finished' },
} as const;
