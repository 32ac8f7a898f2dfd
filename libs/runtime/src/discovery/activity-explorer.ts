import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type Constructor } from '@waymark/core';
import {
  activityMethods,
  describeActivity,
  isActivityClass,
  registerActivityMethods,
  retryPolicyProblem,
  timeoutProblem,
} from '@waymark/core/adapter';
import { RetryOptionsError } from './retry-options-error.js';
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
   * @throws TypeError for a request-scoped activity: one instance serves all executions; NestedInputTypeError,
   * MemberNameTakenError, RetryOptionsError
   */
  registerAll(): void {
    for (const wrapper of this.discovery.getProviders()) {
      const { metatype, instance } = wrapper;
      // Of what a factory or a value provides, only the object tells its class.
      const hostClass = (instance as object | null | undefined)?.constructor ?? metatype;
      const hasMethods = activityMethods(hostClass).size > 0;
      if (!isActivityClass(metatype) && !hasMethods) continue;
      if (!wrapper.isDependencyTreeStatic())
        throw new TypeError(
          `Activity ${wrapper.name} is request-scoped or depends on something that is. Activities must be singletons.`,
        );
      if (!instance) continue;
      const { activities } = this.engine;
      if (isActivityClass(metatype)) requireSound(metatype);
      if (isActivityClass(metatype)) activities.registerClass(metatype, instance as object);
      if (hasMethods) registerActivityMethods(activities, hostClass as Constructor, instance as object);
    }
  }

  /** Instances of provider classes that the predicate selects. */
  find<T extends object>(selects: (type: Constructor) => boolean): { type: Constructor<T>; instance: T }[] {
    return this.discovery
      .getProviders()
      .filter((w) => typeof w.metatype === 'function' && w.instance && selects(w.metatype as unknown as Constructor))
      .map((w) => ({ type: w.metatype as unknown as Constructor<T>, instance: w.instance as T }));
  }
}

/** What would be passed over in silence when the activity runs is found now. */
function requireSound(activityClass: Constructor): void {
  nestedInputsOf(activityClass);
  const { retryPolicy, timeout } = describeActivity(activityClass).customProperties;
  const problem = retryPolicy === undefined ? undefined : retryPolicyProblem(retryPolicy);
  if (problem !== undefined) throw new RetryOptionsError(activityClass.name, problem);
  const timeoutIs = timeout === undefined ? undefined : timeoutProblem(timeout);
  if (timeoutIs !== undefined) throw new RetryOptionsError(activityClass.name, timeoutIs, 'timeout');
}
