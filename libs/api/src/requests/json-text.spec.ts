import { InvalidRequestError } from '../answers/api-errors.js';
import { parseRequestText } from './json-text.js';

const LIMIT = { bytes: 1, values: 1_000_000 };

const errorsOf = async (text: string) => {
  try {
    return await parseRequestText(text, LIMIT);
  } catch (error) {
    return Object.keys((error as InvalidRequestError).errors);
  }
};

describe('parseRequestText', () => {
  it('skips a byte order mark', () => expect(parseRequestText('\uFEFF{"a":1}', LIMIT)).resolves.toEqual({ a: 1 }));

  it.each([
    ['{ "model": { "name": ', 'model.name'],
    ['{ "page": ', 'page'],
    ['{ "Model": { "Name": 1', 'model'],
    ['{"timestampFilters":[{"column":"x"},{"operator":nope', 'timestampFilters[1].operator'],
    ['{"a":[1,2,', 'a[2]'],
    ['{"username": "admin",', ''],
    ['{"a":1,}', ''],
    ['{/* c */"a":1}', ''],
    ['{ nope', ''],
    ['', ''],
    ['{"a":1} x', ''],
  ])('%s is wrong at "%s"', (text, path) => expect(errorsOf(text)).resolves.toEqual([path || 'serializerErrors']));

  it.each([
    ['deep nesting', '['.repeat(20_000)],
    ['deep nesting of members', '{"a":'.repeat(50_000)],
    ['deep nesting that is complete', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['a long text that is broken', `{"a":"${'x'.repeat(9_000_000)}`],
    ['too many values', `[${'[],'.repeat(2_500_000)}[]]`],
  ])('refuses %s with one sentence', async (_, text) => {
    const refused = expect(parseRequestText(text, LIMIT)).rejects;
    await refused.toBeInstanceOf(InvalidRequestError);
    await refused.toThrow(/^.{1,300}$/);
  });
});
