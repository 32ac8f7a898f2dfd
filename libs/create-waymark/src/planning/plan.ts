/** Everything that will be written, decided before anything is. */
export interface Plan {
  /** Absolute. */
  readonly folder: string;
  readonly kind: 'new' | 'existing';
  /** Text by path below the folder, of files that must not exist. */
  readonly created: ReadonlyMap<string, string>;
  /** Files that exist, with the text that they have now and the one that they get. */
  readonly changed: ReadonlyMap<string, { readonly before: string; readonly after: string }>;
  /** What is done, a line each, for the user to read beforehand. */
  readonly summary: readonly string[];
  /** What is left to do for the user afterwards. */
  readonly next: readonly string[];
}
