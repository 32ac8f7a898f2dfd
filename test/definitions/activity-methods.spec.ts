import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Scope } from '@nestjs/common';
import { ActivityMethod, type ActivityExecutionContext } from '@waymark/nestjs';
import { WorkflowEngine } from '@waymark/runtime';
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

  it('methods of providers of a request-scoped provider are refused', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped {
      @ActivityMethod()
      run(): void {}
    }
    await expect(TestApplication.start({ providers: [Scoped] })).rejects.toThrow(/Scoped is request-scoped/);
  });
});
