import { afterEach, describe, expect, it } from '@jest/globals';
import { type DynamicModule, type INestApplicationContext, Injectable, Module, Scope, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  type CompiledExpression,
  type Expression,
  type ExpressionHandler,
  type ExpressionScope,
  ExpressionSyntax,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  WorkflowEngine,
  WorkflowModule,
  type WorkflowModuleOptions,
} from '@waymark/nestjs';

// ----- a library of its own, which no other one knows -----

const descriptorOf = (type: string) => ({
  type,
  displayName: type,
  isSerializable: true,
  isBrowsable: true,
  properties: { MonacoLanguage: 'python' },
});

@Injectable()
class Interpreter {
  /** `a + b`, of variables. */
  evaluate(text: string, scope: ExpressionScope): number {
    return text.split('+').reduce((sum, name) => sum + Number(scope.getVariable(name.trim())), 0);
  }
}

@Injectable()
@ExpressionSyntax()
class SumExpressions implements ExpressionHandler {
  readonly descriptor = descriptorOf('Acme.Sum');
  constructor(private readonly interpreter: Interpreter) {}

  compile({ value }: Expression): CompiledExpression {
    return async (scope) => this.interpreter.evaluate(String(value), scope);
  }
}

@Module({ providers: [Interpreter, SumExpressions] })
class AcmeModule {}

/** A class of that name that answers the same for every expression. */
const fixed = (name: string, type: string, answer: string): Type<ExpressionHandler> => {
  const Handler = {
    [name]: class implements ExpressionHandler {
      readonly descriptor = descriptorOf(type);
      compile = () => () => answer;
    },
  }[name]!;
  ExpressionSyntax()(Handler);
  Injectable()(Handler);
  return Handler;
};

describe('expressions of a library', () => {
  let app: INestApplicationContext | undefined;
  let lines: string[];

  const start = async (imports: (Type | DynamicModule)[], options: WorkflowModuleOptions = {}) => {
    lines = [];
    const writeLine = (text: string) => void lines.push(text);
    const workflows = WorkflowModule.forRoot({ pollIntervalMs: 2 ** 30, writeLine, ...options });
    const module = await Test.createTestingModule({ imports: [...imports, workflows] }).compile();
    await module.init();
    app = module;
    return module;
  };
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const publish = (type: string) =>
    app!.get(IWorkflowDefinitionPublisher).saveAndPublish({
      definitionId: 'w',
      variables: ['a', 'b'].map((name, index) => ({ id: name, name, typeName: 'Int32', value: index + 2 })) as never,
      root: { type: 'Elsa.WriteLine', id: 'Say', text: { typeName: 'String', expression: { type, value: 'a + b' } } },
    });
  const run = async (type: string): Promise<string[]> => {
    expect((await publish(type)).problems).toEqual([]);
    const client = await app!.get(IWorkflowRuntime).createClient();
    const { incidents } = await client.createAndRunInstance({ definition: 'w' });
    expect(incidents).toEqual([]);
    return lines;
  };
  const descriptors = () => app!.get(WorkflowEngine).expressions.descriptors();

  it('expressions of a library are known once its module is imported: to editors, to validation, to workflows', async () => {
    await start([AcmeModule]);
    expect(descriptors()).toContainEqual(descriptorOf('Acme.Sum'));
    expect(await run('Acme.Sum')).toEqual(['5']);
  });

  it('expressions of a library are refused where it is not', async () => {
    await start([]);
    const { succeeded, problems } = await publish('Acme.Sum');
    expect([succeeded, problems.map(({ message }) => message).join()]).toEqual([
      false,
      expect.stringContaining('Acme.Sum'),
    ]);
  });

  it('may come from a factory, and take the place of a standard type', async () => {
    const Own = fixed('OwnLiquid', 'Liquid', 'own');
    const module = { module: class OwnModule {}, providers: [{ provide: 'own', useFactory: () => new Own() }] };
    await start([module]);
    expect(await run('Liquid')).toEqual(['own']);
    expect(descriptors().filter(({ type }) => type === 'Liquid')).toHaveLength(1);
  });

  it('two classes for one expression type end the start, unless the host chooses one', async () => {
    const providers = [fixed('First', 'Acme.Same', '1'), fixed('Second', 'Acme.Same', '2')];
    const module = { module: class TwiceModule {}, providers };
    await expect(start([module])).rejects.toThrow(/two handlers for expressions of type "Acme.Same", First and Second/);
    const Chosen = fixed('Chosen', 'Acme.Same', 'chosen');
    await start([module], { expressions: [new Chosen()] });
    expect(await run('Acme.Same')).toEqual(['chosen']);
  });

  it('expressions of a library are the same for all executions', async () => {
    const Own = fixed('Own', 'Acme.Own', '1');
    const providers = [{ provide: Own, useClass: Own, scope: Scope.REQUEST }];
    await expect(start([{ module: class ScopedModule {}, providers }])).rejects.toThrow(/Own is request-scoped/);
  });
});
