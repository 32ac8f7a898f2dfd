import { filledIn, withFilled } from './filled-in.js';
import { inputSchema } from './input-schema.js';

const form = (...inputs: { name: string; type: string; defaultValue?: unknown }[]) => inputSchema(inputs)!;

describe('what is filled in for inputs that change meanwhile', () => {
  it('has the inputs that are declared now, and brings a value back with its input', () => {
    const before = form({ name: 'who', type: 'String' }, { name: 'old', type: 'String' });
    const filled = withFilled(before, {}, { who: 'Ana', old: 'x' });
    expect(filledIn(before, filled)).toEqual({ who: 'Ana', old: 'x' });
    expect(filledIn(form({ name: 'who', type: 'String' }), filled)).toEqual({ who: 'Ana' });
    expect(filledIn(before, filled)).toEqual({ who: 'Ana', old: 'x' });
  });

  it('leaves out a value that its field cannot show', () => {
    const filled = withFilled(form({ name: 'many', type: 'String' }), {}, { many: 'abc' });
    expect(filledIn(form({ name: 'many', type: 'Int32' }), filled)).toBeUndefined();
    expect(filledIn(form({ name: 'many', type: 'Boolean' }), filled)).toBeUndefined();
    expect(filledIn(form({ name: 'many', type: 'Object' }), filled)).toEqual({ many: 'abc' });
  });

  it('has the defaults of now where nothing was filled in, and none in a field that was emptied', () => {
    const before = form({ name: 'a', type: 'Int32', defaultValue: 1 }, { name: 'b', type: 'Int32', defaultValue: 2 });
    const filled = withFilled(before, {}, { b: 2 });
    const after = form({ name: 'a', type: 'Int32', defaultValue: 7 }, { name: 'b', type: 'Int32', defaultValue: 8 });
    expect(filledIn(after, filled)).toEqual({ b: 8 });
    expect(filledIn(after, withFilled(before, filled, { a: 3, b: 2 }))).toEqual({ a: 3, b: 8 });
  });
});
