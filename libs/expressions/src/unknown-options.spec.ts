import { expect, it } from '@jest/globals';
import { resolveJavaScriptOptions } from './javascript/javascript-options.js';
import { resolveLiquidOptions } from './liquid/liquid-options.js';

it.each([
  ['javascript', resolveJavaScriptOptions],
  ['liquid', resolveLiquidOptions],
])('refuses unknown options of %s', (name, resolve) => {
  expect(() => resolve({ timeout: 100 } as never)).toThrow(
    `Option '${name}' of WorkflowModule has no option 'timeout'. Did you mean 'timeoutMs'?`,
  );
});
