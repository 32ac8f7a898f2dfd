import { Activity, ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/core';
import { valueNow } from '@waymark/core/adapter';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import {
  childInstanceId,
  type ChildReport,
  childStart,
  completeWith,
  keptReport,
  requireChannel,
  requirePublished,
} from './child-workflow.js';
import {
  channelNameInput,
  childInputInput,
  correlationIdInput,
  startNewTraceInput,
  waitForCompletionInput,
  workflowDefinitionIdInput,
} from './child-workflow-inputs.js';

/** Starts another workflow with the commit of this burst, and may wait until it has ended. */
@Activity({
  type: 'Elsa.DispatchWorkflow',
  category: 'Composition',
  description: 'Starts another workflow in the background and optionally waits for its end.',
})
export class DispatchWorkflow extends ActivityBase {
  /** Logical id of the workflow to start. */
  @Input(workflowDefinitionIdInput) workflowDefinitionId!: string;
  /** Correlation id of the instance: its business key. */
  @Input(correlationIdInput) correlationId?: string | null;
  /** Inputs of the child, by name. */
  @Input(childInputInput) input?: Record<string, unknown> | null;
  /** If true, the activity completes when the child has ended. @default false */
  @Input(waitForCompletionInput) waitForCompletion?: boolean | null;
  /** Ignored; kept for definitions from Elsa. */
  @Input(startNewTraceInput) startNewTrace?: boolean | null;
  /** Dispatch channel; leave it empty. */
  @Input(channelNameInput) channelName?: string | null;

  /** Output of the other workflow, once it has ended. */
  @Output({ type: 'Object', description: 'Output of the other workflow, once it has ended.' })
  result?: unknown;

  constructor(
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
  ) {
    super();
  }

  async execute(ctx: ActivityExecutionContext): Promise<unknown> {
    const report = keptReport(ctx);
    if (report) return this.completeAfter(ctx, report);
    requireChannel(this.channelName);
    const definition = await requirePublished(this.definitions, this.workflowDefinitionId);
    const { correlationId } = this;
    const input = valueNow(this.input);
    const id = childInstanceId(ctx);
    const bookmark = this.waitForCompletion
      ? ctx.createBookmark({ stimulus: { childInstanceId: id }, callback: this.onChildFinished })
      : undefined;
    const payload = childStart(ctx, definition, this.engine.types, { id, input, correlationId, bookmark });
    // A cancellation of the parent withdraws the message: no one would cancel a child that is started after it.
    ctx.workflow.send({ kind: 'start', payload, workflowInstanceId: ctx.workflow.id });
    return undefined;
  }

  /** Called by the engine when the child has reported its end. */
  onChildFinished(ctx: ActivityExecutionContext<ChildReport>): unknown {
    return this.completeAfter(ctx, ctx.input);
  }

  private completeAfter(ctx: ActivityExecutionContext, report: ChildReport): unknown {
    this.result = report.WorkflowOutput ?? {};
    return completeWith(ctx, report);
  }
}
