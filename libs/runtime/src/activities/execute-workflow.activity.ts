import {
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  Input,
  isWaymarkError,
  Output,
  type WorkflowState,
} from '@waymark/core';
import { inAnyCasing, valueNow } from '@waymark/core/adapter';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { EXECUTE_WORKFLOW, INLINE_BURST, type JoinChildMessage } from '../bursts/messages.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import {
  childInstanceId,
  type ChildReport,
  childStart,
  completeWith,
  keptReport,
  nextInlineDepth,
  requirePublished,
} from './child-workflow.js';
import {
  childInputInput,
  correlationIdInput,
  waitForCompletionInput,
  workflowDefinitionIdInput,
} from './child-workflow-inputs.js';

interface Child {
  readonly state: WorkflowState;
  /** If true, the child continued after its first commit, so its end was not part of this burst. */
  readonly hasReported: boolean;
}

/** Runs another workflow at once, as an instance of its own, and may wait until it has ended. */
@Activity({
  type: EXECUTE_WORKFLOW,
  category: 'Composition',
  kind: 'Task',
  description: 'Runs another workflow at once and optionally waits for its end.',
})
export class ExecuteWorkflow extends ActivityBase {
  /** Logical id of the workflow to run. */
  @Input(workflowDefinitionIdInput) workflowDefinitionId!: string;
  /** Correlation id of the instance: its business key. */
  @Input(correlationIdInput) correlationId?: string | null;
  /** Inputs of the child, by name. */
  @Input(childInputInput) input?: Record<string, unknown> | null;
  /** If true, the activity completes when the child has ended. @default false */
  @Input(waitForCompletionInput) waitForCompletion?: boolean | null;

  /** Id, status and output of the other workflow. */
  @Output({ type: 'ExecuteWorkflowResult', description: 'Id, status and output of the other workflow.' })
  result?: unknown;

  constructor(
    private readonly definitions: IWorkflowDefinitionService,
    private readonly executor: BurstExecutor,
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
  ) {
    super();
  }

  async execute(ctx: ActivityExecutionContext): Promise<unknown> {
    const kept = keptReport(ctx);
    if (kept) return this.completeAfter(ctx, kept);
    const definition = await requirePublished(this.definitions, this.workflowDefinitionId);
    const depth = nextInlineDepth(ctx);
    const id = childInstanceId(ctx);
    const wait = this.waitForCompletion === true;
    // Created before the child runs: a child that is suspended must know at which bookmark its end is awaited.
    const bookmark = wait
      ? ctx.createBookmark({ stimulus: { childInstanceId: id }, callback: this.onChildFinished })
      : undefined;
    const { input, correlationId } = this;
    const request = childStart(ctx, definition, this.engine.types, { id, input, correlationId, bookmark });
    const { schedulingActivityExecutionId, schedulingWorkflowInstanceId, callStackDepth } = request;
    const transient = [...ctx.workflow.transient, [INLINE_BURST, depth] as const];
    const run = { transient, schedulingActivityExecutionId, schedulingWorkflowInstanceId, callStackDepth };
    // A pause or shutdown waits for this burst, and so for the child that runs within it.
    const child = await this.runOrFind(ctx, id, () => this.executor.create(id, request, run, { isAdmitted: true }));
    if (!child) {
      // A node that has its code starts it with the commit of this burst.
      ctx.workflow.send({
        kind: 'start',
        payload: { ...request, input: valueNow(request.input) },
        workflowInstanceId: ctx.workflow.id,
      });
      if (bookmark) return undefined;
      this.result = report(id, 'Running', 'Pending', {});
      return ctx.complete();
    }
    const { state, hasReported } = child;
    if (bookmark && (state.status !== 'Finished' || hasReported)) {
      // It may end before this burst does; then its report finds no bookmark.
      const { name, hash } = bookmark;
      const payload: JoinChildMessage = { workflowInstanceId: ctx.workflow.id, childInstanceId: id, name, hash };
      ctx.workflow.send({ kind: 'join-child', payload });
      return undefined;
    }
    return this.completeAfter(ctx, {
      WorkflowInstanceId: state.id,
      WorkflowStatus: state.status,
      WorkflowSubStatus: state.subStatus,
      WorkflowOutput: state.output,
    });
  }

  /** Called by the engine when the child has reported its end. */
  onChildFinished(ctx: ActivityExecutionContext<ChildReport>): unknown {
    return this.completeAfter(ctx, ctx.input);
  }

  private completeAfter(ctx: ActivityExecutionContext, child: ChildReport): unknown {
    const { WorkflowInstanceId, WorkflowStatus, WorkflowSubStatus, WorkflowOutput } = child;
    this.result = report(WorkflowInstanceId, WorkflowStatus, WorkflowSubStatus, WorkflowOutput ?? {});
    return completeWith(ctx, child);
  }

  /**
   * This burst ran before and crashed after the child's commit: the child is there already. Not an instance of that id with another
   * parent: the id can be computed, and a caller from outside may have started another workflow under it.
   * @returns undefined when this node lacks the code of the child
   * @throws InstanceExistsError (`WM3002`)
   */
  private async runOrFind(
    { workflow }: ActivityExecutionContext,
    id: string,
    run: () => Promise<{ state: WorkflowState }>,
  ): Promise<Child | undefined> {
    try {
      return { state: (await run()).state, hasReported: false };
    } catch (error) {
      if (isWaymarkError(error, 'WM2040')) return undefined;
      const existing = isWaymarkError(error, 'WM3002') ? await this.persistence.instances.load(id) : undefined;
      if (existing?.state.parentWorkflowInstanceId !== workflow.id) throw error;
      const { state, revision } = existing;
      return { state, hasReported: state.status === 'Finished' && revision > 1 };
    }
  }
}

function report(workflowInstanceId: string, status: string, subStatus: string, output: Record<string, unknown>) {
  // Scripts of Elsa write `Output`.
  return inAnyCasing({ workflowInstanceId, status, subStatus, output });
}
