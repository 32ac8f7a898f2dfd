import { RunJavaScript } from '@waymark/expressions';
import { ActivityRegistry, type Constructor, registerCoreActivities } from '@waymark/core';
import { httpActivities } from '@waymark/http';
import { runtimeActivities } from '@waymark/runtime';
import { schedulingActivities } from '@waymark/scheduling';

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
