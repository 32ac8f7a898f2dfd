import { InvalidRequestError } from '../answers/api-errors.js';
import { parseJsonText, pathOfError } from './json-text.js';

describe('parseJsonText', () => {
  it('skips a byte order mark', () => expect(parseJsonText('\uFEFF{"a":1}')).toEqual({ a: 1 }));

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
  ])('%s is wrong at "%s"', (text, path) => expect(pathOfError(text)).toBe(path));

  it('reports under the member, or as serializer error', () => {
    const errorsOf = (text: string) => {
      try {
        return parseJsonText(text);
      } catch (error) {
        return Object.keys((error as InvalidRequestError).errors);
      }
    };
    expect(errorsOf('{ "page": ')).toEqual(['page']);
    expect(errorsOf('')).toEqual(['serializerErrors']);
  });

  it('gets through deep nesting without overflowing', () => {
    expect(() => parseJsonText('['.repeat(5000))).toThrow(InvalidRequestError);
  });
});
