import { Injectable } from '@nestjs/common';
import {
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  Input,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
} from '@waymark/nestjs';

/** Stands for whatever the application does with a decision; the proof that the workflow went through. */
@Injectable()
export class Decisions {
  readonly made: string[] = [];
}

@Activity({ category: 'Package test', outcomes: ['Approved', 'Rejected'] })
export class Approval extends ActivityBase {
  @Input() request!: string;

  constructor(private readonly decisions: Decisions) {
    super();
  }

  execute(ctx: ActivityExecutionContext): void {
    this.decisions.made.push(`${this.request}: asked`);
    ctx.createBookmark({ stimulus: { request: this.request }, callback: this.onDecided });
  }

  onDecided(ctx: ActivityExecutionContext<{ approved: boolean }>): void {
    this.decisions.made.push(`${this.request}: ${ctx.input.approved ? 'approved' : 'rejected'}`);
    ctx.completeWithOutcomes(ctx.input.approved ? 'Approved' : 'Rejected');
  }
}

@Workflow({ id: 'approval', version: 1 })
export class ApprovalWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(Approval, { request: 'holiday' });
  }
}
