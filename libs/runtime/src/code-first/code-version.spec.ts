import { describe, expect, it } from '@jest/globals';
import type { DefinitionVersion, LoadedDefinition } from '../persistence/definition-store.js';
import { CODE_PROPERTY, type CodeVersion } from '../definitions/code-version-facts.js';
import { chooseVersion } from './code-version.js';

const row = (version: number, code?: Partial<CodeVersion>): LoadedDefinition =>
  ({
    id: `x:v${version}`,
    version,
    customProperties: code ? { [CODE_PROPERTY]: { uses: {}, ...code } } : {},
  }) as LoadedDefinition;

function choose(
  workflow: { structure: string; declaredVersion?: number; uses?: Record<string, string> },
  ...stored: LoadedDefinition[]
): string {
  const { structure, declaredVersion, uses = {} } = workflow;
  const choice = chooseVersion({ definitionId: 'x', structure, fingerprint: structure, declaredVersion }, uses, stored);
  return choice.kind === 'new' ? `new ${choice.version}` : `stored ${choice.definition.version}`;
}

describe('the version of code', () => {
  it('the version of code is counted', () => {
    expect(choose({ structure: 'A' })).toBe('new 1');
    expect(choose({ structure: 'A' }, row(1, { structure: 'A' }))).toBe('stored 1');
    expect(choose({ structure: 'B' }, row(1, { structure: 'A' }))).toBe('new 2');
  });

  it('is the earlier version again when the code is as it was', () => {
    expect(choose({ structure: 'A' }, row(1, { structure: 'A' }), row(2, { structure: 'B' }))).toBe('stored 1');
  });

  it('comes after versions that cannot be read, and cannot be the one whose number is declared', () => {
    const error = new Error('damaged');
    const unreadable = [{ version: { version: 4 } as DefinitionVersion, error }];
    const of = (declaredVersion: number | undefined) =>
      chooseVersion({ definitionId: 'x', structure: 'A', fingerprint: 'A', declaredVersion }, {}, [row(3)], unreadable);
    expect([of(undefined), of(7)]).toEqual([
      { kind: 'new', version: 5 },
      { kind: 'new', version: 7 },
    ]);
    expect(() => of(4)).toThrow(error);
  });

  it('comes after versions that are not from code', () => {
    expect(choose({ structure: 'A' }, row(1), row(4))).toBe('new 5');
  });

  it('is the declared one', () => {
    expect(choose({ structure: 'A', declaredVersion: 3 })).toBe('new 3');
    expect(choose({ structure: 'A', declaredVersion: 3 }, row(3, { structure: 'A', declaredVersion: 3 }))).toBe(
      'stored 3',
    );
    expect(choose({ structure: 'B', declaredVersion: 4 }, row(3, { structure: 'A', declaredVersion: 3 }))).toBe(
      'new 4',
    );
    // Raised without a change: whoever raises the number wants the version.
    expect(choose({ structure: 'A', declaredVersion: 4 }, row(3, { structure: 'A', declaredVersion: 3 }))).toBe(
      'new 4',
    );
    // Counted before the number was written down.
    expect(choose({ structure: 'A', declaredVersion: 1 }, row(1, { structure: 'A' }))).toBe('stored 1');
  });

  it('cannot change under its number (WM1211)', () => {
    const stored = [row(3, { structure: 'A', declaredVersion: 3 }), row(5, { structure: 'C' })];
    expect(() => choose({ structure: 'B', declaredVersion: 3 }, ...stored)).toThrow(
      expect.objectContaining({ code: 'WM1211', version: 3, nextVersion: 6 }),
    );
    expect(() => choose({ structure: 'B', declaredVersion: 2 }, row(2))).toThrow(
      expect.objectContaining({ code: 'WM1211' }),
    );
  });

  it('increases when a used workflow changes, whatever is declared', () => {
    const stored = row(1, { structure: 'A', declaredVersion: 1, uses: { child: 'child:v1' } });
    const next = { structure: 'A', declaredVersion: 1, uses: { child: 'child:v2' } };
    expect(choose(next, stored)).toBe('new 2');
    expect(choose(next, stored, row(2, { ...next }))).toBe('stored 2');
    expect(choose({ ...next, declaredVersion: undefined }, stored)).toBe('new 2');
  });
});
