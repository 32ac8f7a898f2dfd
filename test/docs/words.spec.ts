import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './code-blocks.js';

interface Text {
  readonly text: string;
  readonly line: number;
  readonly isTest?: boolean;
}
interface Texts {
  textsOfMarkdown(file: string, content: string): Text[];
  textsOfTypeScript(file: string, content: string): Text[];
}

const load = (file: string): Promise<unknown> => import(path.join(ROOT, 'scripts/words', file));
const { textsOfMarkdown, textsOfTypeScript } = (await load('texts.mjs')) as Texts;
type Habits = readonly { readonly pattern: RegExp }[];
const { habits, titleHabits } = (await load('habits.mjs')) as Record<'habits' | 'titleHabits', Habits>;

const found = (texts: readonly Text[]): string[] =>
  texts.flatMap(({ text }) => habits.flatMap(({ pattern }) => text.match(pattern) ?? []));

const refusedTitles = (source: string): string[] =>
  textsOfTypeScript('a.spec.ts', source)
    .filter(({ text, isTest }) => isTest && titleHabits.some(({ pattern }) => text.match(pattern)))
    .map(({ text }) => text);

// Each is written in two parts, or the check would find it here.
const NONE = 'is ' + 'no list';
const FOUND = 'is ' + 'no ';

describe('the check of words', () => {
  it('reads error messages and documentation comments of sources', () => {
    expect(found(textsOfTypeScript('a.ts', `throw new Error('This ${NONE}.');`))).toEqual([FOUND]);
    expect(found(textsOfTypeScript('a.ts', `throw new Error(\`\${x} ${NONE}.\`);`))).toEqual([FOUND]);
    expect(found(textsOfTypeScript('a.ts', `/** This ${NONE}. */\nexport const a = 1;`))).toEqual([FOUND]);
  });

  it('reads documentation comments across line breaks', () => {
    const source = ['/**', ' * It is', ' * no list.', ' */', 'export const a = 1;'].join('\n');
    expect(found(textsOfTypeScript('a.ts', source))).toEqual(['is\nno ']);
  });

  it('refuses documentation comments that begin with the value of a flag', () => {
    expect(found(textsOfTypeScript('a.ts', `/** ${'True'}: it is kept. */\nexport const a = 1;`))).toEqual([
      '/** True: ',
    ]);
    expect(found(textsOfTypeScript('a.ts', `/** If true, it is kept. True: yes. */\nexport const a = 1;`))).toEqual([]);
  });

  it('leaves ordinary comments alone', () => {
    expect(found(textsOfTypeScript('a.ts', `// This ${NONE}.\nconst a = 1;`))).toEqual([]);
  });

  it.each([
    `it('${NONE}', f)`,
    `describe.skip('${NONE}', f)`,
    `it.each([1])('${NONE}', f)`,
    `it.each([['${NONE}', 1]])('x', f)`,
  ])('reads titles of tests: %#', (source) => {
    expect(found(textsOfTypeScript('a.spec.ts', source))).toEqual([FOUND]);
  });

  it('leaves what tests work with alone', () => {
    expect(found(textsOfTypeScript('a.spec.ts', `it('runs', () => test.run('${NONE}'))`))).toEqual([]);
  });

  it.each([
    'are refused',
    'W8, W9: are begun again',
    'and the rest is kept',
    'of a list are kept',
    'that are missing are named',
    'with step 0 faults',
    'in a loop',
  ])('refuses a title that is not a sentence without its describe: %s', (title) => {
    expect(refusedTitles(`it(${JSON.stringify(title)}, f)`)).toHaveLength(1);
    expect(refusedTitles(`it.each([1])('${title}', f)`)).toHaveLength(1);
    expect(refusedTitles(`test.skip(\`${title}\`, f)`)).toHaveLength(1);
  });

  it.each([
    "it('refuses a list', f)",
    "it('links are kept', f)",
    "it('is kept with its list', f)",
    "it('when a list is full, the others are kept', f)",
    "describe('of a list', f)",
    "it.each([['of a list', 1]])('%s is kept', f)",
    "it('is kept', () => log('in a loop'))",
  ])('accepts titles that are sentences, and names of groups and cases: %s', (source) => {
    expect(refusedTitles(source)).toEqual([]);
  });

  it('reads pages, but not names in code spans', () => {
    expect(found(textsOfMarkdown('docs/a.md', `This ${NONE}.`))).toEqual([FOUND]);
    expect(found(textsOfMarkdown('docs/a.md', `\`This ${NONE}.\``))).toEqual([]);
  });

  it('reads the first section of the changelog only', () => {
    const section = (name: string) => `## ${name}\n\nThis ${NONE}.\n\n`;
    expect(
      found(textsOfMarkdown('CHANGELOG.md', `# Changelog\n\n${section('Unreleased')}${section('1.0.0')}`)),
    ).toEqual([FOUND]);
  });

  it('accepts plain text', () => {
    expect(found([{ text: 'There is no list. It is no longer one, and is no more than that.', line: 1 }])).toEqual([]);
  });
});
