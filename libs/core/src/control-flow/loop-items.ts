import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { CONVERTED_TEXT, parseIfJson } from '../values/json-text.js';

/** The items of anything that can be walked through: a list, an iterable, JSON text of a list; null has none. */
export function loopItems(value: unknown, activityId: string): readonly unknown[] | Promise<readonly unknown[]> {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === 'string') return parseList(value, activityId);
  if (typeof value === 'object') {
    if (Symbol.iterator in value) return [...(value as Iterable<unknown>)];
    if (Symbol.asyncIterator in value) return collect(value as AsyncIterable<unknown>);
  }
  throw notAList(activityId);
}

function parseList(text: string, activityId: string): readonly unknown[] {
  if (text.trim() === '') return [];
  const parsed = parseIfJson(text, CONVERTED_TEXT);
  if (Array.isArray(parsed)) return parsed as unknown[];
  throw notAList(activityId);
}

async function collect(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function notAList(activityId: string): WorkflowExecutionError {
  return new WorkflowExecutionError(
    'WM2037',
    `ParallelForEach '${activityId}' has no list of items: the input 'Items' is neither a list nor JSON text of one. Give a list; an empty one is allowed.`,
  );
}
