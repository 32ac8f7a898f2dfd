import { readFileSync } from 'node:fs';
import path from 'node:path';

const FILE = path.resolve(import.meta.dirname, '../../libs/studio/assets/third-party-licences.txt');
const RULE = '-'.repeat(80);

describe('the licences of what Studio bundles', () => {
  const [lead, ...entries] = readFileSync(FILE, 'utf8').split(`\n\n${RULE}\n\n`);
  const names = entries.map((text) => text.split(' ', 1)[0]);

  it('the licences of what Studio bundles name what the pages hold, and what only workers hold', () => {
    expect(lead).toContain('each under its own licence');
    const some = ['react', 'react-dom', '@mantine/core', '@xyflow/react', '@codemirror/view', '@tanstack/react-query'];
    expect(names).toEqual(expect.arrayContaining([...some, 'cronstrue', 'elkjs', 'lucide-react', 'typescript']));
    expect(names).toEqual([...new Set(names)]);
  });

  it('the licences of what Studio bundles have the text of each licence, and where the source is', () => {
    for (const entry of entries) {
      const [title, source, , ...text] = entry.split('\n');
      expect(title).toMatch(/^\S+ \d+\.\d+\.\d+\S* \(.+\)$/);
      expect([title, source]).toEqual([title, expect.stringMatching(/^Source: https:\/\/\S+$/)]);
      expect([title, text.join('\n')]).toEqual([title, expect.stringMatching(/copyright|licen[cs]e/i)]);
    }
  });

  it('the licences of what Studio bundles say what TypeScript says of third parties in it, and the terms of elkjs', () => {
    const entryOf = (name: string) => entries[names.indexOf(name)];
    expect(entryOf('typescript')).toContain('ThirdPartyNotices');
    expect(entryOf('elkjs')).toContain('Eclipse Public License');
  });
});
