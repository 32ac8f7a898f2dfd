import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { activityReference, REFERENCE } from '../../scripts/docs/activity-reference.js';

// On a difference: node --conditions=@waymark/source --import @swc-node/register/esm-register scripts/docs/activity-reference.ts
it('the activity reference is what the activities say', async () => {
  expect(readFileSync(REFERENCE, 'utf8')).toBe(await activityReference());
});
