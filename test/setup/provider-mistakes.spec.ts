import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Injectable, type Provider, Scope } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  Activity,
  ActivityBase,
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
    ['an activity that is not among the providers', [Pays], 'WM1023', /App\.Pay.*providers/s],
    [
      'a class without decorator',
      [UsesUndecorated],
      'WM1206',
      /^Class Undecorated is not an activity\. Decorate it with @Activity\(\) or @Trigger\(\)\.$/,
    ],
  ])('are refused when the application starts: %s', async (_, providers, code, message) => {
    await expect(start(providers)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('are not the versions of one type, nor one class in several modules', async () => {
    await expect(start([Pay, PayLater, Pays])).resolves.toBeUndefined();
  });
});
