import type { Identifier, MemberExpression } from 'acorn';
import { bailOut } from './bail-out.js';
import type { Evaluator } from './compile-expression.js';
import type { DirectEnvironment } from './direct-environment.js';
import { isInherited } from './members.js';
import { admit } from './plain-data.js';

const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
]);

/** A constant of the script or of the language, or `args`. */
export function compileName({ name }: Identifier, environment: DirectEnvironment): Evaluator {
  const slot = environment.slotOf(name);
  if (slot !== undefined) return (run) => run.locals[slot];
  if (!environment.isFree(name)) return bailOut();
  if (name === 'args') return (run) => admit(run.scope.args ?? {}, run);
  if (!constants.has(name)) return bailOut();
  const value = constants.get(name);
  return () => value;
}

/** `variables.X` and `variables["X"]`; `undefined` for other members. */
export function compileVariable(node: MemberExpression, environment: DirectEnvironment): Evaluator | undefined {
  const { object, property, computed } = node;
  if (object.type !== 'Identifier' || object.name !== 'variables' || environment.slotOf('variables') !== undefined)
    return undefined;
  const name = nameOf(property, computed);
  if (name === undefined || isInherited(name) || !environment.isMentionedVariable(name)) return bailOut();
  return (run) => {
    run.callHost();
    if (!run.scope.hasVariable(name)) return undefined;
    const value = admit(run.scope.getVariable(name), run);
    environment.refuseTyped(value, name, run.scope);
    // Variables of this kind cross into the sandbox as text, which knows no negative zero.
    return typeof value === 'number' ? value + 0 : value;
  };
}

function nameOf(property: MemberExpression['property'], computed: boolean): string | undefined {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
}
