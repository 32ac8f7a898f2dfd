import { BulkAction, StepAction } from '@waymark/runtime';
import { planTexts } from '../../libs/studio/client/src/texts/plans.js';

it.each(Object.keys({ ...BulkAction, ...StepAction }))('Studio has a word for what a plan of %s has done', (action) =>
  expect(planTexts.ended(action, 3, false)).toMatch(/^3 (?!done)[a-z]+ed\.$/),
);
