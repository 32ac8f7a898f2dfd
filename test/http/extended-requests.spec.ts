import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  Activity,
  activity,
  type ActivityExecutionContext,
  IWorkflowRuntime,
  RequestSender,
  SendHttpRequest,
  sequence,
  setOutput,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';
import { WorkflowTestBed } from '@waymark/testing';

@Injectable()
class Tokens {
  get(): string {
    return 'Bearer abcdefgh';
  }
}

@Activity({ type: 'App.CallPartner' })
class CallPartner extends SendHttpRequest {
  constructor(
    sender: RequestSender,
    private readonly tokens: Tokens,
  ) {
    super(sender);
  }

  override execute(ctx: ActivityExecutionContext): ReturnType<SendHttpRequest['execute']> {
    this.authorization = this.tokens.get();
    return super.execute(ctx);
  }
}

let server: Server;
beforeEach(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'text/plain');
    response.end(request.headers.authorization);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

it('a class that extends SendHttpRequest injects its services beside the sender', async () => {
  const { port } = server.address() as AddressInfo;

  @Workflow({ id: 'call' })
  class Call implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      const answer = w.variable<string>('answer', { type: 'String' });
      const result = w.output<string>('result', { type: 'String' });
      const url = `http://127.0.0.1:${port}/`;
      w.root(
        sequence([activity(CallPartner, { url }, { outputs: { parsedContent: answer } }), setOutput(result, answer)]),
      );
    }
  }
  const providers = [CallPartner, Tokens, Call];
  const bed = await WorkflowTestBed.init(Test.createTestingModule({ imports: [WorkflowModule.forRoot()], providers }));
  const client = await bed.get(IWorkflowRuntime).createClient();
  const { incidents, output } = await client.createAndRunInstance({ definition: 'call' });
  await bed.close();
  expect(incidents).toEqual([]);
  expect(output).toEqual({ result: 'Bearer abcdefgh' });
});
