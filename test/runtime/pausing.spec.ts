import { afterAll, afterEach, expect, it } from '@jest/globals';
import { IWorkflowRuntime, RuntimeGate } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

describeOn(await testBackends(), 'a runtime that is paused on $name', (backend) => {
  let node: RuntimeNode;
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  it('lets a burst that runs begin its child, and neither faults', async () => {
    const lines: string[] = [];
    node = await startNode(await backend.create(), {
      writeLine: (text) => {
        lines.push(text);
        if (text === 'before') node.get(RuntimeGate).pause();
      },
    });
    await node.deploy('child', line('L', 'in the child'));
    await node.deploy(
      'parent',
      sequence(
        'S',
        line('L', 'before'),
        {
          type: 'Elsa.ExecuteWorkflow',
          id: 'E',
          workflowDefinitionId: literal('child'),
          waitForCompletion: literal(true, 'Boolean'),
        },
        line('M', 'after'),
      ),
    );
    const client = await node.get(IWorkflowRuntime).createClient();
    const { subStatus, incidents } = await client.createAndRunInstance({ definition: 'parent' });
    expect(incidents).toEqual([]);
    expect([subStatus, lines]).toEqual(['Finished', ['before', 'in the child', 'after']]);
    const late = await node.get(IWorkflowRuntime).createClient();
    await expect(late.createAndRunInstance({ definition: 'child' })).rejects.toMatchObject({ code: 'WM3005' });
  });
});
