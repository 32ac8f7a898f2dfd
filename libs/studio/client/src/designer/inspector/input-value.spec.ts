import { describe, expect, it } from '@jest/globals';
import type { InputDescriptor } from '../../api/descriptors.js';
import { expressionOf, inLanguage, withExpression } from './input-value.js';

const INPUT: InputDescriptor = {
  name: 'Text',
  displayName: 'Text',
  typeName: 'String',
  isWrapped: true,
  uiHint: 'singleline',
};

describe('inputs of activities', () => {
  it.each(['JavaScript', 'Liquid', 'Variable', 'Input'])(
    'inputs of activities have the language %s from its choice on',
    (type) => {
      const before = withExpression(undefined, INPUT, { type: 'Literal', value: 'x' });
      const after = withExpression(before, INPUT, inLanguage(expressionOf(before, INPUT), type));
      expect(expressionOf(after, INPUT).type).toBe(type);
      const empty = withExpression(undefined, INPUT, inLanguage(expressionOf(undefined, INPUT), type));
      expect(expressionOf(empty, INPUT).type).toBe(type);
    },
  );

  it('inputs of activities keep the language when nothing is chosen any more, and what stands beside the expression', () => {
    const before = { typeName: 'String', memoryReference: { id: 'm' }, expression: { type: 'Variable', value: {} } };
    expect(withExpression(before, INPUT, { type: 'Variable' })).toEqual({
      ...before,
      expression: { type: 'Variable' },
    });
  });

  it('inputs of activities are null without a value', () => {
    expect(withExpression(undefined, INPUT, { type: 'Literal', value: '' })).toBeNull();
    expect(withExpression(undefined, INPUT, { type: 'Object' })).toBeNull();
  });

  it('inputs of activities keep texts in another language, and write other values as JSON', () => {
    expect(inLanguage({ type: 'Literal', value: 'x' }, 'JavaScript')).toEqual({ type: 'JavaScript', value: 'x' });
    expect(inLanguage({ type: 'Object', value: [1] }, 'JavaScript')).toEqual({ type: 'JavaScript', value: '[1]' });
    expect(inLanguage({ type: 'Literal', value: 'x' }, 'Variable')).toEqual({ type: 'Variable' });
  });
});
