import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { DynamicModule, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { WorkflowApiModule } from '@waymark/api';
import { WorkflowModule } from '@waymark/nestjs';
import { StudioModule } from '@waymark/studio';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { declaredOptions } from '../docs/declared-options.js';

/** What those who compose their first application get wrong, and the sentence that they read. */
type Imports = readonly (DynamicModule | Type)[];

const failureOf = async (imports: () => Imports): Promise<{ code?: string; message: string }> => {
  try {
    const module = await Test.createTestingModule({ imports: [...imports()] }).compile();
    await module.close();
  } catch (error) {
    return error as { code?: string; message: string };
  }
  throw new Error('It was not refused.');
};

const workflows = (): DynamicModule => WorkflowModule.forRoot();

describe('options that are no options', () => {
  it.each<[string, () => Imports, string]>([
    [
      'WorkflowModule.forRoot(null)',
      () => [WorkflowModule.forRoot(null as never)],
      "WorkflowModule.forRoot() argument 'options' must be an object, not null.",
    ],
    [
      "WorkflowModule.forRoot('sqlite:app.db')",
      () => [WorkflowModule.forRoot('sqlite:app.db' as never)],
      "WorkflowModule.forRoot() argument 'options' must be an object, not a string.",
    ],
    [
      'WorkflowModule.forRoot([])',
      () => [WorkflowModule.forRoot([] as never)],
      "WorkflowModule.forRoot() argument 'options' must be an object, not a list.",
    ],
    [
      'WorkflowModule.forRootAsync()',
      () => [WorkflowModule.forRootAsync(undefined as never)],
      "WorkflowModule.forRootAsync() argument 'options' must be an object with 'useFactory', not undefined.",
    ],
    [
      'WorkflowModule.forRootAsync({})',
      () => [WorkflowModule.forRootAsync({})],
      "WorkflowModule.forRootAsync() argument 'useFactory' must be a function that returns the options, not undefined.",
    ],
    [
      'a factory without return',
      () => [WorkflowModule.forRootAsync({ useFactory: () => undefined as never })],
      "WorkflowModule.forRootAsync() option 'useFactory' must be a function that returns the options, not one that returns undefined.",
    ],
    [
      'javascript: 5',
      () => [WorkflowModule.forRoot({ javascript: 5 as never })],
      "WorkflowModule option 'javascript' must be an object, not a number.",
    ],
    [
      'persistence: a text',
      () => [WorkflowModule.forRoot({ persistence: 'mysql://u:secret@db/x' as never })],
      "WorkflowModule option 'persistence' must be a WorkflowPersistence, such as TypeOrmPersistence.fromUrl(…), or a provider with useFactory, not a string.",
    ],
    [
      'WorkflowApiModule.forRoot(null)',
      () => [workflows(), WorkflowApiModule.forRoot(null as never)],
      "WorkflowApiModule.forRoot() argument 'options' must be an object, not null.",
    ],
    [
      'a factory of WorkflowApiModule without return',
      () => [workflows(), WorkflowApiModule.forRootAsync({ useFactory: () => undefined as never })],
      "WorkflowApiModule.forRootAsync() option 'useFactory' must be a function that returns the options, not one that returns undefined.",
    ],
    [
      'a short signing key',
      () => [workflows(), WorkflowApiModule.forRoot({ authentication: { signingKey: 'changeit' } })],
      "WorkflowApiModule option 'authentication.signingKey' must be a string of at least 32 characters, not one of 8.",
    ],
    [
      'StudioModule.forRoot(null)',
      () => [workflows(), StudioModule.forRoot(null as never)],
      "StudioModule.forRoot() argument 'options' must be an object, not null.",
    ],
    [
      'StudioModule.forRootAsync(null)',
      () => [workflows(), StudioModule.forRootAsync(null as never)],
      "StudioModule.forRootAsync() argument 'options' must be an object with 'useFactory', not null.",
    ],
    [
      'StudioModule.forRootAsync({})',
      () => [workflows(), StudioModule.forRootAsync({})],
      "StudioModule.forRootAsync() argument 'useFactory' must be a function that returns the options, not undefined.",
    ],
    [
      'a factory of StudioModule without return',
      () => [
        workflows(),
        WorkflowApiModule.forRoot(),
        StudioModule.forRootAsync({ useFactory: () => undefined as never }),
      ],
      "StudioModule.forRootAsync() option 'useFactory' must be a function that returns the options, not one that returns undefined.",
    ],
  ])('options that are no options are refused: %s', async (_, imports, message) => {
    expect(await failureOf(imports)).toMatchObject({ code: 'WM1090', message });
  });

  it('options that are no options count as absent where a member is null', async () => {
    const module = await Test.createTestingModule({
      imports: [WorkflowModule.forRoot({ http: null, scheduling: null, javascript: null, nodeName: null } as never)],
    }).compile();
    await expect(module.close()).resolves.toBeUndefined();
  });

  it('options that are no options have unknown names: with none near, all are listed', async () => {
    const { code, message } = await failureOf(() => [WorkflowModule.forRoot({ colour: 'x' } as never)]);
    expect([code, message]).toEqual([
      'WM1091',
      expect.stringMatching(
        /^WorkflowModule has no option 'colour'\. Its options: persistence, .*liquid, authorizer, faultHandler, controllerDecorators\.$/,
      ),
    ]);
  });
});

describe('options in the wrong place', () => {
  it.each<[string, () => Imports, string]>([
    [
      'in no group',
      () => [WorkflowModule.forRoot({ basePath: '/flows' } as never)],
      "WorkflowModule has no option 'basePath'. Did you mean 'http.basePath'? Write http: { basePath: … }.",
    ],
    [
      'in a group',
      () => [WorkflowModule.forRoot({ http: { nodeName: 'a' } as never })],
      "Option 'http' of WorkflowModule has no option 'nodeName'. Did you mean 'nodeName' of WorkflowModule itself?",
    ],
    [
      'in another group',
      () => [WorkflowModule.forRoot({ http: { misfire: {} } as never })],
      "Option 'http' of WorkflowModule has no option 'misfire'. Did you mean 'scheduling.misfire'? Write scheduling: { misfire: … }.",
    ],
    [
      'in a group of the management API',
      () => [workflows(), WorkflowApiModule.forRoot({ apiKeys: ['k'] } as never)],
      "WorkflowApiModule has no option 'apiKeys'. Did you mean 'authentication.apiKeys'? Write authentication: { apiKeys: … }.",
    ],
    [
      'of the management API',
      () => [WorkflowModule.forRoot({ publicUrl: 'https://flows.example.com' } as never)],
      "WorkflowModule has no option 'publicUrl'. It is an option of WorkflowApiModule.forRoot({ … }).",
    ],
    [
      'of the store',
      () => [WorkflowModule.forRoot({ tablePrefix: 'flows_' } as never)],
      "WorkflowModule has no option 'tablePrefix'. It is an option of TypeOrmPersistence.fromUrl(url, { … }).",
    ],
    [
      'of the routes of Studio, returned by its factory',
      () => [
        workflows(),
        WorkflowApiModule.forRoot(),
        StudioModule.forRootAsync({ useFactory: () => ({ path: '/console' }) as object }),
      ],
      "StudioModule has no option 'path'. Give it beside 'useFactory'.",
    ],
    [
      'of the pages of Studio, beside the factory',
      () => [workflows(), StudioModule.forRootAsync({ loginUrl: '/login', useFactory: () => ({}) } as never)],
      "StudioModule.forRootAsync() has no option 'loginUrl'. Return it from 'useFactory', with the other options.",
    ],
    [
      'of other modules that are not global by themselves',
      () => [WorkflowModule.forRoot({ isGlobal: true } as never)],
      "WorkflowModule has no option 'isGlobal'. Leave it out: the module is always global.",
    ],
    [
      'of the same kind beside the factory',
      () => [WorkflowModule.forRootAsync({ isGlobal: true, useFactory: () => ({}) } as never)],
      "WorkflowModule.forRootAsync() has no option 'isGlobal'. Leave it out: the module is always global.",
    ],
    [
      'beside the factory',
      () => [WorkflowModule.forRootAsync({ useFactory: () => ({}), http: {} } as never)],
      "WorkflowModule.forRootAsync() has no option 'http'. Return it from 'useFactory', with the other options.",
    ],
    [
      'in the result of the factory',
      () => [WorkflowModule.forRootAsync({ useFactory: () => ({ authorizer: class {} }) as never })],
      "WorkflowModule has no option 'authorizer'. Give it beside 'useFactory'.",
    ],
    [
      'in the result of the factory of the management API',
      () => [workflows(), WorkflowApiModule.forRootAsync({ useFactory: () => ({ routePrefix: 'manage' }) as never })],
      "WorkflowApiModule has no option 'routePrefix'. Give it beside 'useFactory'.",
    ],
  ])('options in the wrong place are refused with the right one: %s', async (_, imports, message) => {
    expect(await failureOf(imports)).toMatchObject({ code: 'WM1091', message });
  });

  it.each([
    ['authoriser', () => [WorkflowModule.forRoot({ authoriser: class {} } as never)], "'authorizer'"],
    ['routePrefx', () => [workflows(), WorkflowApiModule.forRoot({ routePrefx: 'manage' } as never)], "'routePrefix'"],
  ])('options in the wrong place may be mistyped ones that stand beside a factory: %s', async (_, made, name) => {
    const { message } = await failureOf(made);
    expect(message).toContain(`Did you mean ${name}?`);
  });

  it.each(['database', 'url', 'dataSource'])(
    'options in the wrong place may describe a database, which is the persistence: %s',
    async (name) => {
      const { message } = await failureOf(() => [WorkflowModule.forRoot({ [name]: 'x' } as never)]);
      expect(message).toBe(
        `WorkflowModule has no option '${name}'. Give the database as 'persistence': TypeOrmPersistence.fromUrl('sqlite:data/app.db').`,
      );
    },
  );

  const others = [
    ['typeorm/src/connection/settings.ts', 'TypeOrmPersistenceOptions'],
    ['api/src/module/api-options.ts', 'WorkflowApiOptions'],
    ['api/src/module/api-options.ts', 'WorkflowApiExtras'],
    ['api/src/module/api-options.ts', 'ApiAuthenticationOptions'],
  ] as const;
  it.each(others.flatMap(([file, of]) => declaredOptions(file, of, '').map(({ name }) => name)))(
    'options in the wrong place are known, all those of the store and of the management API: %s',
    async (name) => {
      const { message } = await failureOf(() => [WorkflowModule.forRoot({ [name]: 'x' } as never)]);
      expect(message).toMatch(/ It is an option of | Did you mean 'http\./);
    },
  );
});

describe('modules that do not fit together', () => {
  it.each<[string, () => Imports, string]>([
    [
      'WorkflowModule as a class',
      () => [WorkflowModule],
      'WorkflowModule is imported as a class. Import WorkflowModule.forRoot(…) instead, once, in the root module; other modules do not import it.',
    ],
    [
      'WorkflowApiModule as a class',
      () => [workflows(), WorkflowApiModule],
      'WorkflowApiModule is imported as a class. Import WorkflowApiModule.forRoot(…) instead, once, in the root module; other modules do not import it.',
    ],
    [
      'StudioModule as a class',
      () => [workflows(), StudioModule],
      'StudioModule is imported as a class. Import StudioModule.forRoot(…) instead, once, in the root module; other modules do not import it.',
    ],
    [
      'a data source that no module provides',
      () => [WorkflowModule.forRoot({ persistence: TypeOrmPersistence.fromDataSource() })],
      'WorkflowModule cannot open its persistence: no module provides DataSource. Import TypeOrmModule.forRoot(…) in the root module, or name the database here: TypeOrmPersistence.fromUrl(…).',
    ],
    [
      'Studio without the management API',
      () => [workflows(), StudioModule.forRoot()],
      'StudioModule shows what the management API answers, and that is missing. Import WorkflowApiModule.forRoot({ … }) of @waymark/api beside it.',
    ],
    [
      'two modules with different options',
      () => [WorkflowModule.forRoot({ nodeName: 'a' }), WorkflowModule.forRoot({ nodeName: 'b' })],
      'WorkflowModule is imported 2 times. Import it once, in the root module: it is global, and other modules only list their providers.',
    ],
  ])('modules that do not fit together are refused: %s', async (_, imports, message) => {
    expect(await failureOf(imports)).toMatchObject({ code: 'WM1093', message });
  });

  it('modules that do not fit together are a Studio and a management API with different paths', async () => {
    const api = WorkflowApiModule.forRoot({ allowAnonymous: true, routePrefix: 'manage' });
    expect(await failureOf(() => [workflows(), StudioModule.forRoot({ apiPath: '/elsa/api' }), api])).toMatchObject({
      code: 'WM9201',
      message:
        "StudioModule: the option 'apiPath' is '/elsa/api', but WorkflowApiModule has the routePrefix 'manage'. Leave 'apiPath' out: it is the same by default.",
    });
    const module = await Test.createTestingModule({
      imports: [workflows(), StudioModule.forRoot({ apiPath: 'manage/' }), api],
    }).compile();
    await expect(module.close()).resolves.toBeUndefined();
  });

  it('modules that do not fit together are a Studio and a management API with different prefixes', async () => {
    const imports = [workflows(), StudioModule.forRoot({ apiPath: '/shop/elsa/api' }), WorkflowApiModule.forRoot()];
    const module = await Test.createTestingModule({ imports }).compile();
    const app = module.createNestApplication({ logger: false }).setGlobalPrefix('app');
    await expect(app.init()).rejects.toMatchObject({ code: 'WM9201' });
  });

  it('modules that do not fit together are named by the error of Nest where WorkflowModule is missing', async () => {
    const { message } = await failureOf(() => [WorkflowApiModule.forRoot()]);
    expect(message).toMatch(
      /^Nest can't resolve dependencies of the "?WorkflowApiModule"? \(\?\)\. Please make sure that the argument "WorkflowModule\.forRoot\(…\), imported once in the root module,"/,
    );
  });
});
