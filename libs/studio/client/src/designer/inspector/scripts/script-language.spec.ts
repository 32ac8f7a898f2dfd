import ts from 'typescript';
import { readLibraries } from '../../../../scripts/script-libraries.js';
import type { Design } from '../../model/change.js';
import { levelAt } from '../../model/level.js';
import { localDeclarations } from './local-declarations.js';
import { ScriptLanguage } from './script-language.js';

const DECLARED = `declare function getTotal(): number;
declare function setOutcome(name: string): void;
declare class WorkflowVariables {
Total: number;
"Two words": string;
}
declare var variables: WorkflowVariables;
`;

describe('the language of scripts', () => {
  // The libraries are read once.
  const language = new ScriptLanguage(ts, readLibraries());
  const messages = (text: string, declared = DECLARED) =>
    language.check(text, declared).map(({ from, to, message }) => `${text.slice(from, to)}: ${message}`);

  it.each([
    'getTotal() > 100',
    'return getTotal()',
    'const a = await Promise.resolve(1); a + getTotal()',
    '{ total: getTotal(), large: getTotal() > 100 }',
    '{ const a = 1; a }',
    '`${variables.Total} ${variables["Two words"]}`.replaceAll("1", "2")',
    'secret("mail") + args.item',
    '[3, 1].toSorted()',
    '1, 2',
  ])('takes what the engine takes: %s', (text) => {
    expect(messages(text)).toEqual([]);
  });

  it.each([
    ['getTotals()', "getTotals: Cannot find name 'getTotals'. Did you mean 'getTotal'?"],
    ['variables.Tota', "Tota: Property 'Tota' does not exist on type 'WorkflowVariables'. Did you mean 'Total'?"],
    ['getTotal().trim()', "trim: Property 'trim' does not exist on type 'number'."],
    ['setOutcome(1)', "1: Argument of type 'number' is not assignable to parameter of type 'string'."],
    ['document.title', "document: Cannot find name 'document'."],
    ['{ total: getTotl() }', "getTotl: Cannot find name 'getTotl'. Did you mean 'getTotal'?"],
  ])('reports the error in %s and its place', (text, said) => {
    expect(messages(text)[0]).toContain(said.split('. Did')[0]);
  });

  it('distinguishes syntax errors from possible failures', () => {
    expect(language.check('getTotal(', DECLARED).map(({ isSyntax }) => isSyntax)).toEqual([true]);
    expect(language.check('nothing', DECLARED).map(({ isSyntax }) => isSyntax)).toEqual([false]);
    expect(language.check('', DECLARED)).toEqual([]);
  });

  it('completes names, and members of what the workflow has', () => {
    const labels = (text: string) => language.complete(text, DECLARED, text.length).map(({ label }) => label);
    expect(labels('getT')).toContain('getTotal');
    expect(labels('variables.')).toEqual(expect.arrayContaining(['Total']));
    expect(labels('variables.')).not.toContain('getTotal');
    expect(labels('{ total: variables.')).toContain('Total');
  });

  it('shows the type of a name', () => {
    expect(language.hint('getTotal()', DECLARED, 3)).toEqual({ from: 0, to: 8, text: 'function getTotal(): number' });
    expect(language.hint('getTotals()', DECLARED, 3)).toBeUndefined();
  });

  it('knows the item of a loop and the variables of a container, only inside of these', () => {
    const inner = { id: 'Inner', type: 'Elsa.Flowchart', activities: [], variables: [{ name: 'mine' }] };
    const root = { id: 'Each', type: 'Elsa.ForEach', body: inner };
    const design = { definitionId: 'd', root } as unknown as Design;
    const inside = DECLARED + localDeclarations(design, levelAt(design, [{ id: 'Each', slot: ['body'] }]));
    const text = 'variables.CurrentValue.name + getMine()';
    expect(messages(text, inside)).toEqual([]);
    expect(messages(text)).toHaveLength(2);
  });
});
