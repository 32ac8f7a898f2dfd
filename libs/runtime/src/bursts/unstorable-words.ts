import {
  ValueNotStorableError,
  type WorkflowExecutionContext,
  type WorkflowState,
  type JournalChunk,
} from '@waymark/core';
import { findUnstorable } from '@waymark/core/adapter';

/** A part of a burst that is written: what it is called, where it belongs, what it is. */
type Part = readonly [what: string, where: string, value: unknown];

/**
 * The error of a store, which names the place in its row, in the words of the workflow: `variable "row".customer of workflow
 * "orders"`.
 */
export function inWordsOfWorkflow(
  error: Error,
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  journal: JournalChunk,
): Error {
  for (const [what, where, value] of partsOf(wec, state, journal)) {
    const found = findUnstorable(value, what);
    if (found) return new ValueNotStorableError(`${found.path} of ${where}`, found.reason, { cause: error });
  }
  return error;
}

function* partsOf(wec: WorkflowExecutionContext, state: WorkflowState, journal: JournalChunk): Iterable<Part> {
  const workflow = `workflow "${state.definitionId}"`;
  for (const { slots } of wec.contexts.values())
    for (const { variable, value } of slots ?? []) yield [`variable "${variable.name}"`, workflow, value];
  yield* members('output', workflow, wec.output);
  yield* members('input', workflow, wec.input);
  for (const { activityId, activityState, outputs, payload } of journal.records) {
    const activity = `activity "${activityId}" of ${workflow}`;
    yield* members('output', activity, outputs);
    yield* members('input', activity, activityState);
    yield* members('journal data', activity, payload);
  }
  for (const context of state.activityExecutionContexts) {
    const activity = `activity "${wec.contexts.get(context.id)?.node.id ?? context.scheduledActivityNodeId}" of ${workflow}`;
    yield* members('input', activity, context.activityState);
    yield* members('property', activity, context.properties);
    yield* members('metadata', activity, context.metadata);
    yield* members('resume input', activity, context.input);
  }
  for (const { activityId, payload } of state.bookmarks)
    yield ['stimulus of a bookmark', `activity "${activityId}" of ${workflow}`, payload];
  yield* members('property', workflow, state.properties);
}

function* members(what: string, where: string, values: Readonly<Record<string, unknown>> | undefined): Iterable<Part> {
  for (const [name, value] of Object.entries(values ?? {})) yield [`${what} "${name}"`, where, value];
}
