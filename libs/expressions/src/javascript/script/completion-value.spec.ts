import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { getQuickJS, type QuickJSContext } from 'quickjs-emscripten';
import { toFunctionBody } from './completion-value.js';

let context: QuickJSContext;
let checks = 0;
beforeAll(async () => {
  context = (await getQuickJS()).newContext();
});

function isValid(text: string): boolean {
  checks++;
  const result = context.evalCode(text, 'x.js', { type: 'global', compileOnly: true });
  (result.error ?? result.value).dispose();
  return !result.error;
}
const body = (source: string): string | undefined => {
  const found = toFunctionBody(source, isValid);
  return found && (found.isAsync ? 'async ' : '') + found.text.replace(/\s+/g, ' ');
};

describe('the body for a script', () => {
  test.each<[string, string | undefined]>([
    ['a + b', 'return (a + b )'],
    ['a ;; ', 'return (a )'],
    ['// first\na // last', 'return (// first a // last )'],
    ['function f() {}', 'return eval("function f() {}")'],
    ['class A {}', 'return eval("class A {}")'],
    ['{ a: 1 }', 'return eval("{ a: 1 }")'],
    ['let x = 1; x', 'let x = 1;; return ( x )'],
    ['x = 1\ny', 'x = 1 ;return (y )'],
    ['if (a) { b } c', 'if (a) { b };return ( c )'],
    ['if (a) { b }\n(c)', 'return eval("if (a) { b }\\n(c)")'], // in doubt: no cut before a parenthesis
    ['const x = 5\n+ 3', 'return eval("const x = 5\\n+ 3")'],
    ['const x = a\n[0]', 'return eval("const x = a\\n[0]")'],
    ['const x = {}\n/2/1', 'return eval("const x = {}\\n/2/1")'],
    ['const s = "a;b"', 'return eval("const s = \\"a;b\\"")'],
    ['const s = `a;\nb`', 'return eval("const s = `a;\\nb`")'],
    ['const r = /a;b/', 'return eval("const r = /a;b/")'],
    ['let a; // b; c', 'return eval("let a; // b; c")'],
    ['let a; /* b; */ c', 'let a;;return ( /* b; */ c )'],
    ['for (let i = 0; i < 3; i++) i', 'return eval("for (let i = 0; i < 3; i++) i")'],
    ['do x(); while (y)', 'return eval("do x(); while (y)")'],
    ['return 1', 'return 1'],
    ['if (a) return 1; b', 'if (a) return 1;;return ( b )'],
    ['if (a) return 1 // or; b', 'if (a) return 1 // or; b'],
    ['await a', 'async return (await a )'],
    ['const a = await b; a', 'async const a = await b;;return ( a )'],
    ['if (await a) return b', 'async if (await a) return b'],
    ['a b', undefined],
    ['1); (2', undefined],
    ['}); (function () {', undefined],
    ['})(); evil(); (function () {', undefined],
  ])('%j', (source, expected) =>
    expect(body(source)?.replace(/; ;|;; /g, ';;')).toBe(expected?.replace(/; ;|;; /g, ';;')),
  );

  it('is found with few looks at the text, also when there is no end to it', () => {
    checks = 0;
    body(`${'a();\n'.repeat(5000)} for (;;) { b }`);
    expect(checks).toBeLessThan(500);
  });
});
