import { type ActivityExecutionContext, type Bookmark, WorkflowExecutionError } from '@waymark/core';
import { requireStorableText, type TypeRegistry } from '@waymark/core/adapter';
import type { IWorkflowDefinitionService } from '../services/definition-services.js';
import { INLINE_BURST, type ParentBookmark, type StartMessage } from '../bursts/messages.js';
import { PARENT_INSTANCE_INPUT, startedInputs } from '../bursts/started-inputs.js';
import { derivedId } from '../engine/identity.js';
import type { LoadedDefinition } from '../persistence/definition-store.js';

/** The report of a finished child to its parent: the input of the resume. */
export interface ChildReport {
  readonly WorkflowInstanceId: string;
  readonly WorkflowStatus: string;
  readonly WorkflowSubStatus: string;
  readonly WorkflowOutput: Record<string, unknown>;
  readonly ChildIndex?: number;
}

/** Property of an execution that could not complete with the report of its child. */
const REPORT = 'ChildReport';

/**
 * The report that the execution failed with before. Executed again, it completes with it: the child may have been deleted since, as finished
 * instances are, and would be started, and do what it does, once more.
 */
export function keptReport(ctx: ActivityExecutionContext): ChildReport | undefined {
  return ctx.existingProperties?.[REPORT] as ChildReport | undefined;
}

/** Completes with what the child reported, which is kept in case that fails: a variable may not take its output. */
export function completeWith(ctx: ActivityExecutionContext, report: ChildReport): unknown {
  ctx.properties[REPORT] = report;
  ctx.collectOutputs();
  // Neither its record nor a container needs it twice.
  delete ctx.properties[REPORT];
  return ctx.complete();
}

/**
 * Id of a child: always the same for one execution of the parent's activity, so that a parent which runs again after a
 * crash finds the child it started before instead of starting another one (W9). Children lie together, beside their parent.
 */
export function childInstanceId(ctx: ActivityExecutionContext, index = 0): string {
  return derivedId(`${ctx.idempotencyKey}/${index}`, ctx.workflow.id);
}

/** @throws WorkflowExecutionError WM2030 */
export async function requirePublished(
  definitions: IWorkflowDefinitionService,
  id: string | null | undefined,
): Promise<LoadedDefinition> {
  const definition = id ? await definitions.find(id) : undefined;
  if (!definition)
    throw new WorkflowExecutionError(
      'WM2030',
      `No published version of workflow definition with ID ${id ?? '(none)'} found. Publish it, or correct the id.`,
    );
  return definition;
}

export interface ChildOptions {
  readonly id: string;
  readonly input?: Record<string, unknown> | null;
  readonly correlationId?: string | null;
  /** The bookmark at which the parent waits for the end of the child; absent: it does not wait. */
  readonly bookmark?: Pick<Bookmark, 'name' | 'hash'>;
  /** Which of several children it is; repeated in the report. */
  readonly index?: number;
}

/**
 * The request that starts a child, with the input, properties and place in the call stack that every child has. Its inputs are
 * checked here, so that a mistake faults the parent: later there is only a message.
 * @throws WorkflowInputError `WM1036`
 */
export function childStart(
  ctx: ActivityExecutionContext,
  definition: LoadedDefinition,
  types: TypeRegistry,
  { id, input, correlationId, bookmark, index }: ChildOptions,
): StartMessage {
  requireStorableText('correlation id', correlationId);
  const parentInstanceId = ctx.workflow.id;
  const properties: Record<string, unknown> = { ParentInstanceId: parentInstanceId };
  if (bookmark) {
    const parentBookmark: ParentBookmark = { name: bookmark.name, hash: bookmark.hash, index };
    Object.assign(properties, { WaitForCompletion: true, ParentBookmark: parentBookmark });
  }
  const given = { ...input, [PARENT_INSTANCE_INPUT]: parentInstanceId };
  return {
    definition: { definitionVersionId: definition.id },
    workflowInstanceId: id,
    // Designers write an empty text for an empty field.
    correlationId: correlationId || undefined,
    parentWorkflowInstanceId: parentInstanceId,
    input: startedInputs(definition, { input: given }, {}, types) ?? given,
    properties,
    schedulingActivityExecutionId: ctx.id,
    schedulingWorkflowInstanceId: parentInstanceId,
    callStackDepth: ctx.callStackDepth + 1,
  };
}

/** Workflows that run inside of one another's bursts are in memory together: one that calls itself would end the process. */
const MAX_INLINE_DEPTH = 100;

/** How deep a child is that runs within this burst. @throws WorkflowExecutionError WM2038 */
export function nextInlineDepth({ workflow }: ActivityExecutionContext): number {
  const depth = ((workflow.transient.get(INLINE_BURST) as number | undefined) ?? 0) + 1;
  if (depth <= MAX_INLINE_DEPTH) return depth;
  throw new WorkflowExecutionError(
    'WM2038',
    `More than ${MAX_INLINE_DEPTH} workflows execute one another, the innermost being '${workflow.graph.definition.definitionId}'. ` +
      'End the recursion, or use DispatchWorkflow, whose children run by themselves.',
  );
}

/** Only the default channel exists: work is shared by all nodes through the outbox. @throws WorkflowExecutionError WM2031 */
export function requireChannel(name: string | null | undefined): void {
  if (name?.trim())
    throw new WorkflowExecutionError(
      'WM2031',
      `There is no dispatch channel '${name}'. Leave the channel empty to use the default one.`,
    );
}
