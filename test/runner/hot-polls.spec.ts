import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

// A loop that only asks a server, a host or another process keeps a processor and what it asks busy, and takes from both what it waits for.
// `until` of test/support/until.ts has pauses.

const TEST = path.join(import.meta.dirname, '..');

/** Loops without a body, unless that stands before their condition, that ask for something they have to be sent. */
const hotPollsIn = (source: string): string[] =>
  source
    .split('\n')
    .filter((line, at, lines) => {
      const asks =
        /^\s*while \(.*\bawait .*\.(?:ask|call|query|count|now|find\w*)\(.*\);$/.test(line) && !/\) await /.test(line);
      return asks && !/^\s*do\b/.test(lines[at - 1] ?? '');
    })
    .map((line) => line.trim());

it.each([
  ["  while ((await host.call('GET', '/health/ready')).status !== 200);", 1],
  ['  while (((await others.query(waits)) as unknown[]).length === 0);', 1],
  ['  do await clock.advance(60_000);\n  while ((await instances.count({})) > 0);', 0],
  ['  while ((await outbox.poll()) > 0);', 0],
  ['  while ((await instances.count({})) > 0) await pause(LOOK_MS);', 0],
])('finds what only asks: %s', (source, found) => expect(hotPollsIn(source)).toHaveLength(found));

it('no test asks again and again without a pause', () => {
  const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/node_modules|dist/.test(file) && !file.endsWith('hot-polls.spec.ts'),
  );
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    hotPollsIn(readFileSync(path.join(TEST, file), 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});
