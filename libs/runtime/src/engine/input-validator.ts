import { type ActivityExecutionContext, WaymarkError } from '@waymark/core';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';

/** The evaluated inputs of an activity break the rules of its decorators. */
export class InputValidationError extends WaymarkError {
  readonly code = 'WM2005';
  constructor(
    readonly activityType: string,
    readonly activityId: string,
    readonly problems: readonly string[],
  ) {
    super(`Inputs of activity '${activityId}' (${activityType}) are not valid: ${problems.join('; ')}.`);
  }
}

/** Validates activities whose class carries class-validator decorators; the others cost one look-up each. */
export function createInputValidator(): (ctx: ActivityExecutionContext) => void {
  const decorated = new WeakMap<object, boolean>();
  return (ctx) => {
    const { activityClass, descriptor } = ctx.node.registration;
    let isDecorated = decorated.get(activityClass);
    if (isDecorated === undefined) {
      isDecorated = getMetadataStorage().getTargetValidationMetadatas(activityClass, '', false, false).length > 0;
      decorated.set(activityClass, isDecorated);
    }
    if (!isDecorated) return;
    const errors = validateSync(ctx.activity, { forbidUnknownValues: false });
    if (errors.length) throw new InputValidationError(descriptor.typeName, ctx.node.id, errors.flatMap(messagesOf));
  };
}

function messagesOf(error: ValidationError): string[] {
  return [...Object.values(error.constraints ?? {}), ...(error.children ?? []).flatMap(messagesOf)];
}
