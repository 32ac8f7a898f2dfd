import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import {
  Activity,
  activity,
  ActivityBase,
  type ActivityExecutionContext,
  Input,
  IWorkflowRuntime,
  Output,
  SendHttpRequest,
  sequence,
  setOutput,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';
import { WorkflowTestBed } from '@waymark/testing';

/** Asks an address that answers nothing in a test. */
@Workflow({ id: 'prices' })
class Prices implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const answer = w.variable<unknown>('answer');
    const price = w.output<unknown>('price');
    w.root(
      sequence([
        activity(SendHttpRequest, { url: 'http://prices.invalid/coal' }, { outputs: { parsedContent: answer } }),
        setOutput(price, answer),
      ]),
    );
  }
}

@Activity({ type: 'App.Rate' })
class Rate extends ActivityBase {
  @Input() currency!: string;
  @Output() rate?: number;

  constructor(private readonly source: (currency: string) => number) {
    super();
  }

  execute(): void {
    this.rate = this.source(this.currency);
  }
}

@Workflow({ id: 'rates' })
class Rates implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const rate = w.variable<number>('rate');
    const result = w.output<number>('rate');
    w.root(sequence([activity(Rate, { currency: 'SEK' }, { outputs: { rate } }), setOutput(result, rate)]));
  }
}

const answering = (answer: unknown) =>
  function execute(this: { parsedContent?: unknown }, ctx: ActivityExecutionContext): unknown {
    this.parsedContent = answer;
    return ctx.complete();
  };

class FakeRequest extends ActivityBase {
  execute = answering('a class');
}

@Activity({ type: 'Elsa.SendHttpRequest' })
class DecoratedRequest extends SendHttpRequest {
  override execute = answering('a decorated class') as unknown as SendHttpRequest['execute'];
}

describe('an activity class that is replaced', () => {
  let bed: WorkflowTestBed | undefined;
  afterEach(() => bed?.close());

  async function outputOf(builder: TestingModuleBuilder, definition: string): Promise<unknown> {
    bed = await WorkflowTestBed.init(builder);
    const client = await bed.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition });
    return (await bed.waitForStatus(client.workflowInstanceId, 'Finished')).state.output;
  }

  const withPrices = () => Test.createTestingModule({ imports: [WorkflowModule.forRoot()], providers: [Prices] });

  it('runs as the value that stands in for it', async () => {
    const builder = withPrices()
      .overrideProvider(SendHttpRequest)
      .useValue({ execute: answering('a value') });
    expect(await outputOf(builder, 'prices')).toEqual({ price: 'a value' });
  });

  it.each([
    [FakeRequest, 'a class'],
    [DecoratedRequest, 'a decorated class'],
  ])('runs as the class that stands in for it: %p', async (fake, price) => {
    const builder = withPrices().overrideProvider(SendHttpRequest).useClass(fake);
    expect(await outputOf(builder, 'prices')).toEqual({ price });
  });

  it('runs as what a factory makes', async () => {
    const builder = Test.createTestingModule({
      imports: [WorkflowModule.forRoot()],
      providers: [Rates, { provide: Rate, useFactory: () => new Rate(() => 10) }],
    });
    expect(await outputOf(builder, 'rates')).toEqual({ rate: 10 });
  });
});
