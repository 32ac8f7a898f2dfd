import type { SchematicTree } from './schematic-tree.js';

const MODULE = /\.module\.ts$/;

/** The module file of the folder, or of the nearest folder above it that has one. */
export function nearestModule(tree: SchematicTree, folder: string): string | undefined {
  const parts = folder.split('/').filter(Boolean);
  for (let depth = parts.length; depth >= 0; depth--) {
    const path = parts.slice(0, depth).join('/');
    const file = [...tree.getDir(`/${path}`).subfiles].toSorted().find((name) => MODULE.test(name));
    if (file !== undefined) return path === '' ? file : `${path}/${file}`;
  }
  return undefined;
}
