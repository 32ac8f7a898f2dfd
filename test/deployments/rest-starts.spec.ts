import { afterEach, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WorkflowApiModule } from '@waymark/api';
import {
  MemoryPersistence,
  setOutput,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';

@Workflow({ id: 'greeting', version: 1 })
class GreetingV1 implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(setOutput(w.output<string>('text'), () => 'Hello'));
  }
}

@Workflow({ id: 'greeting', version: 2 })
class GreetingV2 implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(setOutput(w.output<string>('text'), () => 'Good morning'));
  }
}

const persistence = new MemoryPersistence();
const nodes: INestApplication[] = [];

afterEach(async () => {
  for (const app of nodes.splice(0)) await app.close();
});

async function node(order: number, workflow: typeof GreetingV1 | typeof GreetingV2): Promise<string> {
  const deployment = { id: `release ${order}`, order };
  @Module({
    imports: [WorkflowModule.forRoot({ persistence, deployment }), WorkflowApiModule.forRoot({ allowAnonymous: true })],
    providers: [workflow],
  })
  class NodeModule {}
  const app = await NestFactory.create(NodeModule, { logger: false });
  nodes.push(app);
  await app.listen(0, '127.0.0.1');
  return `${await app.getUrl()}/elsa/api/workflow-definitions/greeting/execute`;
}

it('starts the newest version that the node has, unless the request names another', async () => {
  const old = await node(1, GreetingV1);
  const fresh = await node(2, GreetingV2);
  const execute = async (url: string, body: object) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { workflowState, code } = (await answer.json()) as {
      workflowState?: { definitionVersion: number; output: object };
      code?: string;
    };
    return [answer.status, workflowState?.definitionVersion ?? code, workflowState?.output];
  };
  expect(await execute(fresh, {})).toEqual([200, 2, { text: 'Good morning' }]);
  expect(await execute(old, {})).toEqual([200, 1, { text: 'Hello' }]);
  const byGet = await fetch(old);
  expect(byGet.status).toBe(200);
  expect(await execute(old, { versionOptions: 'Latest' })).toEqual([503, 'WM2040', undefined]);
});
