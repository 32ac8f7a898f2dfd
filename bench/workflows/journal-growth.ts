import type { WorkflowDefinition } from '@waymark/core';
import { input, javascript, literal, variable } from './nodes.js';
import { publishedDefinition } from './published.js';

/** What piles up in the journal of one instance. */
export const JOURNAL_KINDS = ['children', 'branches', 'changes'] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** Entries on a page of the journal. */
export const JOURNAL_PAGE = 1000;

export const CHILD = 'journal-child';
/** Changed again and again, each time as a whole. */
export const LARGE = variable('Large', 'String');
export const LARGE_CHARS = 1_000_000;

/** About a hundred bytes, so that the list of them is what grows. */
const items = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ number, name: `Item ${number}`, text: 'x'.repeat(60) }));

/** `children`: BulkDispatchWorkflows · `branches`: ParallelForEach, each waits · `changes`: a large variable is changed. */
export function journalDefinitions(kind: JournalKind, count: number): WorkflowDefinition[] {
  const wait = { type: 'Elsa.Event', id: 'Wait', eventName: literal('go', 'String') };
  const list = input('Object', JSON.stringify(items(count)));
  if (kind === 'changes') return [definition(kind, wait, [LARGE])];
  if (kind === 'branches')
    return [definition(kind, { type: 'Elsa.ParallelForEach', id: 'All', items: list, body: wait }, [])];
  const child = definition(CHILD, { type: 'Elsa.WriteLine', id: 'Line', text: javascript('"done"', 'String') }, []);
  const bulk = {
    type: 'Elsa.BulkDispatchWorkflows',
    id: 'All',
    workflowDefinitionId: literal(CHILD, 'String'),
    items: list,
    waitForCompletion: literal(true, 'Boolean'),
  };
  return [child, definition(kind, bulk, [])];
}

function definition(
  definitionId: string,
  activity: WorkflowDefinition['root'],
  variables: WorkflowDefinition['variables'],
): WorkflowDefinition {
  const root = { type: 'Elsa.Sequence', id: 'Root', activities: [activity] };
  return { ...publishedDefinition(0), id: `${definitionId}-v1`, definitionId, name: definitionId, variables, root };
}
