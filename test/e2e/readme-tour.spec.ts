import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BuiltHost } from '../support/built-host.js';
import { describeAfterQuick } from '../support/pairs.js';
import { readTour, runStep } from '../support/page-tour.js';

const README = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
const HOST_TEST_MS = 120_000;
/** As the README prints it; a reader gets another one. */
const PRINTED_ID = /"requestId":"([0-9a-f]{24})"/.exec(README)![1]!;

const tour = readTour(/## Five minutes\n(.*?)\n## /s.exec(README)![1]!);

describeAfterQuick('the tour of the README, as it is printed', () => {
  const host = new BuiltHost();
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  /** The text before it tells the reader to kill the host. */
  const steps = tour.map((step) => ({ ...step, afterKill: step.before.includes('kill -9') }));
  let id = PRINTED_ID;

  /** With the id that this host gave. */
  const run = (script: string): Promise<string> => runStep(`ID=${id}\n${script.replaceAll(PRINTED_ID, id)}`, host.url);

  it('the tour of the README has steps', () => {
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
      const output = await run(script);
      if (id === PRINTED_ID) id = /"requestId":"([0-9a-f]{24})"/.exec(output)?.[1] ?? id;
      const answer = output.replaceAll(id, PRINTED_ID).trim();
      // `curl -i` shows the head of an answer before the answer that is printed.
      if (script.includes('curl -i')) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer.split('\n').at(-1)).toBe(printed.trim());
    },
    HOST_TEST_MS,
  );
});
