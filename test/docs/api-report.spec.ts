import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from './code-blocks.js';

interface Entry {
  readonly name: string;
  readonly text: string;
  readonly isExported: boolean;
  readonly isDocumented: boolean;
  readonly undocumented: readonly string[];
  readonly from?: string;
}

const { surfacesOf } = (await import(path.join(ROOT, 'scripts/api/surface.mjs'))) as {
  surfacesOf(entries: ReadonlyMap<string, string>): Map<string, Entry[]>;
};

describe('the report of the public surface', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-api-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A library of these declaration files. */
  function library(name: string, files: Readonly<Record<string, string>>): [string, string] {
    const home = path.join(folder, name);
    mkdirSync(path.join(home, 'dist'), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(home, 'dist', file), text);
    return [`@acme/${name}`, path.join(home, 'dist/index.d.ts')];
  }

  const surfaceOf = (text: string, more: Readonly<Record<string, string>> = {}): Entry[] =>
    surfacesOf(new Map([library('a', { 'index.d.ts': text, ...more })])).get('@acme/a')!;
  const textsOf = (surface: readonly Entry[]) => surface.map(({ text }) => text);

  it('has every export with its signature, sorted', () => {
    const more = { 'b.d.ts': 'export declare function b(x: string): Promise<void>;\nexport declare const a = 5;\n' };
    expect(textsOf(surfaceOf("export { b, a } from './b.js';\n", more))).toEqual([
      'const a = 5;',
      'function b(x: string): Promise<void>;',
    ]);
  });

  it('finds the documentation of a namespace above the statement that exports it', () => {
    const more = { 'kinds.d.ts': 'export declare const text: string;\n' };
    const documented = (text: string): boolean[] =>
      surfaceOf(text, more)
        .filter(({ isExported }) => isExported)
        .map(({ isDocumented }) => isDocumented);
    expect(documented("/** Kinds. */\nexport * as kinds from './kinds.js';\n")).toEqual([true]);
    expect(documented("export * as kinds from './kinds.js';\n")).toEqual([false]);
  });

  it('sorts unions, which the compiler writes in another order in the next build', () => {
    const text = 'export declare function f(x: "b" | "a" | undefined | Array<2 | 1>): void;\n';
    expect(textsOf(surfaceOf(text))).toEqual(['function f(x: "a" | "b" | Array<1 | 2> | undefined): void;']);
  });

  it('has each overload', () => {
    const text = 'export declare function f(x: string): void;\nexport declare function f(x: number): void;\n';
    expect(textsOf(surfaceOf(text))).toEqual(['function f(x: string): void;\nfunction f(x: number): void;']);
  });

  it('leaves out private members, and the types that only they name', () => {
    const text =
      'declare class Hidden {}\nexport {};\nexport declare class A {\n  #x;\n  private y: Hidden;\n  protected z(): void;\n}\n';
    expect(textsOf(surfaceOf(text))).toEqual(['class A {\n    protected z(): void;\n}']);
  });

  it('keeps a private constructor, without which anyone could construct the class', () => {
    const text = 'export declare class A {\n  private constructor();\n}\n';
    expect(textsOf(surfaceOf(text))).toEqual(['class A {\n    private constructor();\n}']);
  });

  it('has what exports name, even when it cannot be imported', () => {
    const more = {
      'b.d.ts': 'export interface Named {\n    deep: Deeper;\n}\ninterface Deeper {\n    n: number;\n}\n',
    };
    const surface = surfaceOf("import { Named } from './b.js';\nexport declare function a(): Named;\n", more);
    expect(surface.map(({ name, isExported }) => [name, isExported])).toEqual([
      ['Deeper', false],
      ['Named', false],
      ['a', true],
    ]);
  });

  it('names the package of what is passed on', () => {
    const other = library('other', { 'index.d.ts': 'export declare class Other {}\n' });
    const front = library('front', {
      'index.d.ts': "export { Other } from '@acme/other';\nexport { Foreign } from 'foreign';\n",
    });
    expect(textsOf(surfacesOf(new Map([other, front])).get('@acme/front')!)).toEqual([
      "export { Foreign } from 'foreign';",
      "export { Other } from '@acme/other';",
    ]);
  });

  it('shows the name that an export has in its file', () => {
    expect(textsOf(surfaceOf('declare class Inner {}\nexport { Inner as Outer };\n'))).toEqual([
      '// exported as Outer\nclass Inner {\n}',
    ]);
  });

  it('knows which exports have no documentation', () => {
    const surface = surfaceOf('/** Told. */\nexport declare class A {}\nexport declare class B {}\n');
    expect(surface.map(({ isDocumented }) => isDocumented)).toEqual([true, false]);
  });

  it('knows which members have no documentation, private ones and those of a documented base left out', () => {
    const text =
      'export interface A {\n  /** Said. */\n  a: 1;\n  b: 2;\n}\n' +
      'export declare class B implements A {\n  a: 1;\n  b: 2;\n  private c;\n  d(): void;\n}\n' +
      'export type C = { e: 1 };\n';
    expect(surfaceOf(text).map(({ name, undocumented }) => [name, undocumented])).toEqual([
      ['A', ['b']],
      ['B', ['b', 'd']],
      ['C', ['e']],
    ]);
  });

  it('takes the specification that is named by @see as the documentation of all members', () => {
    const text = '/** As there. @see https://example.com */\nexport interface A {\n  a: 1;\n}\n';
    expect(surfaceOf(text)[0]!.undocumented).toEqual([]);
  });

  it('says which other entry point exports what an entry point names', () => {
    const files = {
      'index.d.ts': "import type { B } from './b.js';\nexport interface A {\n    b: B;\n}\n",
      'adapter.d.ts': "export { B } from './b.js';\n",
      'b.d.ts': 'export interface B {\n    x: 1;\n}\n',
    };
    const [name, file] = library('a', files);
    const entries = new Map([
      [name, file],
      [`${name}/adapter`, path.join(path.dirname(file), 'adapter.d.ts')],
    ]);
    const surface = surfacesOf(entries).get('@acme/a')!;
    expect(surface.map((entry) => [entry.name, entry.from])).toEqual([
      ['A', undefined],
      ['B', '@acme/a/adapter'],
    ]);
  });

  it('asks for a build when there is none', () => {
    expect(() => surfacesOf(new Map([['@acme/none', path.join(folder, 'none.d.ts')]]))).toThrow('npm run build');
  });
});
