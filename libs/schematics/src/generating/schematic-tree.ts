/**
 * What the schematics use of the tree that the Nest CLI passes. It is declared here so that the package goes with the version of
 * `@angular-devkit/schematics` that each Nest CLI brings, and installs none of its own.
 */
export interface SchematicTree {
  /** `null`: there is no such file. */
  read(path: string): Uint8Array | null;
  /** Whether there is a file of that path. */
  exists(path: string): boolean;
  /** Makes a file. */
  create(path: string, content: string): void;
  /** Replaces the content of a file. */
  overwrite(path: string, content: string): void;
  /** The folder; it need not exist. */
  getDir(path: string): { readonly subfiles: readonly string[] };
}

/** The change that a schematic makes, with the options it was called with. */
export type SchematicRule = (tree: SchematicTree) => void;

/** The text of a file, or `undefined` if it does not exist. */
export function textOf(tree: SchematicTree, path: string): string | undefined {
  const content = tree.read(path);
  return content === null ? undefined : new TextDecoder().decode(content);
}
