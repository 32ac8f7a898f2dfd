import type { TemplateNames } from '../generating/generate-element.js';

export const triggerSource = ({ name }: TemplateNames): string => `\
import { type ActivityExecutionContext, Input, Output, Trigger, TriggerBase } from '@waymark/nestjs';

/** Fires when \`IStimulusSender\` sends its stimulus: \`stimuli.send(${name}, { subject: 'a' }, { input: { message: 'b' } })\`. */
@Trigger({ type: 'App.${name}', description: 'Starts or resumes a workflow when ${name} happens.' })
export class ${name} extends TriggerBase {
  @Input({ description: 'The subject that a stimulus must have.' })
  subject!: string;

  @Output({ description: 'The message of the stimulus.' })
  message?: string;

  getTriggerPayloads(): { subject: string }[] {
    return [{ subject: this.subject }];
  }

  execute(ctx: ActivityExecutionContext): unknown {
    if (ctx.isTriggerOfWorkflow()) return this.onHappened(ctx);
    return ctx.createBookmark({ stimulus: { subject: this.subject }, callback: this.onHappened });
  }

  onHappened(ctx: ActivityExecutionContext<{ message: string }>): unknown {
    this.message = ctx.input.message;
    return ctx.complete();
  }
}
`;

export const triggerSpecification = ({ name, id, file }: TemplateNames): string => `\
import { Test } from '@nestjs/testing';
import {
  IStimulusSender,
  sequence,
  trigger,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowEvent,
  WorkflowModule,
} from '@waymark/nestjs';
import { WorkflowTestBed } from '@waymark/testing';
import { ${name} } from '${file}';

@Workflow({ id: 'test-of-${id}' })
class TestWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const message = w.output<string>('message');
    w.root(sequence([trigger(${name}, { subject: 'orders' }, { id: 'under-test', outputs: { message } })]));
  }
}

describe('${name}', () => {
  let bed: WorkflowTestBed;

  beforeEach(async () => {
    bed = await WorkflowTestBed.init(
      Test.createTestingModule({ imports: [WorkflowModule.forRoot()], providers: [${name}, TestWorkflow] }),
    );
  });
  afterEach(() => bed.close());

  it('starts a workflow with the message of the stimulus', async () => {
    await bed.get(IStimulusSender).send(${name}, { subject: 'orders' }, { input: { message: 'hello' } });
    const { workflowInstanceId } = await bed.waitForEvent(WorkflowEvent.WorkflowFinished);
    const { state } = await bed.waitForStatus(workflowInstanceId, 'Finished');
    expect(state.output).toEqual({ message: 'hello' });
  });
});
`;
