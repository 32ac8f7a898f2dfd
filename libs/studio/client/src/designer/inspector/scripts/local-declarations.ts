import type { ActivityJson } from '../../../api/definitions.js';
import type { Design } from '../../model/change.js';
import { getAt } from '../../model/json-path.js';
import type { Level } from '../../model/level.js';
import { isActivity } from '../../model/ports.js';

const LOOPS = new Set(['Elsa.ForEach', 'Elsa.ParallelForEach', 'Elsa.For']);

/** What is known only where a script stands: the item of a loop, the variables of a container. */
export function localDeclarations(design: Design, { path }: Level): string {
  const names = new Set<string>();
  for (let length = 1; length <= path.length; length += 1) {
    const holder = getAt(design, path.slice(0, length));
    if (isActivity(holder)) for (const name of namesOf(holder)) names.add(name);
  }
  if (names.size === 0) return '';
  const members = [...names].map((name) => `${JSON.stringify(name)}: any;`).join(' ');
  const functions = [...names].map((name) => {
    const stem = name.charAt(0).toUpperCase() + name.slice(1);
    return /^[\w$]+$/.test(stem)
      ? `declare function get${stem}(): any;\ndeclare function set${stem}(value: any): void;`
      : '';
  });
  return `\ninterface WorkflowVariables { ${members} }\n${functions.join('\n')}\n`;
}

function namesOf({ type, variables }: ActivityJson): string[] {
  const own = (Array.isArray(variables) ? (variables as { name?: unknown }[]) : []).flatMap((one) =>
    typeof one?.name === 'string' ? [one.name] : [],
  );
  return LOOPS.has(type) ? ['CurrentValue', 'CurrentIndex', ...own] : own;
}
