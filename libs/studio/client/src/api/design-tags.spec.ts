import { expect, it } from '@jest/globals';
import type { DefinitionModel } from './definitions.js';
import { onlyOver, tagged } from './design-tags.js';

const sentFor = (etag: string | undefined) =>
  onlyOver(tagged({} as DefinitionModel, { headers: new Headers(etag === undefined ? {} : { etag }) }));

it.each(['"v1.3"', 'W/"v1.3.q83vTr_-0"', '"v1.3-gzip"'])('a design is saved over what the tag %s names', (tag) => {
  expect(sentFor(tag)).toEqual({ 'if-match': tag });
});

// With nodes of both versions behind one address, the newer ones would refuse each save.
it.each([undefined, 'W/"q83vTr_-0hL"', 'W/"2f-q83vTr+/0hL"'])('a design names no tag of an older server: %s', (tag) => {
  expect(sentFor(tag)).toBeUndefined();
});
