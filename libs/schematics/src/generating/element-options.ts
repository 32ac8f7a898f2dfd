/** Options of each schematic of the collection; those that the Nest CLI adds besides are ignored. */
export interface ElementOptions {
  /** With folders before it if wanted: `payments/charge-card`. */
  readonly name: string;
  /** Folder below the source root. @default '' */
  readonly path?: string;
  /** Folder of the sources. @default 'src' */
  readonly sourceRoot?: string;
  /** True: no folder of its own. @default false */
  readonly flat?: boolean;
  /** False: without a specification. @default true */
  readonly spec?: boolean;
  /** Suffix of the specification. @default 'spec' */
  readonly specFileSuffix?: string;
  /** True: no module is changed. @default false */
  readonly skipImport?: boolean;
}
