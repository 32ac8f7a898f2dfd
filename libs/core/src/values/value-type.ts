import type { StorableType } from './storable-type.js';

/**
 * A resolved type alias. Values in memory: `String` string · `Boolean` boolean · all numbers number (an Int64 outside the
 * safe range: bigint) · `DateTime`/`DateTimeOffset` Date · `TimeSpan` canonical text `[d.]hh:mm:ss[.fffffff]` · `Guid`
 * text · `ByteArray` Uint8Array · lists arrays · dictionaries and objects plain objects.
 */
export interface ValueType {
  /** Canonical alias of the type itself, e.g. `Int32`, `Object`, `List<String>`, `String[]`. */
  readonly alias: string;
  /** How values of the type are converted. */
  readonly kind: ValueKind;
  /** Element type of a list or array. */
  readonly element?: ValueType;
  /** If true, text that is not a number, date, time span … is an error, not the default of the type. */
  readonly isStrict?: boolean;
  /** True for `X?`. */
  readonly nullable?: boolean;
  /** The class that values are instances of; data becomes one. */
  readonly storable?: StorableType;
  /** Member names of an enum, in order of their numeric value starting at 0 unless `values` says otherwise. */
  readonly members?: readonly string[];
  /** Numeric values of enum members where they are not 0, 1, 2 … */
  readonly values?: Readonly<Record<string, number>>;
}

/** Kind of a value, which says how it is converted. */
export type ValueKind =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'bigint'
  | 'double'
  | 'date'
  | 'timespan'
  | 'guid'
  | 'bytes'
  | 'enum'
  | 'json'
  | 'dictionary'
  | 'list'
  | 'object'
  | 'opaque';
