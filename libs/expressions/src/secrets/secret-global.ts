import type { JavaScriptGlobal } from '../javascript/globals/javascript-global.js';
import type { ReadySecrets } from './ready-secrets.js';

/** `secret('name')` of scripts. It only reads what was found before: expressions with it need no sandbox. */
export function secretGlobal(secrets: ReadySecrets): JavaScriptGlobal {
  return { name: 'secret', isPure: true, invoke: (scope, name) => secrets.read(name, scope) };
}
