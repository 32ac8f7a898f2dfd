import { sorted, type Dependencies } from './dependencies.js';

/** Packages to add, by list. */
export interface AddedDependencies {
  readonly dependencies: Dependencies;
  readonly devDependencies: Dependencies;
}

type Manifest = Record<string, unknown> & { dependencies?: Dependencies; devDependencies?: Dependencies };

/** Adds packages to the text of a manifest, indented as it is. What the application has in any list keeps its version. */
export function addDependencies(text: string, wanted: AddedDependencies): { text: string; added: readonly string[] } {
  const manifest = JSON.parse(text) as Manifest;
  const present = { ...manifest.dependencies, ...manifest.devDependencies };
  const missing = (list: Dependencies) => Object.entries(list).filter(([name]) => !(name in present));
  const added = { dependencies: missing(wanted.dependencies), devDependencies: missing(wanted.devDependencies) };
  for (const key of ['dependencies', 'devDependencies'] as const) {
    if (added[key].length > 0) manifest[key] = sorted({ ...manifest[key], ...Object.fromEntries(added[key]) });
  }
  const indentation = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  const written = JSON.stringify(manifest, null, indentation).replaceAll('\n', newLine);
  return {
    text: text.endsWith('\n') ? `${written}${newLine}` : written,
    added: [...added.dependencies, ...added.devDependencies].map(([name]) => name),
  };
}
