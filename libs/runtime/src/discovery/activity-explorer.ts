import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  ActivityClassError,
  type ActivityDescriptor,
  ActivityKind,
  type Constructor,
  type InputDescriptor,
} from '@waymark/core';
import {
  activityMethods,
  describeActivity,
  isActivityClass,
  methodActivities,
  retryPolicyProblem,
  timeoutProblem,
} from '@waymark/core/adapter';
import { requireSingleton } from './require-singleton.js';
import { RetryOptionsError } from './retry-options-error.js';
import { TakenTypes } from './taken-types.js';
import { undecoratedClassProblem } from './undecorated-class.js';
import { nestedInputsOf } from '../engine/nested-inputs.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Finds providers that are activities, as @nestjs/schedule finds its methods, and registers them. */
@Injectable()
export class ActivityExplorer {
  private readonly logger = new WorkflowLogger('Workflow');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly engine: WorkflowEngine,
  ) {}

  /**
   * @throws ProviderScopeError (`WM1045`) for a request-scoped or transient activity: one instance serves all executions; ActivityClassError
   * (`WM1044`), NestedInputTypeError, MemberNameTakenError, RetryOptionsError
   *
   * Classes that lack their decorator are logged.
   * @param isWorkflow whether a class has `@Workflow`
   */
  registerAll(isWorkflow: (type: Constructor) => boolean): void {
    const problems = new Set<string>();
    const types = new TakenTypes(this.engine.activities.list());
    // Those of the module first, so that of two classes of one type the application's is the one that is refused.
    const wrappers = this.discovery.getProviders();
    for (const wrapper of [...wrappers.filter(isBuiltIn), ...wrappers.filter((each) => !isBuiltIn(each))]) {
      const { instance } = wrapper;
      const methodsClass = classOf(wrapper, (type) => activityMethods(type).size > 0);
      const activityClass = classOf(wrapper, isActivityClass);
      const undecorated =
        activityClass || !instance ? undefined : undecoratedClassProblem(instance as object, isWorkflow);
      if (undecorated !== undefined) problems.add(undecorated);
      if (!activityClass && !methodsClass) continue;
      requireSingleton(wrapper, 'Activity');
      if (!instance) continue;
      const { activities } = this.engine;
      if (activityClass) {
        const descriptor = requireSound(activityClass, instance as object);
        for (const problem of initialValueProblems(activityClass, instance as object, descriptor))
          problems.add(problem);
        types.take(activityClass, descriptor, isBuiltIn(wrapper));
        activities.register({ descriptor, activityClass, provider: instance as object });
      }
      for (const method of methodsClass ? methodActivities(methodsClass, instance as object) : []) {
        const descriptor = requireSound(method.activityClass, method.provider);
        types.take(method.activityClass, descriptor, isBuiltIn(wrapper));
        activities.register({ descriptor, activityClass: method.activityClass, provider: method.provider });
      }
    }
    for (const problem of problems) this.logger.warn(problem);
  }

  /**
   * Instances of provider classes that the predicate selects.
   * @param what the classes are, for the error, such as `Workflow`
   * @throws ProviderScopeError (`WM1045`)
   */
  find<T extends object>(
    selects: (type: Constructor) => boolean,
    what: string,
  ): { type: Constructor<T>; instance: T }[] {
    return this.discovery
      .getProviders()
      .filter((w) => typeof w.metatype === 'function' && w.instance && selects(w.metatype as unknown as Constructor))
      .map((w) => {
        requireSingleton(w, what);
        return { type: w.metatype as unknown as Constructor<T>, instance: w.instance as T };
      });
  }
}

type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** Providers of the module that this explorer belongs to: the activities of all libraries are among them. */
function isBuiltIn({ host }: ProviderWrapper): boolean {
  return host?.hasProvider(ActivityExplorer) === true;
}

/**
 * The class itself, or the one that a factory, a value or another class stands in for, as `overrideProvider()` of tests
 * replaces one. Of what a factory or a value provides, only the object tells its class.
 */
function classOf(
  { metatype, instance, token }: ProviderWrapper,
  isSought: (type: Constructor) => boolean,
): Constructor | undefined {
  const ofInstance: unknown = (instance as object | null | undefined)?.constructor;
  const classes = [metatype, ofInstance, token].filter((type) => typeof type === 'function');
  return (classes as unknown[] as Constructor[]).find(isSought);
}

/**
 * What would be passed over in silence, or fail with words about no class, when the activity runs is found now.
 * @returns what its decorators say, which is read once: with a hundred activities that is a tenth of the start of an application
 */
function requireSound(activityClass: Constructor, provider: object): ActivityDescriptor {
  const descriptor = requireMethods(activityClass, provider);
  nestedInputsOf(activityClass);
  const { retryPolicy, timeout } = descriptor.customProperties;
  const problem = retryPolicy === undefined ? undefined : retryPolicyProblem(retryPolicy);
  if (problem !== undefined) throw new RetryOptionsError(activityClass.name, problem);
  const timeoutIs = timeout === undefined ? undefined : timeoutProblem(timeout);
  if (timeoutIs !== undefined) throw new RetryOptionsError(activityClass.name, timeoutIs, 'timeout');
  return descriptor;
}

/**
 * Each input that is evaluated is set before `execute()`, to null where a workflow gives no value: an initial value is lost. A warning, since
 * an instance that stands in for an activity in tests may have values, too.
 */
function initialValueProblems(activityClass: Constructor, provider: object, { inputs }: ActivityDescriptor): string[] {
  // A value or a class that stands in for an activity has no inputs of its own.
  if (provider.constructor !== activityClass) return [];
  const isLost = ({ propertyName, autoEvaluate, defaultValue }: InputDescriptor): boolean => {
    if (!autoEvaluate || !Object.hasOwn(provider, propertyName)) return false;
    // Null is what an input without a value is.
    const value = (provider as Readonly<Record<string, unknown>>)[propertyName] ?? null;
    return value !== null && value !== defaultValue;
  };
  const lost = inputs.filter(isLost);
  return lost.map(
    ({ propertyName }) =>
      `WM1044: the initial value of input '${propertyName}' of activity class ${activityClass.name} is replaced before execute(). ` +
      'Declare the member without one, and give the value as `defaultValue` in @Input().',
  );
}

function requireMethods(activityClass: Constructor, provider: object): ActivityDescriptor {
  const has = (name: string): boolean => typeof (provider as Readonly<Record<string, unknown>>)[name] === 'function';
  if (!has('execute'))
    throw new ActivityClassError(activityClass.name, 'it has no execute() method. Implement execute(ctx).');
  const descriptor = describeActivity(activityClass);
  if (descriptor.kind === ActivityKind.Trigger && !has('getTriggerPayloads'))
    throw new ActivityClassError(
      activityClass.name,
      'a trigger must declare what it listens for, but this one has no getTriggerPayloads() method. Implement it, or use @Activity().',
    );
  return descriptor;
}
