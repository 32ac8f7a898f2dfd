import { describe, expect, it } from '@jest/globals';
import { parseDefinitionText } from './definition-text.js';

describe('parseDefinitionText', () => {
  it('skips a byte order mark', () => {
    expect(parseDefinitionText('\uFEFF{"name":"\\u0022x\\u0022"}\r\n')).toEqual({ name: '"x"' });
  });

  it.each(['', '{ nope', '{"a":1,}', '// text\n{}'])('refuses %j with a typed error', (text) => {
    expect(() => parseDefinitionText(text)).toThrow(
      expect.objectContaining({ code: 'WM1001', member: '', message: expect.stringContaining('The text is not JSON') }),
    );
  });

  it.each([
    ['{ nope', 'line 1, column 3'],
    ['\uFEFF{\r\n  "a": 1,\n  "b": yes\n}', 'line 3, column 8'],
  ])('says where %j goes wrong', (text, place) => {
    expect(() => parseDefinitionText(text)).toThrow(place);
  });
});
