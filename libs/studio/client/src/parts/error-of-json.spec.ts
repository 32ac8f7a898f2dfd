import { formTexts } from '../texts/forms.js';
import { errorOfObject } from './error-of-json.js';
import { readJson } from './form-values.js';

describe('what is wrong with a JSON object that is typed', () => {
  it.each([
    ['', undefined],
    ['{"by": "card"}', undefined],
    ['42', formTexts.notObject],
    ['"approved"', formTexts.notObject],
    ['null', formTexts.notObject],
    ['[1]', formTexts.notObject],
    ['{', formTexts.notJson],
    ['{"account": 9007199254740993}', formTexts.notExact],
  ])('typed as %s: %s', (text, error) => expect(errorOfObject(readJson(text))).toBe(error));
});
