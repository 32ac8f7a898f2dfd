import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { activityReference, REFERENCE } from '../../scripts/docs/activity-reference.js';

// On a difference: node --conditions=@waymark/source --import @swc-node/register/esm-register scripts/docs/activity-reference.ts
it('the activity reference matches the descriptions of the activities', async () => {
  expect(readFileSync(REFERENCE, 'utf8')).toBe(await activityReference());
});

it('each input and output in the activity reference has a description', () => {
  const rows = readFileSync(REFERENCE, 'utf8').match(/^\| `.*\|$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(100);
  const remarks = /_Plain\._|Not shown in the journal\.|One of .*/g;
  expect(rows.filter((row) => row.split('|').at(-2)!.replaceAll(remarks, '').trim() === '')).toEqual([]);
});
