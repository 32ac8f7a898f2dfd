import { callAccessor } from '../javascript/accessors.js';
import type { JavaScriptGlobal } from '../javascript/globals/javascript-global.js';
import type { ReadySecrets } from './ready-secrets.js';

/** What scripts ask for secrets by. They only read what was found before: expressions with `secret('name')` need no sandbox. */
export function secretGlobals(secrets: ReadySecrets): readonly JavaScriptGlobal[] {
  return [
    { name: 'secret', isPure: true, invoke: (scope, name) => secrets.read(name, scope) },
    {
      // Elsa's, which gives a promise. Without a name, it is the accessor of a variable that is called `Secret`.
      name: 'getSecret',
      invoke: (scope, ...args) =>
        args.length === 0 ? callAccessor(scope, 'getSecret', []) : Promise.resolve(secrets.read(args[0], scope)),
    },
  ];
}
