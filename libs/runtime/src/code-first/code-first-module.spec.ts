import { Injectable, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import {
  Activity,
  activity,
  ActivityBase,
  type ActivityExecutionContext,
  flowchart,
  Input,
  Output,
  setOutput,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import { IBookmarkResumer } from '../services/bookmark-services.js';
import { IWorkflowRuntime } from '../services/instance-services.js';
import { resolveRuntimeOptions } from '../options/resolve-runtime-options.js';
import { RUNTIME_OPTIONS } from '../options/runtime-options.js';
import { WorkflowRuntimeModule } from '../module/workflow-runtime.module.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { Workflow, type WorkflowBuilder } from './workflow-decorator.js';

@Injectable()
class LeaveService {
  readonly booked: string[] = [];
}

@Activity({ outcomes: ['Approved', 'Rejected'] })
class ManagerApproval extends ActivityBase {
  @Input({ type: 'String' }) requestId: string;
  @Output({ type: 'String' }) decidedBy?: string;

  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ stimulus: { requestId: this.requestId }, callback: this.onDecided });
  }

  onDecided(ctx: ActivityExecutionContext<{ by: string; approved: boolean }>): unknown {
    this.decidedBy = ctx.input.by;
    return ctx.completeWithOutcomes(ctx.input.approved ? 'Approved' : 'Rejected');
  }
}

@Activity()
class BookLeave extends ActivityBase {
  @Input({ type: 'String' }) requestId: string;

  constructor(private readonly leave: LeaveService) {
    super();
  }

  execute(): void {
    this.leave.booked.push(this.requestId);
  }
}

@Workflow({ id: 'leave-approval' })
class LeaveApproval implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const request = w.input<{ id: string }>('request');
    const decidedBy = w.variable<string>('decidedBy');
    const by = w.output<string>('by');
    const ask = activity(ManagerApproval, { requestId: (s) => request.get(s).id }, { outputs: { decidedBy } });
    const book = activity(BookLeave, { requestId: (s) => request.get(s).id });
    const tell = setOutput(by, decidedBy);
    w.root(flowchart((flow) => flow.start(ask).on('Approved', book, tell).on('Rejected', tell)));
  }
}

describe('a workflow class among the providers of an application', () => {
  it('runs as soon as the application does', async () => {
    Logger.overrideLogger(false);
    const persistence = new MemoryPersistence();
    const options = resolveRuntimeOptions({ persistence });
    const module = await Test.createTestingModule({
      imports: [WorkflowRuntimeModule.compose({ providers: [{ provide: RUNTIME_OPTIONS, useValue: options }] })],
      providers: [LeaveService, ManagerApproval, BookLeave, LeaveApproval],
    }).compile();
    await module.init();
    const client = await module.get(IWorkflowRuntime).createClient();
    const started = await client.createAndRunInstance({
      definition: 'leave-approval',
      input: { request: { id: 'r1' } },
    });
    expect(started).toMatchObject({ subStatus: 'Suspended', incidents: [] });
    await module
      .get(IBookmarkResumer)
      .resume(ManagerApproval, { requestId: 'r1' }, { input: { approved: true, by: 'mia' } });
    expect(module.get(LeaveService).booked).toEqual(['r1']);
    const instance = await persistence.instances.load(started.workflowInstanceId);
    expect(instance).toMatchObject({ subStatus: 'Finished', version: 1, state: { output: { by: 'mia' } } });
    await module.close();
  });
});
