import type { Completion } from '@codemirror/autocomplete';

/** What a declaration file declares, as things to complete. */
export function completionsOf(declarations: string): readonly Completion[] {
  const found = new Map<string, Completion>();
  for (const [, kind, name, rest] of declarations.matchAll(
    /declare\s+(function|var|let|const|class)\s+([\w$]+)\s*([^;\n]*)/g,
  )) {
    if (!name || found.has(name)) continue;
    found.set(name, {
      label: name,
      type: kind === 'function' ? 'function' : kind === 'class' ? 'class' : 'variable',
      detail: (rest ?? '').trim(),
      ...(kind === 'function' ? { apply: `${name}()` } : {}),
    });
  }
  return [...found.values()];
}
