export const graphTexts = {
  label: 'Picture of the workflow',
  path: 'Where this picture stands',
  empty: 'No activity yet.',
  node: (name: string, type: string) => `${name}, ${type}`,
  open: (name: string) => `Open ${name}`,
  counts: (started: number, completed: number) => `Started ${started} times, completed ${completed} times`,
  tones: { faulted: 'Faulted', waiting: 'Waiting', running: 'Running', finished: 'Finished' },
} as const;
