import { describe, expect, it } from '@jest/globals';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import { chooseVersion, CODE_PROPERTY, type CodeVersion } from './code-version.js';

const row = (version: number, code?: Partial<CodeVersion>): LoadedDefinition =>
  ({
    id: `x:v${version}`,
    version,
    customProperties: code ? { [CODE_PROPERTY]: { uses: {}, ...code } } : {},
  }) as LoadedDefinition;

function choose(
  workflow: { fingerprint: string; declaredVersion?: number; uses?: Record<string, string> },
  ...stored: LoadedDefinition[]
): string {
  const { fingerprint, declaredVersion, uses = {} } = workflow;
  const choice = chooseVersion({ definitionId: 'x', fingerprint, declaredVersion }, uses, stored);
  return choice.kind === 'new' ? `new ${choice.version}` : `stored ${choice.definition.version}`;
}

describe('the version of code', () => {
  it('is counted', () => {
    expect(choose({ fingerprint: 'A' })).toBe('new 1');
    expect(choose({ fingerprint: 'A' }, row(1, { fingerprint: 'A' }))).toBe('stored 1');
    expect(choose({ fingerprint: 'B' }, row(1, { fingerprint: 'A' }))).toBe('new 2');
  });

  it('is an old one again when the code is', () => {
    expect(choose({ fingerprint: 'A' }, row(1, { fingerprint: 'A' }), row(2, { fingerprint: 'B' }))).toBe('stored 1');
  });

  it('comes after versions that are not from code', () => {
    expect(choose({ fingerprint: 'A' }, row(1), row(4))).toBe('new 5');
  });

  it('is the declared one', () => {
    expect(choose({ fingerprint: 'A', declaredVersion: 3 })).toBe('new 3');
    expect(choose({ fingerprint: 'A', declaredVersion: 3 }, row(3, { fingerprint: 'A', declaredVersion: 3 }))).toBe(
      'stored 3',
    );
    expect(choose({ fingerprint: 'B', declaredVersion: 4 }, row(3, { fingerprint: 'A', declaredVersion: 3 }))).toBe(
      'new 4',
    );
    // Raised without a change: whoever raises the number wants the version.
    expect(choose({ fingerprint: 'A', declaredVersion: 4 }, row(3, { fingerprint: 'A', declaredVersion: 3 }))).toBe(
      'new 4',
    );
    // Counted before the number was written down.
    expect(choose({ fingerprint: 'A', declaredVersion: 1 }, row(1, { fingerprint: 'A' }))).toBe('stored 1');
  });

  it('cannot change under its number (WM1211)', () => {
    const stored = [row(3, { fingerprint: 'A', declaredVersion: 3 }), row(5, { fingerprint: 'C' })];
    expect(() => choose({ fingerprint: 'B', declaredVersion: 3 }, ...stored)).toThrow(
      expect.objectContaining({ code: 'WM1211', version: 3, nextVersion: 6 }),
    );
    expect(() => choose({ fingerprint: 'B', declaredVersion: 2 }, row(2))).toThrow(
      expect.objectContaining({ code: 'WM1211' }),
    );
  });

  it('goes on when a used workflow does, whatever is declared', () => {
    const stored = row(1, { fingerprint: 'A', declaredVersion: 1, uses: { child: 'child:v1' } });
    const next = { fingerprint: 'A', declaredVersion: 1, uses: { child: 'child:v2' } };
    expect(choose(next, stored)).toBe('new 2');
    expect(choose(next, stored, row(2, { ...next }))).toBe('stored 2');
    expect(choose({ ...next, declaredVersion: undefined }, stored)).toBe('new 2');
  });
});
