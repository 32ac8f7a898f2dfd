import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltHost } from '../support/built-host.js';

const README = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
const HOST_TEST_MS = 120_000;
const PRINTED_URL = 'http://127.0.0.1:3000';
/** As the README prints it; a reader gets another one. */
const PRINTED_ID = /"requestId":"([0-9a-f]{24})"/.exec(README)![1]!;

interface Step {
  readonly script: string;
  readonly printed: string;
  /** The text before it tells the reader to kill the host. */
  readonly afterKill: boolean;
}

/** The commands of the tour, each with the answer that is printed after it. */
function readTour(): Step[] {
  const chapter = /## Five minutes\n(.*?)\n## /s.exec(README)![1]!;
  const blocks = [...chapter.matchAll(/(.*?)```(sh|text)\n(.*?)```/gs)];
  return blocks.flatMap(([, before, kind, script], i) =>
    kind === 'sh'
      ? [
          {
            script: script!,
            printed: blocks[i + 1]?.[2] === 'text' ? blocks[i + 1]![3]! : '',
            afterKill: /kill -9/.test(before!),
          },
        ]
      : [],
  );
}

describe('the tour of the README, as it is printed', () => {
  const host = new BuiltHost();
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  const steps = readTour();
  let id = PRINTED_ID;

  /** In the reader's shell, with the address of this host and the id that it gave. */
  function run(script: string): string {
    const own = script.replaceAll(PRINTED_URL, host.url).replaceAll(PRINTED_ID, id);
    const { status, stdout, stderr, error } = spawnSync('bash', ['-c', `ID=${id}\n${own}`], { encoding: 'utf8' });
    if (status !== 0) throw error ?? new Error(`${own}\nended with status ${status}: ${stderr}`);
    return stdout;
  }

  it('has steps', () => {
    expect(steps.length).toBeGreaterThanOrEqual(6);
    expect(steps.filter((step) => step.afterKill)).toHaveLength(1);
  });

  it.each(steps.map((step) => [step.script.trim().split('\n').at(-1)!, step] as const))(
    '%s',
    async (_name, { script, printed, afterKill }) => {
      if (afterKill) {
        await host.kill();
        await host.start();
      }
      const output = run(script);
      if (id === PRINTED_ID) id = /"requestId":"([0-9a-f]{24})"/.exec(output)?.[1] ?? id;
      const answer = output.replaceAll(id, PRINTED_ID).trim();
      // `curl -i` shows the head of an answer before the answer that is printed.
      if (script.includes('curl -i')) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer.split('\n').at(-1)).toBe(printed.trim());
    },
    HOST_TEST_MS,
  );
});
