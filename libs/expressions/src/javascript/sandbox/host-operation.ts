/** What the sandbox may ask of the host: the code of the first character of a call. */
export const HostOperation = {
  /** `get<Name>()`, `set<Name>(v)` and functions given for one evaluation. */
  Accessor: 0x21,
  /** Whether there is such a function. */
  HasAccessor: 0x27,
  /** A variable for `variables.Name`, before the script. */
  ReadVariable: 0x22,
  /** A changed variable of `variables.Name`, after the script. */
  WriteVariable: 0x23,
  /** The object `args`. */
  Arguments: 0x24,
  /** The promise that the script returned is settled. */
  Settled: 0x25,
  /** The current time. */
  Now: 0x26,
  /** What the types of .NET ask: a name of `dotnet/host-functions.ts`, and its arguments. */
  HostTypes: 0x28,
  /** Bytes of an object that stayed with the host, by their number. */
  ReadContent: 0x29,
  /** Declared type of a variable, by its name, or by that of its accessor. */
  TypeOfVariable: 0x2a,
  /** Global functions follow, in the order of their names. */
  FirstGlobal: 0x30,
} as const;
export type HostOperation = (typeof HostOperation)[keyof typeof HostOperation];
