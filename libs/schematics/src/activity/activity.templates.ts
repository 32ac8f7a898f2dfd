import type { TemplateNames } from '../generating/generate-element.js';

export const activitySource = ({ name }: TemplateNames): string => `\
import { Activity, ActivityBase, Input, Output } from '@waymark/nestjs';

@Activity({ description: 'Describe what ${name} does.' })
export class ${name} extends ActivityBase {
  @Input({ description: 'The text to change.' })
  text!: string;

  @Output({ description: 'The changed text.' })
  result?: string;

  execute(): void {
    this.result = this.text.toUpperCase();
  }
}
`;

export const activitySpecification = ({ name, id, file }: TemplateNames): string => `\
import { Test } from '@nestjs/testing';
import {
  activity,
  IWorkflowRuntime,
  sequence,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';
import { WorkflowTestBed } from '@waymark/testing';
import { ${name} } from '${file}';

@Workflow({ id: 'test-of-${id}' })
class TestWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const result = w.output<string>('result');
    w.root(sequence([activity(${name}, { text: 'hello' }, { id: 'under-test', outputs: { result } })]));
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

  it('returns its result', async () => {
    const client = await bed.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'test-of-${id}' });
    const { state } = await bed.waitForStatus(client.workflowInstanceId, 'Finished');
    expect(state.output).toEqual({ result: 'HELLO' });
  });
});
`;
