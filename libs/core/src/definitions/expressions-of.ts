import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { prop } from '../values/plain-object.js';
import { memberName } from './node-members.js';
import { shapeOf } from './node-shapes.js';
import type { ActivityJson } from './workflow-definition.js';

/** Where an expression stands in an activity, and what stands there: anything that the JSON has. */
export interface PlacedExpression {
  /** Below the activity, such as `cases[0].condition`. */
  readonly path: string;
  readonly expression: unknown;
}

/** The expressions of an activity's inputs and of its special members, such as the conditions of a Switch. */
export function expressionsOf(node: ActivityJson, descriptor: ActivityDescriptor): PlacedExpression[] {
  const expressions: PlacedExpression[] = descriptor.inputs.map((input) => {
    const path = memberName(input);
    return { path, expression: prop(node[path], 'expression') };
  });
  for (const [name, special] of Object.entries(shapeOf(descriptor.typeName).special ?? {}))
    expressions.push(...(special.expressions?.(node[name], name) ?? []));
  return expressions;
}
