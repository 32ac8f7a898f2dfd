import type { Pattern } from 'acorn';
import { bailOut } from './bail-out.js';
import type { DirectEnvironment } from './direct-environment.js';
import { readMember } from './members.js';
import type { Run } from './run.js';

/** Gives its names the parts of a value. */
export type Binder = (value: unknown, run: Run) => void;

/** `name`, `{ a, b: c }` and `[a, b]`, without defaults and rests. Declares the names. */
export function compilePattern(pattern: Pattern, environment: DirectEnvironment): Binder {
  switch (pattern.type) {
    case 'Identifier': {
      const slot = environment.declare(pattern.name) ?? bailOut();
      return (value, run) => {
        run.locals[slot] = value;
      };
    }
    case 'ObjectPattern': {
      const parts = pattern.properties.map((p) => {
        if (p.type !== 'Property' || p.computed || p.key.type !== 'Identifier') return bailOut();
        return { key: p.key.name, bind: compilePattern(p.value, environment) };
      });
      return (value, run) => {
        // `const {} = null` is an error.
        if (value === null || value === undefined) bailOut();
        for (const { key, bind } of parts) bind(readMember(value, key, run), run);
      };
    }
    case 'ArrayPattern': {
      const parts = pattern.elements.map((e) => (e === null ? undefined : compilePattern(e, environment)));
      return (value, run) => {
        if (!Array.isArray(value)) bailOut();
        parts.forEach((bind, i) => bind?.(readMember(value, i, run), run));
      };
    }
    default:
      return bailOut();
  }
}
