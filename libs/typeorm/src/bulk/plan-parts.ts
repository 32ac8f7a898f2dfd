import { BulkAction, type BulkPlan } from '@waymark/runtime';
import type { PlanPage, PlanParts } from '@waymark/runtime/adapter';
import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import { insertMessages } from '../outbox/outbox-rows.js';
import { toText } from '../rows/column-values.js';
import type { Row } from '../database/statement.js';
import { parseStored } from '../rows/parse-stored.js';
import { BATCH } from './bulk-rows.js';

/**
 * When pages are to be claimed: never, also by nodes of the version before, which take them for batches of living nodes. They delete
 * them when they cancel the plan.
 */
const NEVER = 8_640_000_000_000_000;
/** Of what no node has claimed. */
export const NO_NODE = '';

const COLUMNS = [...BATCH.names, 'claimed_by', 'claimed_until'];

/** Id of the row of a page. */
export const pageId = (planId: string, from: number): string => `${planId}.${from}`;

/** What stores the parts of a plan after the plan itself. */
export function partStatements(
  dialect: Dialect,
  { batches: table, outbox }: { readonly batches: string; readonly outbox: string },
  plan: BulkPlan,
  { messages = [], pages = [], batches = [] }: PlanParts,
): Statement[] {
  const common = { planId: plan.id, action: plan.action as BulkAction };
  const rows = [
    ...pages.map(({ from, ids }) => [
      ...BATCH.values({ ...common, id: pageId(plan.id, from), ids, attempts: 0 }),
      NO_NODE,
      NEVER,
    ]),
    // The first claim counts up, as it does after a dead node. The first batches of several plans go before the second ones.
    ...batches.map(({ id, ids }, index) => [...BATCH.values({ ...common, id, ids, attempts: -1 }), NO_NODE, index]),
  ];
  return [...insertRows(dialect, table, COLUMNS, rows), ...insertMessages(dialect, outbox, messages)];
}

/** A page as it is stored. */
export function toPage(row: Row): PlanPage {
  const id = toText(row.id);
  return { from: Number(id.slice(id.lastIndexOf('.') + 1)), ids: parseStored(toText(row.data)) as string[] };
}
