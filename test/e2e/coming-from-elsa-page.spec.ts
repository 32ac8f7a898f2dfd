import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readTour, runStep } from '../support/page-tour.js';
import { OwnHost } from './own-host.js';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../docs/coming-from-elsa.md'), 'utf8');
const HOST_TEST_MS = 120_000;
const steps = readTour(/## Step by step\n(.*?)\n## /s.exec(PAGE)![1]!);

describe('the migration from Elsa, as the page prints it', () => {
  const host = new OwnHost();
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-elsa-'));
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(async () => {
    await host.remove();
    rmSync(folder, { recursive: true });
  });

  it('the page on migration has steps', () => expect(steps).toHaveLength(6));

  it.each(steps.map((step) => [step.script.trim().split('\n').at(-1)!, step] as const))(
    '%s',
    async (_, { script, printed }) => {
      const output = await runStep(script, host.url, folder);
      expect(output.trim().split('\n').at(-1)).toBe(printed.trim());
    },
    HOST_TEST_MS,
  );
});
