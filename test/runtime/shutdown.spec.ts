import 'reflect-metadata';
import { describe, expect, it, jest } from '@jest/globals';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  Activity,
  activity,
  ActivityBase,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  MemoryPersistence,
  RuntimeGate,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';
import { ShutdownTasks, WorkflowLogger } from '@waymark/runtime/adapter';
import { startNode } from '../support/runtime-node.js';

describe('a shutdown of which a part fails', () => {
  it('closes the store all the same, and is logged', async () => {
    const store = new MemoryPersistence();
    const close = jest.spyOn(store, 'close');
    const node = await startNode(store);
    node.get(ShutdownTasks).add(() => Promise.reject(new Error('no end')));
    const warn = jest.spyOn(WorkflowLogger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      await node.close();
      expect(warn.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining('no end')]);
    } finally {
      warn.mockRestore();
    }
    expect(close).toHaveBeenCalledTimes(1);
  });
});

/** A connection as applications have them: closed in the hook that Nest calls first. */
@Injectable()
class Mail implements OnModuleDestroy {
  private isOpen = true;
  readonly sent: string[] = [];

  onModuleDestroy(): unknown {
    this.isOpen = false;
    return undefined;
  }

  send(to: string): void {
    if (!this.isOpen) throw new Error('Connection is closed.');
    this.sent.push(to);
  }
}

@Injectable()
class Recipients {
  private asked!: () => void;
  readonly isAsked = new Promise<void>((resolve) => (this.asked = resolve));
  answer!: (recipient: string) => void;

  next(): Promise<string> {
    this.asked();
    return new Promise((resolve) => (this.answer = resolve));
  }
}

/** Asks for its recipient first, which takes until the test says so. */
@Activity({ type: 'Test.SendMail' })
class SendMail extends ActivityBase {
  constructor(
    private readonly mail: Mail,
    private readonly recipients: Recipients,
  ) {
    super();
  }

  async execute(): Promise<void> {
    this.mail.send(await this.recipients.next());
  }
}

@Workflow({ id: 'mail' })
class MailWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(activity(SendMail));
  }
}

@Module({ providers: [Mail, Recipients], exports: [Mail, Recipients] })
class MailModule {}

describe('a shutdown with services that close in onModuleDestroy', () => {
  const store = new MemoryPersistence();

  async function start() {
    const imports = [WorkflowModule.forRoot({ persistence: store }), MailModule];
    const module = await Test.createTestingModule({ imports, providers: [SendMail, MailWorkflow] }).compile();
    return module.init();
  }

  it('lets running bursts end before these are closed', async () => {
    const app = await start();
    const mail = app.get(Mail, { strict: false });
    const recipients = app.get(Recipients, { strict: false });
    const client = await app.get(IWorkflowRuntime, { strict: false }).createClient();
    const running = client.createAndRunInstance({ definition: 'mail' });
    await recipients.isAsked;
    app.get(RuntimeGate, { strict: false }).whenDraining(() => recipients.answer('ada'));
    await app.close();
    expect((await running).subStatus).toBe('Finished');
    expect(mail.sent).toEqual(['ada']);
  });

  it('stores what a listener dispatches while it stops, and leaves it to the next start', async () => {
    const app = await start();
    const listener = app.get(Mail, { strict: false });
    const dispatcher = app.get(IWorkflowDispatcher, { strict: false });
    let dispatched: Promise<unknown> | undefined;
    listener.onModuleDestroy = () =>
      (dispatched = dispatcher.dispatch({ definition: 'mail', workflowInstanceId: 'late' }));
    await app.close();
    await dispatched;
    expect(app.get(Recipients, { strict: false }).answer).toBeUndefined();
    const next = await start();
    await next.get(Recipients, { strict: false }).isAsked;
    next.get(Recipients, { strict: false }).answer('bob');
    await next.get(RuntimeGate, { strict: false }).settled();
    expect((await store.instances.load('late'))?.subStatus).toBe('Finished');
    await next.close();
  });
});
