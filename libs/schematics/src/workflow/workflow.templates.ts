import type { TemplateNames } from '../generating/generate-element.js';

export const workflowSource = ({ name, id }: TemplateNames): string => `\
import { sequence, setOutput, Workflow, type WorkflowBuilder, type WorkflowDefinitionBuilder } from '@waymark/nestjs';

@Workflow({ id: '${id}' })
export class ${name}Workflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const name = w.input<string>('name');
    const greeting = w.output<string>('greeting');

    w.root(sequence([setOutput(greeting, (scope) => \`Hello, \${name.get(scope)}!\`)]));
  }
}
`;

export const workflowSpecification = ({ name, id, file }: TemplateNames): string => `\
import { Test } from '@nestjs/testing';
import { IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';
import { WorkflowTestBed } from '@waymark/testing';
import { ${name}Workflow } from '${file}';

describe('${name}Workflow', () => {
  let bed: WorkflowTestBed;

  beforeEach(async () => {
    bed = await WorkflowTestBed.init(
      Test.createTestingModule({ imports: [WorkflowModule.forRoot()], providers: [${name}Workflow] }),
    );
  });
  afterEach(() => bed.close());

  it('greets', async () => {
    const client = await bed.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: '${id}', input: { name: 'Ann' } });
    const { state } = await bed.waitForStatus(client.workflowInstanceId, 'Finished');
    expect(state.output).toEqual({ greeting: 'Hello, Ann!' });
  });
});
`;
