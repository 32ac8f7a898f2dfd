import { RunJavaScript } from '@waymark/expressions';
import { type Constructor } from '@waymark/core';
import { ActivityRegistry, registerCoreActivities } from '@waymark/core/adapter';
import { httpActivities } from '@waymark/http/adapter';
import { runtimeActivities } from '@waymark/runtime/adapter';
import { schedulingActivities } from '@waymark/scheduling/adapter';

/** Every activity that comes with Waymark, as a host registers them; their services are not needed to describe them. */
export function knownActivities(): ActivityRegistry {
  const registry = new ActivityRegistry();
  registerCoreActivities(registry);
  const others: readonly Constructor[] = [
    ...runtimeActivities,
    ...schedulingActivities,
    ...httpActivities,
    RunJavaScript,
  ];
  for (const activityClass of others) registry.registerClass(activityClass, activityClass.prototype as object);
  return registry;
}
