// Plain words, where users and developers read them: refuses the worst habits in error and log messages, in TSDoc, in test titles
// and in the documentation. Ordinary comments are free.
//
//   npm run words
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { allowed, habits, titleHabits } from './habits.mjs';
import { looseOf } from './loose.mjs';
import { isSpecification, textsOfMarkdown, textsOfTypeScript } from './texts.mjs';

const root = path.join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', '*.ts', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && !allowed.files.some(({ pattern }) => pattern.test(file)));

// To parse two thousand files takes ten times as long as to see that the words are in none of their lines.
const loose = habits.map(({ pattern }) => looseOf(pattern));
const looseTitles = titleHabits.map(({ pattern }) => looseOf(pattern));

let found = 0;
for (const file of files) {
  const content = readFileSync(path.join(root, file), 'utf8');
  const sought = isSpecification(file) ? [...loose, ...looseTitles] : loose;
  if (!sought.some((pattern) => pattern.test(content))) continue;
  const texts = file.endsWith('.md') ? textsOfMarkdown(file, content) : textsOfTypeScript(file, content);
  for (const { text, line, isTest } of texts) {
    for (const { pattern, instead } of isTest ? [...habits, ...titleHabits] : habits) {
      for (const match of text.matchAll(pattern)) {
        const around = text
          .slice(Math.max(0, match.index - 40), match.index + match[0].length + 40)
          .replace(/\s+/g, ' ');
        if (allowed.phrases.some(({ phrase }) => around.includes(phrase))) continue;
        const at = line + text.slice(0, match.index).split('\n').length - 1;
        console.error(`${file}:${at}: "${match[0]}" in "${around.trim()}": ${instead}`);
        found++;
      }
    }
  }
}

if (found > 0) console.error(`\nwords: ${found} phrase(s) to write plainly; the rules are in scripts/words/habits.mjs`);
else console.log(`words: ${files.length} files read plainly`);
process.exitCode = found > 0 ? 1 : 0;
