import { Activity, ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/core';
import { IWorkflowDefinitionService } from '../definitions/definition-services.js';
import type { StartMessage } from '../dispatch/messages.js';
import {
  childInput,
  childInstanceId,
  childProperties,
  type ChildReport,
  requireChannel,
  requirePublished,
} from './child-workflow.js';

const CHANNELS = { dropdown: { selectList: { items: [{ text: 'Default', value: '' }] } } };

/** Starts another workflow with the commit of this burst, and may wait until it has ended. */
@Activity({
  type: 'Elsa.DispatchWorkflow',
  category: 'Composition',
  description: 'Starts another workflow in the background and, if asked to, waits for its end.',
})
export class DispatchWorkflow extends ActivityBase {
  @Input({
    type: 'String',
    displayName: 'Workflow Definition',
    uiHint: 'workflow-definition-picker',
    description: 'Definition id of the workflow to start.',
  })
  workflowDefinitionId!: string;

  @Input({ type: 'String', displayName: 'Correlation ID', description: 'Correlation id of the new instance.' })
  correlationId?: string | null;

  @Input({ type: 'ObjectDictionary', uiHint: 'dropdown', description: 'Input of the new instance.' })
  input?: Record<string, unknown> | null;

  @Input({
    type: 'Boolean',
    displayName: 'Wait for Completion',
    description: 'Go on only when the other workflow has ended.',
  })
  waitForCompletion?: boolean | null;

  @Input({
    type: 'Boolean',
    displayName: 'Start New Trace',
    category: 'Open Telemetry',
    description: 'Kept for definitions from Elsa; traces are not written.',
  })
  startNewTrace?: boolean | null;

  @Input({
    type: 'String',
    displayName: 'Channel',
    uiHint: 'dropdown',
    uiSpecifications: CHANNELS,
    description: 'Channel to dispatch through.',
  })
  channelName?: string | null;

  @Output({ type: 'Object', description: 'Output of the other workflow, once it has ended.' })
  result?: unknown;

  constructor(private readonly definitions: IWorkflowDefinitionService) {
    super();
  }

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    requireChannel(this.channelName);
    const definition = await requirePublished(this.definitions, this.workflowDefinitionId);
    const workflowInstanceId = childInstanceId(ctx);
    const bookmark = this.waitForCompletion
      ? ctx.createBookmark({ stimulus: { childInstanceId: workflowInstanceId }, callback: this.onChildFinished })
      : undefined;
    const payload: StartMessage = {
      definition: { definitionVersionId: definition.id },
      workflowInstanceId,
      correlationId: this.correlationId ?? undefined,
      parentWorkflowInstanceId: ctx.workflow.id,
      input: childInput(ctx, this.input),
      properties: childProperties(ctx, bookmark),
    };
    ctx.workflow.send({ kind: 'start', payload });
  }

  onChildFinished(ctx: ActivityExecutionContext<ChildReport>): unknown {
    this.result = ctx.input.WorkflowOutput ?? {};
    return ctx.complete();
  }
}
