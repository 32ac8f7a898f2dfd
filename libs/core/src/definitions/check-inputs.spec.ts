import { createDefaultTypeRegistry } from '../values/default-types.js';
import { checkInputs } from './check-inputs.js';
import type { InputDefinition } from './workflow-definition.js';

const types = createDefaultTypeRegistry();
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const definition = (inputs: Partial<InputDefinition>[]) => ({
  inputs: inputs as InputDefinition[],
  options: { strictConversions: true },
  materializerName: 'Json',
});

describe('the problems of the inputs of a start', () => {
  it('the problems of the inputs of a start are reported for each input, with the accepted type', () => {
    const declared = definition([
      { name: 'count', type: 'Int32' },
      { name: 'name', type: 'String', isRequired: true },
    ]);
    const checked = checkInputs(declared, { count: 'x', other: 1 }, types)!;
    expect(checked.problems).toEqual([
      expect.stringMatching(/^'count' does not fit its type/),
      "'other' is not declared; the workflow takes count, name",
      "'name' is missing",
    ]);
  });

  it('inputs are found in any casing, but where two differ in it only, as they are spelt', () => {
    const declared = definition([
      { name: 'Id', type: 'Int32', isRequired: true },
      { name: 'ID', type: 'String' },
      { name: 'Note', type: 'String' },
    ]);
    expect(checkInputs(declared, { Id: 1, note: 'x' }, types)).toEqual({ input: { Id: 1, Note: 'x' }, problems: [] });
    expect(checkInputs(declared, { ID: 'a', Id: 1 }, types)).toEqual({ input: { ID: 'a', Id: 1 }, problems: [] });
    expect(checkInputs(declared, { ID: 'a' }, types)!.problems).toEqual(["'Id' is missing"]);
  });

  it('the problems of the inputs of a start are limited in number and length, whatever the inputs', () => {
    const declared = definition(many(2000, (i) => ({ name: `in${i}`, type: 'Int32' })));
    const others = Object.fromEntries(many(90_000, (i) => [`other${i}`, 1]));
    const wrong = Object.fromEntries(many(2000, (i) => [`in${i}`, 'x']));
    for (const given of [others, wrong]) {
      const { problems } = checkInputs(declared, given, types)!;
      expect([problems.length, problems.at(-1)]).toEqual([51, 'there are further problems']);
      expect(problems.join().length).toBeLessThan(50_000);
    }
    expect(checkInputs(declared, { other: 1 }, types)!.problems[0]).toMatch(/ takes in0, .*, in49, 1950 more$/);
    const required = definition(many(2000, (i) => ({ name: `in${i}`, type: 'Int32', isRequired: true })));
    expect(checkInputs(required, {}, types)!.problems).toHaveLength(50);
  });
});
