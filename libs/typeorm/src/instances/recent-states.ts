import type { WorkflowInstanceSummary } from '@waymark/runtime/adapter';
import { toNumber } from '../rows/column-values.js';
import type { Row } from '../database/statement.js';
import type { StateParts } from './state-parts.js';

/** Characters of all states that a node remembers: four times the largest state that is stored by default. */
const MOST_CHARS = 64_000_000;
/** About what a part takes beside its characters. */
const CHARS_OF_PART = 200;

/** What an instance had become by a commit. */
export interface RecentState {
  readonly parts: StateParts;
  readonly revision: number;
  /** By these the row is known that was written: revisions begin anew when an instance is imported, or a backup is restored. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly bytes: number;
  /** Characters of the text. */
  readonly chars: number;
}

/** The columns that tell whether a row is that of a remembered state; none of them is as large as the state. */
export const HEAD_OF_STATE = 'revision, octet_length(state) AS state_bytes';

/**
 * Large states as this node has written them last, in parts, so that the next burst need not read, take apart and write again what it does
 * not touch. A state is used only while its row is the one that this node has written; the commit checks the revision once more (W3). The
 * one that was used longest ago goes first.
 */
export class RecentStates {
  private readonly states = new Map<string, RecentState>();
  private chars = 0;

  constructor(private readonly mostChars = MOST_CHARS) {}

  get(id: string): RecentState | undefined {
    const state = this.states.get(id);
    if (!state) return undefined;
    this.states.delete(id);
    this.states.set(id, state);
    return state;
  }

  keep(id: string, state: RecentState): void {
    this.forget(id);
    this.states.set(id, state);
    this.chars += weightOf(state);
    for (const oldest of this.states.keys()) {
      if (this.chars <= this.mostChars) break;
      this.forget(oldest);
    }
  }

  forget(id: string): void {
    const state = this.states.get(id);
    if (!state) return;
    this.chars -= weightOf(state);
    this.states.delete(id);
  }
}

/** Whether the row has the state that is remembered. */
export function isRowOf(state: RecentState, row: Row, { createdAt, updatedAt }: WorkflowInstanceSummary): boolean {
  return (
    toNumber(row.revision) === state.revision &&
    toNumber(row.state_bytes) === state.bytes &&
    createdAt.getTime() === state.createdAt &&
    updatedAt.getTime() === state.updatedAt
  );
}

function weightOf({ chars, parts: { lists } }: RecentState): number {
  let count = 0;
  for (const list of Object.values(lists)) count += list.length;
  return chars + count * CHARS_OF_PART;
}
