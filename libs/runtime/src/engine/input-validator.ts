import { createRequire } from 'node:module';
import { type ActivityExecutionContext, type Constructor, WaymarkError } from '@waymark/core';
import type { validateSync, ValidationError } from 'class-validator';
import { type NestedInputs, nestedInputsOf, validationRules, withInstances } from './nested-inputs.js';

const require = createRequire(import.meta.url);

/** Thrown when the evaluated inputs of an activity violate the rules of its decorators. */
export class InputValidationError extends WaymarkError {
  readonly code = 'WM2005';
  constructor(
    /** Type name of the activity. */
    readonly activityType: string,
    /** Id of the activity in its definition. */
    readonly activityId: string,
    /** What is wrong: the messages of class-validator. */
    readonly problems: readonly string[],
  ) {
    super(`Inputs of activity '${activityId}' (${activityType}) are not valid: ${problems.join('; ')}.`);
  }
}

/**
 * Validates activities whose class carries class-validator decorators; the others cost one look-up for each place in a
 * workflow. class-validator is 320 modules with what it brings, a tenth of the start of a host: it is loaded when the first
 * such activity runs.
 */
export function createInputValidator(): (ctx: ActivityExecutionContext) => void {
  const rules = new WeakMap<object, NestedInputs | false>();
  return (ctx) => {
    const { node } = ctx;
    const { activityClass, descriptor } = node.registration;
    let nested = rules.get(activityClass);
    if (nested === undefined) {
      nested = isDecoratedClass(activityClass) && nestedInputsOf(activityClass);
      rules.set(activityClass, nested);
    }
    node.hasInputRules = nested !== false;
    if (nested === false) return;
    const subject = nested.size > 0 ? withInstances(ctx.activity, nested) : ctx.activity;
    const errors = validate()(subject, { forbidUnknownValues: false });
    if (errors.length)
      throw new InputValidationError(
        descriptor.typeName,
        node.id,
        errors.flatMap((error) => messagesOf(error)),
      );
  };
}

export function isDecoratedClass(activityClass: Constructor): boolean {
  return (validationRules()?.getTargetValidationMetadatas(activityClass, '', false, false).length ?? 0) > 0;
}

/** Synchronous, because an activity that is synchronous runs without a promise. Decorated classes have loaded it already. */
export function validate(): typeof validateSync {
  return (require('class-validator') as { validateSync: typeof validateSync }).validateSync;
}

/** class-validator names the property of the part alone. */
export function messagesOf(error: ValidationError, path = ''): string[] {
  const at = path === '' ? '' : `${path}: `;
  const inside = path === '' ? error.property : `${path}.${error.property}`;
  const own = Object.values(error.constraints ?? {}).map((message) => `${at}${message}`);
  return [...own, ...(error.children ?? []).flatMap((child) => messagesOf(child, inside))];
}
