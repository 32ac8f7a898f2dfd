import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityNode, Input, Port } from '@waymark/core';
import { ActivityScope, CONVERTED_TEXT, objectKind, parseJsonText, roughChars, valueNow } from '@waymark/core/adapter';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import type { StartMessage } from '../bursts/messages.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { childInstanceId, type ChildReport, childStart, requireChannel, requirePublished } from './child-workflow.js';
import { TooManyChildrenError } from './too-many-children-error.js';
import {
  channelNameInput,
  childInputInput,
  startNewTraceInput,
  waitForCompletionInput,
  workflowDefinitionIdInput,
} from './child-workflow-inputs.js';

const DISPATCHED = 'DispatchedInstancesCount';
const COMPLETED = 'CompletedInstancesCount';
const CANCELED = 'CanceledInstancesCount';
/** Children that are prepared without a pause in which others are served: some milliseconds. */
const CHILDREN_OF_PART = 250;
/** Characters of what they bring, likewise. */
const CHARS_OF_PART = 1_000_000;
/** All starts of one execution are stored by one commit, each with all of its input. */
const MOST = { children: 100_000, chars: 50_000_000 };
const MOST_PARTS = 10_000_000;
/** A bit for each child that was counted. */
const REPORTED = 'ReportedInstances';

/** Starts one instance of another workflow per item, and may wait until all of them have ended. */
@Activity({
  type: 'Elsa.BulkDispatchWorkflows',
  category: 'Composition',
  kind: 'Task',
  description: 'Starts another workflow once per item and optionally waits until all have ended.',
  outcomes: ['Completed', 'Canceled', 'Done'],
})
export class BulkDispatchWorkflows extends ActivityBase {
  /** Logical id of the workflow to start for each item. */
  @Input(workflowDefinitionIdInput) workflowDefinitionId!: string;

  /** The items; one instance is started for each of them. */
  @Input({ type: 'Object', description: 'The items; one instance is started for each of them.' })
  items?: unknown;

  /** Input key of an item that is not a dictionary. */
  @Input({ type: 'String', defaultValue: 'Item', description: 'Input key of an item that is not a dictionary.' })
  defaultItemInputKey?: string | null;

  /** Returns the correlation id for an item. */
  @Input({
    type: 'String',
    displayName: 'Correlation ID Function',
    autoEvaluate: false,
    description: 'Returns the correlation id for an item.',
  })
  correlationIdFunction?: string | null;

  /** Input of every instance, besides its item. */
  @Input({ ...childInputInput, description: 'Input of every instance, besides its item.' }) input?: Record<
    string,
    unknown
  > | null;

  /** If true, the activity completes when all instances have ended. */
  @Input({
    ...waitForCompletionInput,
    defaultValue: true,
    description: 'If true, the activity completes when all instances have ended.',
  })
  waitForCompletion?: boolean | null;

  /** Ignored; kept for definitions from Elsa. */
  @Input(startNewTraceInput) startNewTrace?: boolean | null;

  /** Dispatch channel; leave it empty. */
  @Input(channelNameInput) channelName?: string | null;

  /** Runs for each child that has completed. */
  @Port({ displayName: 'ChildCompleted' })
  childCompleted?: ActivityNode;

  /** Runs for each child that has faulted. */
  @Port({ displayName: 'ChildFaulted' })
  childFaulted?: ActivityNode;

  override readonly unrecordedProperties?: readonly string[] = [REPORTED];

  constructor(
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
  ) {
    super();
  }

  /** @throws WorkflowExecutionError WM2030 @throws TooManyChildrenError */
  async execute(ctx: ActivityExecutionContext): Promise<unknown> {
    requireChannel(this.channelName);
    const definition = await requirePublished(this.definitions, this.workflowDefinitionId);
    const items = toList(this.items);
    const wait = this.waitForCompletion === true && items.length > 0;
    // Private to this execution: two bulk activities of one instance must not count each other's children.
    const bookmark = wait
      ? ctx.createBookmark({
          stimulus: { parentInstanceId: ctx.workflow.id },
          includeActivityInstanceId: true,
          autoBurn: false,
          callback: this.onChildFinished,
        })
      : undefined;
    const starts: StartMessage[] = [];
    const input = valueNow(this.input);
    const shared = roughChars(this.input, MOST_PARTS);
    requireFew(items.length, shared * items.length);
    let [chars, paused] = [shared * items.length, 0];
    for (const [index, item] of items.entries()) {
      chars += roughChars(item, MOST_PARTS);
      requireFew(items.length, chars);
      if (index > 0 && (index % CHILDREN_OF_PART === 0 || chars - paused > CHARS_OF_PART)) {
        paused = chars;
        await this.engine.runner.engine.yield?.();
      }
      starts.push(
        childStart(ctx, definition, this.engine.types, {
          id: childInstanceId(ctx, index),
          correlationId: await this.correlationIdOf(ctx, item),
          input: { ...input, ...valueNow(this.itemInput(item)) },
          bookmark,
          index,
        }),
      );
    }
    // Nothing below can fail: once they are sent, the messages stay sent, also when the activity has to run again.
    ctx.properties[DISPATCHED] = items.length;
    ctx.properties[COMPLETED] = 0;
    delete ctx.properties[CANCELED];
    delete ctx.properties[REPORTED];
    // A cancellation of the parent withdraws them: no one would cancel a child that is started after it.
    for (const payload of starts) ctx.workflow.send({ kind: 'start', payload, workflowInstanceId: ctx.workflow.id });
    return wait ? undefined : ctx.completeWithOutcomes('Done');
  }

  /** Called by the engine when the child has reported its end. */
  onChildFinished(ctx: ActivityExecutionContext<ChildReport>): unknown {
    const { ChildIndex, ...report } = ctx.input;
    const { WorkflowInstanceId, WorkflowSubStatus } = report;
    // The end of a child may be reported twice: by the child, and again after a repair.
    if (ChildIndex !== undefined && !isFirst(ctx, ChildIndex)) return undefined;
    ctx.properties[COMPLETED] = Number(ctx.properties[COMPLETED] ?? 0) + 1;
    if (WorkflowSubStatus === 'Cancelled') ctx.properties[CANCELED] = Number(ctx.properties[CANCELED] ?? 0) + 1;
    return ctx.schedule(this.portFor(WorkflowSubStatus), {
      callback: this.onPortCompleted,
      variables: { ChildInstanceId: WorkflowInstanceId },
      input: report,
    });
  }

  /** Called by the engine when the activity of a port has completed. */
  onPortCompleted(ctx: ActivityExecutionContext): unknown {
    const all = Number(ctx.properties[COMPLETED]) >= Number(ctx.properties[DISPATCHED]);
    // Ports of other children may still be running.
    if (!all || ctx.activeChildren?.size || ctx.queuedWork > 0) return undefined;
    const canceled = ctx.properties[CANCELED] === undefined ? [] : ['Canceled'];
    return ctx.completeWithOutcomes('Completed', ...canceled, 'Done');
  }

  /** No report comes any more that would end it, when the last one is cancelled. */
  override onChildCanceled(ctx: ActivityExecutionContext): unknown {
    return this.onPortCompleted(ctx);
  }

  /** A cancelled child is not a failure: it is only counted. */
  private portFor(subStatus: string): ActivityNode | undefined {
    if (subStatus === 'Finished') return this.childCompleted;
    return subStatus === 'Faulted' ? this.childFaulted : undefined;
  }

  private itemInput(item: unknown): Record<string, unknown> {
    return membersOf(item) ?? { [this.defaultItemInputKey || 'Item']: item };
  }

  /** By the name that the children get it under as well: scripts of Elsa write `getOrder()` where the key is `Order`. */
  private argumentsOf(item: unknown): Record<string, unknown> {
    return { [this.defaultItemInputKey || 'Item']: item, item };
  }

  private async correlationIdOf(ctx: ActivityExecutionContext, item: unknown): Promise<string | undefined> {
    const input = ctx.node.inputs.find((i) => i.name === 'CorrelationIdFunction');
    const value = input?.constant
      ? input.constant.value
      : await input?.evaluate?.(new ActivityScope(ctx, this.argumentsOf(item)));
    return value === null || value === undefined || value === '' ? undefined : String(value);
  }
}

/** @throws TooManyChildrenError */
function requireFew(children: number, chars: number): void {
  if (children > MOST.children || chars > MOST.chars) throw new TooManyChildrenError(children, chars, MOST);
}

function isFirst({ properties }: ActivityExecutionContext, index: number): boolean {
  const reported = new Uint8Array(Math.ceil(Number(properties[DISPATCHED]) / 8));
  if (properties[REPORTED] instanceof Uint8Array) reported.set(properties[REPORTED]);
  const [byte, bit] = [index >> 3, 1 << (index & 7)];
  if ((reported[byte]! & bit) !== 0) return false;
  reported[byte]! |= bit;
  properties[REPORTED] = reported;
  return true;
}

/** Members of a dictionary; undefined for all else, such as lists, dates, bytes and sets. */
function membersOf(item: unknown): Record<string, unknown> | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const kind = objectKind(item);
  if (kind === 'map') return Object.fromEntries(item as Map<string, unknown>);
  return kind === 'plain' || kind === 'other' ? (item as Record<string, unknown>) : undefined;
}

function toList(items: unknown): unknown[] {
  if (items === null || items === undefined) return [];
  if (typeof items === 'string') {
    const text = items.trim();
    return text.startsWith('[') ? (parseJsonText(text, CONVERTED_TEXT) as unknown[]) : [items];
  }
  return typeof items === 'object' && Symbol.iterator in items ? [...(items as Iterable<unknown>)] : [items];
}
