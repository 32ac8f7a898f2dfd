import { describe, expect, it } from '@jest/globals';
import { W, act, js, lit, out, seq, variable, whileLoop } from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const input = ['one', 'two'];
const written: string[] = [];
const test = useApplication({
  readLine: () => Promise.resolve(input.shift() ?? null),
  writeLine: (text) => written.push(text),
});

describe('the console', () => {
  it('ReadLine gives lines until there are none, WriteLine writes text', async () => {
    const v = variable('Line', 'String', 'first');
    const read = act('Elsa.ReadLine', 'Read', { result: out(v) });
    const body = seq('B', [read, W('w', js('getLine() ?? "(end)"'))]);
    await test.lines(whileLoop('L', js('getLine() !== null'), body), { variables: [v] });
    expect(written).toEqual(['one', 'two', '(end)']);
  });

  it.each<[string, unknown, string]>([
    ['text', lit('x', 'String'), 'x'],
    ['a number', js('1.5'), '1.5'],
    ['an object', js('({ a: 1 })'), '{"a":1}'],
    ['null: an empty line', js('null'), ''],
    ['nothing: an empty line', undefined, ''],
  ])('WriteLine of %s', async (_, text, expected) => {
    written.length = 0;
    await test.lines(act('Elsa.WriteLine', 'w', { text }));
    expect(written).toEqual([expected]);
  });
});
