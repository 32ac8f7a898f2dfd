import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Scope } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  activity,
  type ActivityExecutionContext,
  ActivityMethod,
  type ActivityMethodOptions,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';
import { IWorkflowRuntime, WorkflowEngine } from '@waymark/runtime';
import { WorkflowTestBed } from '@waymark/testing';
import { W, act, js, lit, out, seq, variable } from '../conformance/lib/build.mjs';
import { TestApplication } from '../support/application.js';
import { useApplication } from '../support/use-application.js';

@Injectable()
class Rates {
  constructor(@Inject('FACTOR') private readonly factor: number) {}

  @ActivityMethod({
    description: 'Converts an amount.',
    inputs: { amount: { type: 'Double' }, name: { type: 'String' }, execute: { type: 'String', defaultValue: 'none' } },
    output: { type: 'String' },
  })
  async convert(
    { amount, name, execute }: { amount: number; name: string; execute: string },
    ctx: ActivityExecutionContext,
  ): Promise<string> {
    return Promise.resolve(`${amount * this.factor} ${name} ${execute} ${ctx.activityId}`);
  }

  @ActivityMethod({ type: 'Shop.Fails', outcomes: ['No'] })
  fails(): never {
    throw new Error('no rate');
  }

  @ActivityMethod()
  silent(): void {}

  notAnActivity(): void {}
}

class MoreRates extends Rates {}

@Workflow({ id: 'convert' })
class ConvertWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const converted = w.output<string>('converted');
    w.root(activity('App.Rates.Convert', { amount: 21 }, { id: 'convert', outputs: { output: converted } }));
  }
}

@Workflow({ id: 'silent' })
class SilentWorkflow implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(activity('App.Rates.Silent'));
  }
}

type OverrideBy = ReturnType<ReturnType<typeof Test.createTestingModule>['overrideProvider']>;

const test = useApplication({ providers: [{ provide: 'FACTOR', useValue: 2 }, Rates] });
const registered = () => test.app.get(WorkflowEngine).activities;

describe('methods of providers', () => {
  it('methods of providers are activities, with inputs by name and the returned value as output', async () => {
    const got = variable('Got', 'String');
    const run = await test.run(
      seq('S', [
        act('App.Rates.Convert', 'C', {
          amount: js('20 + 1', 'Double'),
          _Name: lit('EUR', 'String'),
          output: out(got),
        }),
        act('App.Rates.Silent', 'Q'),
        W('w', js('getGot()')),
      ]),
      { variables: [got] },
    );
    expect([run.status, run.lines]).toEqual(['Finished', ['42 EUR none C']]);
    expect(run.record('C').outputs).toEqual({ Output: '42 EUR none C' });
  });

  it('methods of providers are described like classes', () => {
    const { descriptor } = registered().find('App.Rates.Convert')!;
    expect(descriptor).toMatchObject({
      typeName: 'App.Rates.Convert',
      namespace: 'App.Rates',
      name: 'Convert',
      category: 'Rates',
      description: 'Converts an amount.',
      kind: 'Action',
    });
    expect(descriptor.inputs.map((i) => [i.name, i.typeName, i.displayName])).toEqual([
      ['Amount', 'Double', 'Amount'],
      ['_Name', 'String', 'Name'],
      ['Execute', 'String', 'Execute'],
    ]);
    expect(descriptor.outputs.map((o) => [o.name, o.typeName])).toEqual([['Output', 'String']]);
    expect(
      registered()
        .find('Shop.Fails')!
        .descriptor.ports.map((p) => p.name),
    ).toEqual(['No']);
    expect(registered().find('App.Rates.NotAnActivity')).toBeUndefined();
  });

  it('methods of providers fault when they throw', async () => {
    const run = await test.run(act('Shop.Fails', 'F'));
    expect([run.status, run.incidents]).toEqual(['Faulted', ['no rate']]);
  });

  it('methods of providers of a base class and of what a factory makes are found, too', async () => {
    const app = await TestApplication.start({ providers: [{ provide: 'More', useFactory: () => new MoreRates(3) }] });
    try {
      expect(app.get(WorkflowEngine).activities.find('App.MoreRates.Silent')).toBeDefined();
    } finally {
      await app.close();
    }
  });

  it('methods of providers are called on what a test provides in their place', async () => {
    const fake = { convert: ({ amount }: { amount: number }) => `${amount} for nothing` };
    for (const override of [
      (rates: OverrideBy) => rates.useValue(fake),
      (rates: OverrideBy) => rates.useFactory({ factory: () => fake }),
    ]) {
      const module = Test.createTestingModule({
        imports: [WorkflowModule.forRoot()],
        providers: [ConvertWorkflow, SilentWorkflow, Rates],
      });
      module.setLogger({ log: () => {}, warn: () => {}, error: () => {} });
      const bed = await WorkflowTestBed.init(override(module.overrideProvider(Rates)));
      try {
        const client = await bed.get(IWorkflowRuntime).createClient();
        const { output } = await client.createAndRunInstance({ definition: 'convert' });
        expect(output).toEqual({ converted: '21 for nothing' });
        const failed = await (
          await bed.get(IWorkflowRuntime).createClient()
        ).createAndRunInstance({ definition: 'silent' });
        expect(failed.incidents.map(({ message }) => message)).toEqual([
          expect.stringContaining('has no method silent()'),
        ]);
      } finally {
        await bed.close();
      }
    }
  });

  it.each<[string, ActivityMethodOptions, string]>([
    ['a type that another method has', { type: 'Shop.Fails' }, 'WM1044'],
    ['a type that a built-in activity has', { type: 'Elsa.WriteLine' }, 'WM1044'],
    ['a retry policy that allows no run', { retry: { maxAttempts: 0 } }, 'WM1040'],
    ['a timeout that is not a time span', { timeout: 'soon' }, 'WM1040'],
  ])('methods of providers are refused with %s', async (_, options, code) => {
    class Other {
      @ActivityMethod(options)
      run(): void {}
    }
    const providers = [{ provide: 'FACTOR', useValue: 2 }, Rates, Other];
    await expect(TestApplication.start({ providers })).rejects.toMatchObject({
      code,
      message: expect.stringContaining('Other.run()'),
    });
  });

  it('methods of providers may be provided by several modules, and under several tokens', async () => {
    const providers = [
      { provide: 'FACTOR', useValue: 2 },
      Rates,
      { provide: 'Alias', useExisting: Rates },
      { provide: 'Second', useClass: Rates },
    ];
    const app = await TestApplication.start({ providers });
    expect(app.get(WorkflowEngine).activities.find('App.Rates.Convert')).toBeDefined();
    await app.close();
  });

  it('methods of providers of a request-scoped provider are refused', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped {
      @ActivityMethod()
      run(): void {}
    }
    await expect(TestApplication.start({ providers: [Scoped] })).rejects.toThrow(/Scoped is request-scoped/);
  });
});
