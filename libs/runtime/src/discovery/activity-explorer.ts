import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ActivityClassError, ActivityKind, type Constructor } from '@waymark/core';
import {
  activityMethods,
  describeActivity,
  isActivityClass,
  registerActivityMethods,
  retryPolicyProblem,
  timeoutProblem,
} from '@waymark/core/adapter';
import { ProviderScopeError } from './provider-scope-error.js';
import { RetryOptionsError } from './retry-options-error.js';
import { TakenTypes } from './taken-types.js';
import { nestedInputsOf } from '../engine/nested-inputs.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';

/** Finds providers that are activities, as @nestjs/schedule finds its methods, and registers them. */
@Injectable()
export class ActivityExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly engine: WorkflowEngine,
  ) {}

  /**
   * @throws ProviderScopeError (`WM1045`) for a request-scoped activity: one instance serves all executions; ActivityClassError
   * (`WM1044`), NestedInputTypeError, MemberNameTakenError, RetryOptionsError
   */
  registerAll(): void {
    const types = new TakenTypes(this.engine.activities.list());
    // Those of the module first, so that of two classes of one type the application's is the one that is refused.
    const wrappers = this.discovery.getProviders();
    for (const wrapper of [...wrappers.filter(isBuiltIn), ...wrappers.filter((each) => !isBuiltIn(each))]) {
      const { metatype, instance } = wrapper;
      // Of what a factory or a value provides, only the object tells its class.
      const hostClass = (instance as object | null | undefined)?.constructor ?? metatype;
      const hasMethods = activityMethods(hostClass).size > 0;
      const activityClass = activityClassOf(wrapper);
      if (!activityClass && !hasMethods) continue;
      if (!wrapper.isDependencyTreeStatic()) throw new ProviderScopeError('Activity', String(wrapper.name));
      if (!instance) continue;
      const { activities } = this.engine;
      if (activityClass) {
        requireSound(activityClass, instance as object);
        types.take(activityClass, isBuiltIn(wrapper));
        activities.registerClass(activityClass, instance as object);
      }
      if (hasMethods) registerActivityMethods(activities, hostClass as Constructor, instance as object);
    }
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
        if (!w.isDependencyTreeStatic()) throw new ProviderScopeError(what, String(w.name));
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
 * replaces one.
 */
function activityClassOf({ metatype, instance, token }: ProviderWrapper): Constructor | undefined {
  const ofInstance: unknown = (instance as object | null | undefined)?.constructor;
  return [metatype, ofInstance, token].find(isActivityClass);
}

/** What would be passed over in silence, or fail with words about no class, when the activity runs is found now. */
function requireSound(activityClass: Constructor, provider: object): void {
  requireMethods(activityClass, provider);
  nestedInputsOf(activityClass);
  const { retryPolicy, timeout } = describeActivity(activityClass).customProperties;
  const problem = retryPolicy === undefined ? undefined : retryPolicyProblem(retryPolicy);
  if (problem !== undefined) throw new RetryOptionsError(activityClass.name, problem);
  const timeoutIs = timeout === undefined ? undefined : timeoutProblem(timeout);
  if (timeoutIs !== undefined) throw new RetryOptionsError(activityClass.name, timeoutIs, 'timeout');
}

function requireMethods(activityClass: Constructor, provider: object): void {
  const has = (name: string): boolean => typeof (provider as Readonly<Record<string, unknown>>)[name] === 'function';
  if (!has('execute'))
    throw new ActivityClassError(activityClass.name, 'it has no execute() method. Implement execute(ctx).');
  if (describeActivity(activityClass).kind === ActivityKind.Trigger && !has('getTriggerPayloads'))
    throw new ActivityClassError(
      activityClass.name,
      'a trigger says what it listens for, and this one has no getTriggerPayloads() method. Implement it, or use @Activity().',
    );
}
