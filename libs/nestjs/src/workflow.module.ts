import { ConfigurableModuleBuilder, type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { LiquidExpressionHandler, RunJavaScript } from '@waymark/expressions';
import { JavaScriptEvaluator, JavaScriptExpressionHandler } from '@waymark/expressions/adapter';
import {
  checkValues,
  optionKinds as is,
  refuseClassImport,
  refuseUnknown,
  requireAsyncOptions,
  requireFactoryResult,
  requireOptionsObject,
} from '@waymark/core/adapter';
import { HTTP_OPTIONS, httpParts, NO_EXTRAS, resolveHttpOptions } from '@waymark/http/adapter';
import { SignedUrls, WorkflowClock } from '@waymark/runtime';
import {
  EXPRESSION_HANDLERS,
  NamedSecrets,
  type ResolvedRuntimeOptions,
  resolveRuntimeOptions,
  RUNTIME_OPTIONS,
  WorkflowRuntimeModule,
} from '@waymark/runtime/adapter';
import {
  resolveSchedulingOptions,
  SCHEDULING_OPTIONS,
  schedulingExports,
  schedulingProviders,
} from '@waymark/scheduling/adapter';
import { createEventTriggerUrl } from './event-trigger-url.js';
import { ASYNC_OPTION_NAMES, OPTION_NAMES } from './option-names.js';
import { adviceOnOthers } from './options-of-others.js';
import { requireOneModule } from './require-one-module.js';
import type {
  WorkflowModuleAsyncOptions,
  WorkflowModuleExtras,
  WorkflowModuleOptions,
} from './workflow-module-options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<WorkflowModuleOptions>({
  moduleName: 'Workflow',
})
  .setClassMethodName('forRoot')
  .setExtras<WorkflowModuleExtras>(NO_EXTRAS, (definition) => definition)
  .build();

/** The options of the module once they are known to be an object, and its own. */
const CHECKED_OPTIONS = Symbol.for('@waymark/nestjs:checked-options');

/** Options of each library, out of those of the module. */
const optionProviders: Provider[] = [
  {
    provide: CHECKED_OPTIONS,
    inject: [MODULE_OPTIONS_TOKEN, ModulesContainer],
    useFactory: (options: WorkflowModuleOptions, modules: ModulesContainer) => {
      requireOneModule(modules, WorkflowModule);
      requireFactoryResult('WorkflowModule', options);
      refuseUnknown('WorkflowModule', options, OPTION_NAMES, { beside: NO_EXTRAS, adviceOn: adviceOnOthers });
      checkValues<ScriptOptions>({ name: 'WorkflowModule' }, options, SCRIPT_OPTION_KINDS);
      return options;
    },
  },
  {
    provide: RUNTIME_OPTIONS,
    inject: [CHECKED_OPTIONS],
    useFactory: (o: WorkflowModuleOptions) => resolveRuntimeOptions(o),
  },
  {
    provide: HTTP_OPTIONS,
    inject: [CHECKED_OPTIONS],
    useFactory: (o: WorkflowModuleOptions) => resolveHttpOptions(o.http),
  },
  {
    provide: SCHEDULING_OPTIONS,
    inject: [CHECKED_OPTIONS, RUNTIME_OPTIONS],
    useFactory: (o: WorkflowModuleOptions, runtime: ResolvedRuntimeOptions) =>
      resolveSchedulingOptions(o.scheduling, runtime),
  },
];

type ScriptOptions = Pick<WorkflowModuleOptions, 'javascript' | 'liquid'>;
const anObject = is.kind<object>('an object', (value) => typeof value === 'object' && !Array.isArray(value));

/** Below they are spread beside other members, where a number would pass for an object without any. */
const SCRIPT_OPTION_KINDS: is.OptionKinds<ScriptOptions> = { javascript: anObject, liquid: anObject };

const expressionProviders: Provider[] = [
  {
    provide: JavaScriptEvaluator,
    inject: [CHECKED_OPTIONS, WorkflowClock, SignedUrls],
    useFactory: (options: WorkflowModuleOptions, clock: WorkflowClock, urls: SignedUrls) => {
      const { javascript } = options;
      const globals = [createEventTriggerUrl(urls), ...(javascript?.globals ?? [])];
      return new JavaScriptEvaluator({ ...javascript, ...ofHost(options, clock, javascript), globals });
    },
  },
  {
    provide: EXPRESSION_HANDLERS,
    inject: [CHECKED_OPTIONS, JavaScriptEvaluator, WorkflowClock],
    useFactory: (options: WorkflowModuleOptions, evaluator: JavaScriptEvaluator, clock: WorkflowClock) => [
      new JavaScriptExpressionHandler(evaluator),
      new LiquidExpressionHandler({ ...options.liquid, ...ofHost(options, clock, options.liquid) }),
    ],
  },
  RunJavaScript,
];

/** What expressions have from the host, unless they have their own. */
function ofHost(
  options: WorkflowModuleOptions,
  clock: WorkflowClock,
  own: Pick<NonNullable<WorkflowModuleOptions['javascript']>, 'clock' | 'secrets'> | null | undefined,
) {
  return { clock: own?.clock ?? clock, secrets: own?.secrets ?? secretsOf(options, clock) };
}

function secretsOf({ secrets, allowedSecrets }: WorkflowModuleOptions, clock: WorkflowClock): NamedSecrets | undefined {
  return secrets?.length ? new NamedSecrets(secrets, allowedSecrets, clock) : undefined;
}

/**
 * Durable, trigger-driven workflows in a Nest application. Import it once, in the root module: it is global, and discovers
 * activities (`@Activity`, `@Trigger`) and workflows (`@Workflow`) among the providers of all modules.
 *
 * @example WorkflowModule.forRoot({ persistence: TypeOrmPersistence.fromUrl('sqlite:data/app.db') })
 */
// `forRoot` replaces the provider: it is reached where the class itself is imported.
@Module({ providers: [{ provide: MODULE_OPTIONS_TOKEN, useFactory: () => refuseClassImport('WorkflowModule') }] })
export class WorkflowModule extends ConfigurableModuleClass {
  /**
   * Configures the module with static options. All of them have a default.
   * @param options the table of docs/options.md
   * @throws InvalidOptionError (`WM1090`) for options that are not an object; at start also UnknownOptionError (`WM1091`),
   * OptionConflictError (`WM1092`) and ModuleSetupError (`WM1093`)
   */
  static forRoot(options: WorkflowModuleOptions & WorkflowModuleExtras = {}): DynamicModule {
    requireOptionsObject('WorkflowModule.forRoot()', options);
    return compose(super.forRoot(options), options, options.persistence);
  }

  /**
   * Configures the module with options from a factory, which can inject providers. Options that Nest needs before it calls the
   * factory are given beside it: a persistence that uses the application's data source, and classes that replace others.
   *
   * @example
   * WorkflowModule.forRootAsync({
   *   persistence: TypeOrmPersistence.fromDataSource(),
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ nodeName: config.getOrThrow('NODE_NAME') }),
   * })
   * @throws InvalidOptionError (`WM1090`) without `useFactory`, `useClass` or `useExisting`, UnknownOptionError (`WM1091`) for an unknown name;
   * at start also ModuleSetupError (`WM1093`), when the factory returns a persistence besides the one given here
   */
  static forRootAsync(options: WorkflowModuleAsyncOptions): DynamicModule {
    requireAsyncOptions('WorkflowModule.forRootAsync()', options, ASYNC_OPTION_NAMES, OPTION_NAMES, adviceOnOthers);
    return compose(super.forRootAsync(options), options, options.persistence);
  }
}

function compose(
  own: DynamicModule,
  extras: WorkflowModuleExtras,
  persistence?: WorkflowModuleOptions['persistence'],
): DynamicModule {
  const http = httpParts(extras);
  const runtime = WorkflowRuntimeModule.compose({
    persistence,
    imports: own.imports,
    providers: [
      ...(own.providers ?? []),
      ...optionProviders,
      ...expressionProviders,
      ...http.providers,
      ...schedulingProviders,
    ],
    exports: [...http.exports, ...schedulingExports],
  });
  return { ...runtime, module: WorkflowModule, controllers: [...http.controllers] };
}
