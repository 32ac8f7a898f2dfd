import { anInstanceOf } from '../../support/an-instance.js';
import { apiRequest, filePart, form, FORM, type HostileRequest } from './hostile-request.js';

// Files of instances whose parts refer to each other: small as they come, and without end once each reference is followed.

const AT = '2026-01-01T00:00:00.000Z';
const PATH = '/bulk-actions/import/workflow-instances';
const LEVELS = 40;

const stateWith = (id: string, members: object): object => ({
  ...anInstanceOf(id).state,
  definitionId: 'keep',
  definitionVersionId: 'none',
  status: 'Finished',
  subStatus: 'Finished',
  finishedAt: AT,
  ...members,
});
const upload = (name: string, file: () => object): HostileRequest =>
  apiRequest(`instances: ${name}`, PATH, () => form([filePart('a.json', JSON.stringify(file()))]), { type: FORM });

/** Each object has that before it twice. */
const doubled = (levels: number): object[] => [
  { $id: '0', text: 'x' },
  ...Array.from({ length: levels }, (_, i) => ({ $id: String(i + 1), a: { $ref: String(i) }, b: { $ref: String(i) } })),
];
const levels = Array.from({ length: LEVELS }, (_, i) => i + 1);
const equalities = Object.fromEntries(
  levels.map((i) => [`state.properties.x${i - 1}`, [`state.properties.x${i}.a`, `state.properties.x${i}.b`]]),
);

export const instanceCorpus: readonly HostileRequest[] = [
  // Both ended the process: the first for want of memory, the second by never coming back.
  upload('references that double', () => ({
    WorkflowState: stateWith('doubled', { input: { all: doubled(LEVELS) } }),
  })),
  upload('notes on equal members that double', () => ({
    WorkflowState: stateWith('equal', {
      properties: { x0: { v: 1 }, ...Object.fromEntries(levels.map((i) => [`x${i}`, { a: 0, b: 0 }])) },
    }),
    WaymarkTypes: { v: 1, values: {}, referentialEqualities: equalities },
  })),
  upload('references that double in the journal', () => ({
    WorkflowState: stateWith('journal', {}),
    WorkflowExecutionLogRecords: [{ payload: doubled(LEVELS) }],
  })),
  upload('references one behind the other', () => ({
    WorkflowState: stateWith('chain', {
      input: { all: Array.from({ length: 90_000 }, (_, i) => ({ $id: String(i), next: { $ref: String(i + 1) } })) },
    }),
  })),
  upload('a long text 100,000 times', () => ({
    WorkflowState: stateWith('long', {
      input: { all: [{ $id: '1', text: 'x'.repeat(1_000_000) }, ...Array(100_000).fill({ $ref: '1' })] },
    }),
  })),
  // Half a second for each of them.
  upload('20 islands of 900,000 values', () => ({
    WorkflowState: stateWith('islands', {
      input: { all: Array.from({ length: 20 }, () => ({ _island: `[${'[],'.repeat(900_000)}0]` })) },
    }),
  })),
];
