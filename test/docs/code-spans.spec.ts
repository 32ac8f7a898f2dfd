import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './code-blocks.js';

const FENCED = /^([ \t]*)(```|~~~)[^\n]*\n[^]*?^\1\2[ \t]*$/gm;
/** Where a paragraph ends: at an empty line, before an item of a list, before a row of a table. */
const BLOCK_END = /\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d+\.) )|\n(?=\|)/;

/** Paragraphs in which code begins that does not end there, so that its backtick is shown as text. */
function brokenCode(markdown: string): string[] {
  return markdown
    .replaceAll(FENCED, '')
    .split(BLOCK_END)
    .filter((block) => {
      let open: string | undefined;
      for (const [ticks] of block.matchAll(/(?<!\\)`+/g))
        if (open === undefined || open === ticks) open = open ? undefined : ticks;
      return open !== undefined;
    });
}

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '');

describe('code in the text of pages', () => {
  it('ends in the paragraph in which it begins, also after lines were wrapped', () => {
    const broken = pages.flatMap((file) =>
      brokenCode(readFileSync(path.join(ROOT, file), 'utf8')).map((block) => `${file}: ${block.trim().slice(0, 80)}`),
    );
    expect(broken).toEqual([]);
  });

  it('is seen to be broken where a line begins with one of its asterisks', () => {
    expect(brokenCode('run `15 6\n* * FRI` now')).toEqual(['run `15 6', '* * FRI` now']);
    expect(brokenCode('run ``a ` b`` and `c`\n\n```sh\necho `\n```\n')).toEqual([]);
  });
});
