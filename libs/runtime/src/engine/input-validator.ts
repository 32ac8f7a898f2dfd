import { createRequire } from 'node:module';
import { type ActivityExecutionContext, WaymarkError } from '@waymark/core';
import type { MetadataStorage, validateSync, ValidationError } from 'class-validator';

const require = createRequire(import.meta.url);

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

/**
 * Validates activities whose class carries class-validator decorators; the others cost one look-up each. class-validator
 * is 320 modules with what it brings, a tenth of the start of a host: it is loaded when the first such activity runs.
 */
export function createInputValidator(): (ctx: ActivityExecutionContext) => void {
  const decorated = new WeakMap<object, boolean>();
  return (ctx) => {
    const { activityClass, descriptor } = ctx.node.registration;
    let isDecorated = decorated.get(activityClass);
    if (isDecorated === undefined) {
      isDecorated = isDecoratedClass(activityClass);
      decorated.set(activityClass, isDecorated);
    }
    if (!isDecorated) return;
    const errors = validate()(ctx.activity, { forbidUnknownValues: false });
    if (errors.length) throw new InputValidationError(descriptor.typeName, ctx.node.id, errors.flatMap(messagesOf));
  };
}

/** Its decorators keep what they are told in one global, which every copy of the package shares. */
function isDecoratedClass(activityClass: abstract new (...args: never[]) => unknown): boolean {
  const storage = (globalThis as { classValidatorMetadataStorage?: MetadataStorage }).classValidatorMetadataStorage;
  return (storage?.getTargetValidationMetadatas(activityClass, '', false, false).length ?? 0) > 0;
}

/** Synchronous, because an activity that is synchronous runs without a promise. Decorated classes have loaded it already. */
function validate(): typeof validateSync {
  return (require('class-validator') as { validateSync: typeof validateSync }).validateSync;
}

function messagesOf(error: ValidationError): string[] {
  return [...Object.values(error.constraints ?? {}), ...(error.children ?? []).flatMap(messagesOf)];
}
