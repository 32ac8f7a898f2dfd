import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  IWorkflowRuntime,
  js,
  liquid,
  MemoryPersistence,
  type PersistenceProvider,
  sequence,
  setOutput,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
  type WorkflowModuleOptions,
  WorkflowPersistence,
} from '@waymark/nestjs';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '@waymark/scheduling/adapter';
import { WorkflowTestBed } from '@waymark/testing';

/** Stands for the data source of an application. */
@Injectable()
class DataSource {}

@Module({ providers: [DataSource], exports: [DataSource] })
class DataModule {}

const madeOf: DataSource[] = [];
const store = new MemoryPersistence();
const provider: PersistenceProvider = {
  inject: [DataSource],
  useFactory: (dataSource: DataSource) => {
    madeOf.push(dataSource);
    return store;
  },
};

@Workflow({ id: 'reads' })
class Reads implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const [script, template, secret] = ['script', 'template', 'secret'].map((name) => w.output<string>(name));
    w.root(
      sequence([
        setOutput(script!, js<string>('new Date().toISOString()')),
        setOutput(template!, liquid<string>('{{ "now" | date: "%Y-%m-%d" }}')),
        setOutput(secret!, js<string>("secret('word').length")),
      ]),
    );
  }
}

describe('the options of scripts', () => {
  it.each([undefined, null])(
    'options of scripts that are %s leave the clock and the secrets of the host to scripts',
    async (nothing) => {
      const none = { clock: nothing as undefined, secrets: nothing as undefined };
      const secrets = [{ find: () => 'a-long-word' }];
      const imports = [WorkflowModule.forRoot({ secrets, javascript: none, liquid: none })];
      const bed = await WorkflowTestBed.init(Test.createTestingModule({ imports, providers: [Reads] }));
      const client = await bed.get(IWorkflowRuntime).createClient();
      const { state } = await client.createAndRunInstance({ definition: 'reads' });

      expect(state.output).toEqual({ script: '2026-01-01T00:00:00.000Z', template: '2026-01-01', secret: 11 });
      await bed.close();
    },
  );
});

describe('the persistence of WorkflowModule.forRootAsync', () => {
  let module: TestingModule | undefined;
  afterEach(async () => {
    await module?.close();
    module = undefined;
    madeOf.length = 0;
  });

  const compile = (options: Parameters<typeof WorkflowModule.forRootAsync>[0]): Promise<TestingModule> =>
    Test.createTestingModule({
      imports: [WorkflowModule.forRootAsync({ imports: [DataModule], ...options })],
    }).compile();

  it('may be a provider beside the factory, which Nest gives what it injects', async () => {
    module = await compile({ persistence: provider, useFactory: () => ({ nodeName: 'n' }) });
    expect(module.get(WorkflowPersistence)).toBe(store);
    expect(madeOf).toEqual([module.get(DataSource, { strict: false })]);
  });

  it('may be a store beside the factory', async () => {
    module = await compile({ persistence: store, useFactory: () => ({}) });
    expect(module.get(WorkflowPersistence)).toBe(store);
  });

  it('may be a store that the factory returns', async () => {
    module = await compile({ useFactory: () => ({ persistence: store }) });
    expect(module.get(WorkflowPersistence)).toBe(store);
  });

  it('is not a provider that the factory returns, and the error says where it stands', async () => {
    await expect(compile({ useFactory: () => ({ persistence: provider }) })).rejects.toThrow('beside useFactory');
  });

  it('cannot be given twice', async () => {
    const useFactory = () => ({ persistence: new MemoryPersistence() });
    await expect(compile({ persistence: provider, useFactory })).rejects.toThrow('returns another one');
  });
});

describe('options of WorkflowModule with unknown names', () => {
  const said = "has no option 'persistance'. Did you mean 'persistence'?";

  it.each([
    ['forRoot', () => WorkflowModule.forRoot({ persistance: store } as never)],
    [
      'the factory of forRootAsync',
      () => WorkflowModule.forRootAsync({ useFactory: () => ({ persistance: 1 }) as never }),
    ],
  ])('options of WorkflowModule with unknown names are refused at start: %s', async (_, make) => {
    await expect(Test.createTestingModule({ imports: [make()] }).compile()).rejects.toThrow(`WorkflowModule ${said}`);
  });

  it('options of WorkflowModule with unknown names are refused beside the factory', () => {
    const options = { persistance: store, useFactory: () => ({}) };
    expect(() => WorkflowModule.forRootAsync(options)).toThrow(`WorkflowModule.forRootAsync() ${said}`);
  });

  it('exclude those that replace classes', () => {
    const extras = { authorizer: undefined, faultHandler: undefined, controllerDecorators: [] };
    expect(() => WorkflowModule.forRootAsync({ useFactory: () => ({}), ...extras } as never)).not.toThrow();
  });
});

it('a shutdown waits for bursts of timers as long as for others, unless they have less time', async () => {
  const waitsFor = async (options: WorkflowModuleOptions) => {
    const module = await Test.createTestingModule({ imports: [WorkflowModule.forRoot(options)] }).compile();
    return module.get<ResolvedSchedulingOptions>(SCHEDULING_OPTIONS).drainTimeoutMs;
  };
  expect(await waitsFor({})).toBe(30_000);
  expect(await waitsFor({ drainTimeoutMs: 300_000 })).toBe(300_000);
  expect(await waitsFor({ drainTimeoutMs: 10_000 })).toBe(10_000);
  expect(await waitsFor({ drainTimeoutMs: 10_000, scheduling: { drainTimeoutMs: 2_000 } })).toBe(2_000);
  expect(await waitsFor({ drainTimeoutMs: 10_000, scheduling: { drainTimeoutMs: 60_000 } })).toBe(10_000);
});

it.each([
  ['with different options', () => ['a', 'b'].map((nodeName) => WorkflowModule.forRoot({ nodeName }))],
  ['in two modules, without options', () => [WorkflowModule.forRoot(), WorkflowModule.forRoot()]],
])('refuses WorkflowModule twice in one application, %s', async (_, modules) => {
  const imports = modules();
  await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow(
    'WorkflowModule is imported 2 times. Import it once, in the root module: it is global, and other modules only list their providers.',
  );
});
