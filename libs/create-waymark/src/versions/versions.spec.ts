import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from '@jest/globals';

it('the versions of a new application are those of the manifest of the repository', () => {
  const script = path.join(import.meta.dirname, '../../../../scripts/app-versions.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
