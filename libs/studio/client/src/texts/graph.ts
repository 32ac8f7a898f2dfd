import { number } from './lists.js';

const tones = {
  faulted: 'Faulted',
  waiting: 'Waiting',
  running: 'Running',
  finished: 'Finished',
  cancelled: 'Cancelled',
} as const;

interface Counts {
  readonly started: number;
  readonly completed: number;
  readonly cancelled?: number | undefined;
}

export const graphTexts = {
  label: 'Picture of the workflow',
  overview: 'Overview',
  path: 'Level of this picture',
  empty: 'No activity yet.',
  node: (name: string, type: string, tone: keyof typeof tones | undefined) =>
    [name, type, ...(tone ? [tones[tone]] : [])].join(', '),
  /** For screen readers, in the places of sentences that are about a picture that can be changed. */
  aria: {
    'node.a11yDescription.default': 'Arrows go to other activities. Enter shows more about this one.',
    'controls.ariaLabel': 'View of the picture',
    'controls.zoomIn.ariaLabel': 'Zoom in',
    'controls.zoomOut.ariaLabel': 'Zoom out',
    'controls.fitView.ariaLabel': 'Show everything',
  },
  leadsTo: (names: readonly string[]) => `Leads to ${names.join(', ')}`,
  open: (name: string) => `Open ${name}`,
  counts: ({ started, completed, cancelled = 0 }: Counts) =>
    `Started ${started} times, completed ${completed - cancelled} times` +
    (cancelled > 0 ? `, cancelled ${cancelled} times` : ''),
  tokens: (count: number) => (count === 1 ? 'Stands here' : `${number(count)} executions stand here`),
  standing: {
    waiting: (count: number) =>
      `${count.toLocaleString('en')} ${count === 1 ? 'instance waits' : 'instances wait'} here`,
    faulted: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'instance' : 'instances'} failed here`,
  },
  tones,
} as const;
