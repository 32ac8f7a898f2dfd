import { expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { IEventPublisher, IWorkflowDefinitionPublisher, IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';

const literal = (value: string) => ({ typeName: 'String', expression: { type: 'Literal', value } });
const script = (value: string) => ({ typeName: 'String', expression: { type: 'JavaScript', value } });
const variable = (name: string, value: string, driver?: string) => ({
  ...{ id: name, name, typeName: 'String', isArray: false, value },
  ...(driver && { storageDriverTypeName: driver }),
});
const input = (name: string, driver?: string) => ({
  name,
  type: 'String',
  ...(driver && { storageDriverType: driver }),
});

it('is what docs/values.md says: in JSON, values with a storage driver', async () => {
  const driver = 'WorkflowInstanceStorageDriver';
  const lines: string[] = [];
  const options = { writeLine: (text: string) => void lines.push(text) };
  const app = await Test.createTestingModule({ imports: [WorkflowModule.forRoot(options)] }).compile();
  await app.init();
  const source = literal('setVariable("v", "A"); setVariable("keptV", "B")');
  const changed = { id: 'change', type: 'Elsa.RunJavaScript', script: source };
  const line = (id: string) => ({
    id,
    type: 'Elsa.WriteLine',
    text: script('[getVariable("v"), getVariable("keptV"), getInput("i"), getInput("keptI")].join()'),
  });
  const wait = { id: 'wait', type: 'Elsa.Event', eventName: literal('go') };
  const { succeeded } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish({
    definitionId: 'waits',
    variables: [variable('v', 'a'), variable('keptV', 'b', driver)] as never,
    inputs: [input('i'), input('keptI', driver)] as never,
    root: { id: 'all', type: 'Elsa.Sequence', activities: [changed, line('before'), wait, line('after')] } as never,
  });
  expect(succeeded).toBe(true);
  const client = await app.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'waits', input: { i: 'c', keptI: 'd' } });
  await app.get(IEventPublisher).publish('go');
  expect(lines).toEqual(['A,B,c,d', 'a,B,,d']);
  await app.close();
});
