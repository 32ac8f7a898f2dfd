import { describe, expect, it } from '@jest/globals';
import { parseTypeName } from './type-name.js';

describe('parseTypeName', () => {
  it.each([
    ['String', { form: 'simple', name: 'String', namespace: '' }],
    ['System.String', { form: 'simple', name: 'String', namespace: 'System' }],
    ['System.Uri, System.Private.Uri', { form: 'simple', name: 'Uri', namespace: 'System' }],
    ['A.B.C, Asm, Version=1.0.0.0, Culture=neutral', { form: 'simple', name: 'C', namespace: 'A.B' }],
    ['UnregisteredClrType:A.B, Asm', { form: 'simple', name: 'B', namespace: 'A' }],
    ['Int32?', { form: 'nullable', of: 'Int32' }],
    ['Int32?[]', { form: 'array', of: 'Int32?' }],
    ['System.Byte[], System.Private.CoreLib', { form: 'array', of: 'System.Byte' }],
    ['List<String>', { form: 'generic', name: 'List', args: ['String'] }],
    ['IDictionary<String, List<Object>>', { form: 'generic', name: 'IDictionary', args: ['String', 'List<Object>'] }],
    [
      'System.Collections.Generic.List`1[[System.String, System.Private.CoreLib]], System.Private.CoreLib',
      { form: 'generic', name: 'List', args: ['System.String, System.Private.CoreLib'] },
    ],
    [
      'System.Collections.Generic.Dictionary`2[[System.String, A],[System.Collections.Generic.List`1[[X, B]], C]], D',
      {
        form: 'generic',
        name: 'Dictionary',
        args: ['System.String, A', 'System.Collections.Generic.List`1[[X, B]], C'],
      },
    ],
    ['List`1[System.Int32]', { form: 'generic', name: 'List', args: ['System.Int32'] }],
  ])('takes %s apart', (text, expected) => {
    expect(parseTypeName(text)).toEqual(expected);
  });

  it.each(['', '[]', '?', '<>', 'List<', '`1[]', ',', '.', 'a..b'])('survives %j', (text) => {
    expect(() => parseTypeName(text)).not.toThrow();
  });
});
