import 'reflect-metadata';
import { describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, type Provider, Scope } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  Activity,
  ActivityBase,
  Input,
  Trigger,
  Workflow,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';

@Activity()
class WithoutExecute {}

@Trigger()
class WithoutPayloads {
  execute(): void {}
}

@Injectable({ scope: Scope.REQUEST })
class CurrentUser {}

@Activity()
class NeedsUser extends ActivityBase {
  constructor(readonly user: CurrentUser) {
    super();
  }

  execute(): void {}
}

@Activity({ type: 'App.Pay' })
class Pay extends ActivityBase {
  execute(): void {}
}

@Activity({ type: 'App.Pay' })
class PayAgain extends ActivityBase {
  execute(): void {}
}

@Activity({ type: 'Elsa.SendHttpRequest' })
class OwnRequest extends ActivityBase {
  execute(): void {}
}

@Activity({ type: 'Elsa.WriteLine' })
class OwnLine extends ActivityBase {
  execute(): void {}
}

@Activity({ type: 'App.Pay', version: 2 })
class PayLater extends ActivityBase {
  execute(): void {}
}

@Workflow({ id: 'needs-user' })
class NeedsUserToo {
  constructor(readonly user: CurrentUser) {}

  build(w: WorkflowDefinitionBuilder): void {
    w.root([]);
  }
}

@Workflow({ id: 'pays' })
class Pays {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(Pay, {});
  }
}

class Undecorated extends ActivityBase {
  execute(): void {}
}

@Workflow({ id: 'uses-undecorated' })
class UsesUndecorated {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(Undecorated, {});
  }
}

/** A workflow that lacks its decorator. */
class Forgotten {
  build(w: WorkflowDefinitionBuilder): void {
    w.name('Forgotten').root([]);
  }
}

@Activity()
class Greet extends ActivityBase {
  @Input({ type: 'String' }) greeting?: string = 'Hello';
  @Input({ type: 'Boolean' }) isLoud = false;
  @Input({ type: 'Int32', defaultValue: 2 }) times = 2;
  @Input({ type: 'String' }) note: string | null = null;
  @Input({ type: 'String', autoEvaluate: false }) lazy = 'kept';

  execute(): void {}
}

/** Has nothing to do with workflows. */
@Injectable()
class QueryBuilder {
  build(parts: readonly string[]): string {
    return parts.join(' ');
  }
}

@Activity()
@Injectable({ scope: Scope.TRANSIENT })
class Transient extends ActivityBase {
  constructor(readonly builder: QueryBuilder) {
    super();
  }

  execute(): void {}
}

@Workflow({ id: 'transient' })
@Injectable({ scope: Scope.TRANSIENT })
class TransientWorkflow {
  build(w: WorkflowDefinitionBuilder): void {
    w.root([]);
  }
}

async function start(providers: readonly Provider[]): Promise<void> {
  const module = await Test.createTestingModule({
    imports: [WorkflowModule.forRoot()],
    providers: [...providers],
  }).compile();
  try {
    await module.init();
  } finally {
    await module.close();
  }
}

describe('providers that cannot work', () => {
  it.each<[string, Provider[], string, RegExp]>([
    [
      'an activity without execute()',
      [WithoutExecute],
      'WM1044',
      /^Class WithoutExecute cannot be an activity: it has no execute\(\) method\. Implement execute\(ctx\)\.$/,
    ],
    [
      'a trigger without getTriggerPayloads()',
      [WithoutPayloads],
      'WM1044',
      /^Class WithoutPayloads cannot be an activity: a trigger .* no getTriggerPayloads\(\) method\. Implement it, or use @Activity\(\)\.$/,
    ],
    [
      'two classes of one type',
      [Pay, PayAgain],
      'WM1044',
      /^Class PayAgain cannot be an activity: it has the type 'App\.Pay' and version 1, as class Pay has\. Give one of them another `type`/,
    ],
    [
      'the type of a built-in provider',
      [OwnRequest],
      'WM1044',
      /^Class OwnRequest cannot be an activity: it has the type 'Elsa\.SendHttpRequest' and version 1 of a built-in activity\. Give it a `type` of its own in its decorator\. In a test, overrideProvider\(SendHttpRequest\) replaces the built-in one\.$/,
    ],
    [
      'the type of an activity of the engine',
      [OwnLine],
      'WM1044',
      /^Class OwnLine cannot be an activity: it has the type 'Elsa\.WriteLine' and version 1 of a built-in activity\. Give it a `type` of its own in its decorator\.$/,
    ],
    [
      'a value without execute() in place of an activity',
      [{ provide: Pay, useValue: {} }],
      'WM1044',
      /^Class Pay cannot be an activity: it has no execute\(\) method\./,
    ],
    [
      'an activity that depends on a request',
      [CurrentUser, NeedsUser],
      'WM1045',
      /^Activity NeedsUser is request-scoped, or depends on a provider that is\. .*inject singletons only/,
    ],
    [
      'a workflow that depends on a request',
      [CurrentUser, NeedsUserToo],
      'WM1045',
      /^Workflow NeedsUserToo is request-scoped, or depends on a provider that is\. /,
    ],
    [
      'an activity of a transient scope, whose dependencies would be undefined',
      [QueryBuilder, Transient],
      'WM1045',
      /^Activity Transient is transient-scoped\. .*Remove the scope from @Injectable\(\)/,
    ],
    [
      'a workflow of a transient scope',
      [TransientWorkflow],
      'WM1045',
      /^Workflow TransientWorkflow is transient-scoped/,
    ],
    ['an activity that is not among the providers', [Pays], 'WM1023', /App\.Pay.*providers/s],
    [
      'a class without decorator',
      [UsesUndecorated],
      'WM1206',
      /^Class Undecorated is not an activity\. Decorate it with @Activity\(\) or @Trigger\(\)\.$/,
    ],
  ])('providers that cannot work are refused when the application starts: %s', async (_, providers, code, message) => {
    await expect(start(providers)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('versions of one type, and one class in several modules, are accepted as providers', async () => {
    await expect(start([Pay, PayLater, Pays])).resolves.toBeUndefined();
  });

  it.each<[string, Provider[], string[]]>([
    [
      'a workflow',
      [Forgotten],
      [
        'Class Forgotten describes a workflow in build() but has no decorator, so the workflow is not stored. Decorate it with @Workflow().',
      ],
    ],
    [
      'a workflow that a factory provides',
      [{ provide: 'forgotten', useFactory: () => new Forgotten() }, Forgotten],
      [expect.stringMatching(/^Class Forgotten describes a workflow/) as unknown as string],
    ],
    [
      'an activity',
      [Undecorated],
      [
        'Class Undecorated extends ActivityBase but has no decorator, so it is not an activity. Decorate it with @Activity() or @Trigger(), or remove it from the providers.',
      ],
    ],
    ['nothing, for a class that builds something else', [QueryBuilder, Pay, Pays], []],
    [
      'nothing, for a class that stands in for an activity in a test',
      [{ provide: Pay, useClass: Undecorated }, Pays],
      [],
    ],
  ])(
    'providers that cannot work are named in a warning when their decorator is missing: %s',
    async (_, providers, warnings) => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      warn.mockClear();
      await start(providers);
      const ours = warn.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('Class '));
      expect(ours).toEqual(warnings);
    },
  );

  it('providers that cannot work are named in a warning when initial values of their inputs are lost', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    warn.mockClear();
    await start([Greet]);
    const ours = warn.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('WM1044'));
    const advice =
      'is replaced before execute(). Declare the member without one, and give the value as `defaultValue` in @Input().';
    expect(ours).toEqual(
      ['greeting', 'isLoud'].map(
        (name) => `WM1044: the initial value of input '${name}' of activity class Greet ${advice}`,
      ),
    );
  });
});

@Injectable({ scope: Scope.TRANSIENT })
class OwnLogger {
  readonly lines: string[] = [];
}

@Activity()
class Logging extends ActivityBase {
  constructor(readonly own: OwnLogger) {
    super();
  }

  execute(): void {}
}

@Workflow({ id: 'logging' })
class LoggingWorkflow {
  constructor(readonly own: OwnLogger) {}

  build(w: WorkflowDefinitionBuilder): void {
    if (!this.own.lines) throw new Error('undefined');
    w.root([]);
  }
}

it('singletons may inject transient providers, such as loggers', async () => {
  await expect(start([OwnLogger, Logging, LoggingWorkflow])).resolves.toBeUndefined();
});
