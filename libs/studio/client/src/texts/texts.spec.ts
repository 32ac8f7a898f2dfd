import { deadLetterTexts } from './dead-letters.js';
import { designerTexts } from './designer.js';
import { draftRunTexts } from './draft-run.js';
import { graphTexts } from './graph.js';
import { instanceTexts } from './instances.js';
import { listTexts } from './lists.js';
import { homeTexts } from './operations.js';
import { workflowTexts } from './workflows.js';

const ALL = {
  deadLetterTexts,
  designerTexts,
  draftRunTexts,
  graphTexts,
  homeTexts,
  instanceTexts,
  listTexts,
  workflowTexts,
};
const MANY = 12_345;

/** Functions that begin with a count, by their places. */
function* countsIn(value: unknown, place: string): Generator<[string, (...values: unknown[]) => unknown]> {
  if (typeof value === 'function' && /^\((count|shown)\b/.test(String(value)))
    yield [place, value as (...values: unknown[]) => unknown];
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) yield* countsIn(member, `${place}.${name}`);
}

/** Those that get what others have counted, as a text. */
const TEXTS = /deadLetterTexts\.(all|replay|delete)|homeTexts/;
const found = [...countsIn(ALL, '')].filter(([place]) => !TEXTS.test(place));

it('finds the counts', () => expect(found.length).toBeGreaterThan(40));

it.each(found)('%s has separators of thousands', (_place, text) => {
  const words = String(text(MANY, MANY, true));
  expect(words).not.toContain(String(MANY));
});
