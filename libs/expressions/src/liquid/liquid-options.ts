import type { Clock, SecretLookup } from '@waymark/core';
import { checkOptions, type OptionKinds, optionKinds as is } from '@waymark/core/adapter';
import { ExpressionOptionError } from '../errors/expression-errors.js';

/** A filter of the host: `{{ value | name: argument }}`. */
export type LiquidFilter = (value: unknown, ...args: unknown[]) => unknown;

/** Option `liquid` of `WorkflowModule`: limits of Liquid templates, and filters that they may use. */
export interface LiquidOptions {
  /**
   * How long one template may block the process while it is rendered, and while it is parsed for the first time, in
   * milliseconds. On a machine that is busy with other things a rendering may take up to four times as long.
   * @default 200
   */
  timeoutMs?: number | undefined;
  /**
   * Limit of one rendering: characters of texts and elements of lists that filters read and build and that are
   * written or captured, counted together. A list that is converted to text counts likewise.
   * @default 2000000
   */
  memoryLimit?: number | undefined;
  /**
   * Maximum length of a template in characters.
   * @default 100000
   */
  maxTemplateLength?: number | undefined;
  /** Filters besides the standard ones. One of the same name replaces a standard one. @default none */
  filters?: Readonly<Record<string, LiquidFilter>> | undefined;
  /**
   * Refuses filters that do not exist (`WM4004`, when the template is rendered). Otherwise, unknown filters pass their value on
   * unchanged, as in Liquid.
   * @default false
   */
  strictFilters?: boolean | undefined;
  /** Gives the filter `secret` its values: `{{ 'name' | secret }}`. @default none, and there is no such filter */
  secrets?: SecretLookup | undefined;
  /**
   * The clock of `now` in templates. Time limits use real time whatever this is.
   * @default the time of the machine
   */
  clock?: Clock | undefined;
}

export type ResolvedLiquidOptions = Readonly<Required<Omit<LiquidOptions, 'clock' | 'secrets'>>> & {
  readonly secrets: SecretLookup | undefined;
  readonly now: () => number;
};

/** What the options take. */
export const LIQUID_OPTION_KINDS: OptionKinds<LiquidOptions> = {
  timeoutMs: is.count,
  memoryLimit: is.count,
  maxTemplateLength: is.count,
  filters: is.recordOf(is.aFunction<LiquidFilter>()),
  strictFilters: is.flag,
  secrets: is.withMethods<SecretLookup>('a SecretLookup', 'find'),
  clock: is.withMethods<Clock>('a clock', 'now'),
};

const refuse = (option: string, requirement: string, given: string) =>
  new ExpressionOptionError(option.replace('liquid.', ''), requirement, given);

/** @throws ExpressionOptionError (`WM4006`) for a value that does not fit, UnknownOptionError (`WM1091`) */
export function resolveLiquidOptions(given: LiquidOptions): ResolvedLiquidOptions {
  const options = checkOptions({ name: 'WorkflowModule', option: 'liquid', refuse }, given, LIQUID_OPTION_KINDS);
  return {
    timeoutMs: options.timeoutMs ?? 200,
    memoryLimit: options.memoryLimit ?? 2_000_000,
    maxTemplateLength: options.maxTemplateLength ?? 100_000,
    filters: options.filters ?? {},
    strictFilters: options.strictFilters ?? false,
    secrets: options.secrets,
    // oxlint-disable-next-line no-restricted-properties -- a handler of the host's own may be given no clock
    now: () => options.clock?.now() ?? Date.now(),
  };
}
