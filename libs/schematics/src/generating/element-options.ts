/** Options of each schematic of the collection; those that the Nest CLI adds besides are ignored. */
export interface ElementOptions {
  /** Name, optionally with folders: `payments/charge-card`. */
  readonly name: string;
  /** Folder below the source root. @default '' */
  readonly path?: string;
  /** Folder of the sources. @default 'src' */
  readonly sourceRoot?: string;
  /** If true, no folder of its own. @default false */
  readonly flat?: boolean;
  /** If false, without a specification. @default true */
  readonly spec?: boolean;
  /** Suffix of the specification. @default 'spec' */
  readonly specFileSuffix?: string;
  /** If true, no module is changed. @default false */
  readonly skipImport?: boolean;
}
