import { checkOptions } from '../options/check-options.js';
import * as is from '../options/option-kinds.js';
import { ActivityKind } from './activity-descriptor.js';
import type { ActivityOptions, InputOptions, OutputOptions, PortOptions, RetryOptions } from './decorators.js';

const anObject = <T extends object>() =>
  is.kind<T>('an object', (value) => typeof value === 'object' && !Array.isArray(value));

/** What a retry policy may say, in a class and in a definition. */
export const RETRY_NAMES: Readonly<Record<keyof RetryOptions, true>> = {
  maxAttempts: true,
  delay: true,
  backoff: true,
  maxDelay: true,
  errors: true,
};

/** What classes and methods have in common. */
export const SHARED_KINDS = {
  type: is.filledText,
  namespace: is.filledText,
  version: is.whole,
  category: is.text,
  displayName: is.text,
  description: is.text,
  outcomes: is.listOf(is.filledText),
  isBrowsable: is.flag,
  // Values of these two are looked at when the application starts, as those of definitions are (`WM1040`).
  retry: { ...is.anything<RetryOptions>(), members: RETRY_NAMES },
  timeout: is.anything<number | string>(),
  runAsynchronously: is.flag,
  customProperties: anObject<Readonly<Record<string, unknown>>>(),
};

const ACTIVITY_KINDS: is.OptionKinds<ActivityOptions> = {
  ...SHARED_KINDS,
  kind: is.oneOf(...Object.values(ActivityKind)),
  isContainer: is.flag,
  isTerminal: is.flag,
  isStart: is.flag,
};

export const INPUT_KINDS: is.OptionKinds<InputOptions> = {
  name: is.filledText,
  type: is.filledText,
  displayName: is.text,
  description: is.text,
  category: is.text,
  uiHint: is.text,
  uiSpecifications: anObject<Readonly<Record<string, unknown>>>(),
  defaultValue: is.anything<unknown>(),
  defaultSyntax: is.text,
  isWrapped: is.flag,
  autoEvaluate: is.flag,
  isSensitive: is.flag,
  isEncrypted: is.flag,
  isNonNegative: is.flag,
  isNonBlank: is.flag,
  isStrict: is.flag,
  isOmittedUnset: is.flag,
  isReadOnly: is.flag,
  isBrowsable: is.flag,
  isSerializable: is.flag,
  order: is.aNumber,
};

export const OUTPUT_KINDS: is.OptionKinds<OutputOptions> = {
  name: is.filledText,
  type: is.filledText,
  displayName: is.text,
  description: is.text,
  isBrowsable: is.flag,
  isSerializable: is.flag,
  order: is.aNumber,
};

const PORT_KINDS: is.OptionKinds<PortOptions> = { name: is.filledText, displayName: is.text, isBrowsable: is.flag };

const MEMBER_KINDS = { Input: INPUT_KINDS, Output: OUTPUT_KINDS, Port: PORT_KINDS };

/** @throws UnknownOptionError (`WM1091`), InvalidOptionError (`WM1090`) */
export function checkActivityOptions(
  decorator: 'Activity' | 'Trigger',
  target: object,
  options: ActivityOptions,
): void {
  checkOptions({ name: `@${decorator}() of class ${nameOf(target)}` }, options, ACTIVITY_KINDS);
}

/** @param prototype of the class that has the member @throws as above */
export function checkMemberOptions(
  decorator: keyof typeof MEMBER_KINDS,
  prototype: object,
  key: string | symbol,
  options: InputOptions | OutputOptions | PortOptions,
): void {
  const name = `@${decorator}() of ${nameOf(prototype.constructor)}.${String(key)}`;
  checkOptions<object>({ name }, options, MEMBER_KINDS[decorator]);
}

/** Of a class, for messages. */
export const nameOf = (target: object): string => (target as { name?: string }).name || '(without a name)';
