import { ConfigurableModuleBuilder, type DynamicModule, Module, type Provider } from '@nestjs/common';
import { LiquidExpressionHandler, RunJavaScript } from '@waymark/expressions';
import { JavaScriptEvaluator, JavaScriptExpressionHandler } from '@waymark/expressions/adapter';
import { type HttpWorkflowsExtras } from '@waymark/http';
import { HTTP_OPTIONS, httpParts, resolveHttpOptions } from '@waymark/http/adapter';
import { SignedUrls, WorkflowClock } from '@waymark/runtime';
import {
  EXPRESSION_HANDLERS,
  NamedSecrets,
  resolveRuntimeOptions,
  RUNTIME_OPTIONS,
  WorkflowRuntimeModule,
} from '@waymark/runtime/adapter';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { createEventTriggerUrl } from './event-trigger-url.js';
import type { WorkflowModuleOptions } from './workflow-module-options.js';

/** What is replaced as a class, and so has to be known when the module is declared. */
export type WorkflowModuleExtras = HttpWorkflowsExtras;

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<WorkflowModuleOptions>({ moduleName: 'Workflow' })
    .setClassMethodName('forRoot')
    .setExtras<WorkflowModuleExtras>({}, (definition) => definition)
    .build();

/** Options of each library, out of those of the module. */
const optionProviders: Provider[] = [
  {
    provide: RUNTIME_OPTIONS,
    inject: [MODULE_OPTIONS_TOKEN],
    useFactory: (o: WorkflowModuleOptions) => resolveRuntimeOptions(o),
  },
  {
    provide: HTTP_OPTIONS,
    inject: [MODULE_OPTIONS_TOKEN],
    useFactory: (o: WorkflowModuleOptions) => resolveHttpOptions(o.http),
  },
  {
    provide: SCHEDULING_OPTIONS,
    inject: [MODULE_OPTIONS_TOKEN],
    useFactory: (o: WorkflowModuleOptions) => resolveSchedulingOptions(o.scheduling),
  },
];

const expressionProviders: Provider[] = [
  {
    provide: JavaScriptEvaluator,
    inject: [MODULE_OPTIONS_TOKEN, WorkflowClock, SignedUrls],
    useFactory: (options: WorkflowModuleOptions, clock: WorkflowClock, urls: SignedUrls) => {
      const { javascript } = options;
      const globals = [createEventTriggerUrl(urls), ...(javascript?.globals ?? [])];
      return new JavaScriptEvaluator({ clock, secrets: secretsOf(options), ...javascript, globals });
    },
  },
  {
    provide: EXPRESSION_HANDLERS,
    inject: [MODULE_OPTIONS_TOKEN, JavaScriptEvaluator, WorkflowClock],
    useFactory: (options: WorkflowModuleOptions, evaluator: JavaScriptEvaluator, clock: WorkflowClock) => [
      new JavaScriptExpressionHandler(evaluator),
      new LiquidExpressionHandler({ clock, secrets: secretsOf(options), ...options.liquid }),
    ],
  },
  RunJavaScript,
];

function secretsOf({ secrets, allowedSecrets }: WorkflowModuleOptions): NamedSecrets | undefined {
  return secrets?.length ? new NamedSecrets(secrets, allowedSecrets) : undefined;
}

/**
 * Durable, trigger-driven workflows in a Nest application. Import it once, at the root: it is global, and finds activities
 * (`@Activity`, `@Trigger`) and workflows (`@Workflow`) among the providers of all modules.
 *
 * @example WorkflowModule.forRoot({ persistence: TypeOrmPersistence.fromUrl('sqlite:data/app.db') })
 */
@Module({})
export class WorkflowModule extends ConfigurableModuleClass {
  static forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return compose(super.forRoot(options), options, options.persistence);
  }

  static forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return compose(super.forRootAsync(options), options);
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
  });
  return { ...runtime, module: WorkflowModule, controllers: [...http.controllers] };
}
