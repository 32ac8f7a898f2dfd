import { mapTemplate } from './map-template.js';

/**
 * Puts a template into the form of payloads: literals and the names of parameters and constraints in lower case, since paths match
 * in any case. Arguments of constraints and default values stay as written: `\D` is not `\d`.
 */
export function foldTemplate(text: string): string {
  const lower = text.toLowerCase();
  if (lower === text || !text.includes('{')) return lower;
  return mapTemplate(text, { literal: (part) => part.toLowerCase(), parameter: foldParameter });
}

/** Of `{name:constraint(argument)=default`, what is outside of parentheses and before the default is put in lower case. */
function foldParameter(text: string): string {
  let folded = '';
  let done = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '=' && depth === 0) return folded + text.slice(done, i).toLowerCase() + text.slice(i);
    if (char === '\\' && depth > 0) i++;
    else if (char === '(' && depth++ === 0) {
      folded += text.slice(done, i).toLowerCase();
      done = i;
    } else if (char === ')' && depth > 0 && --depth === 0) {
      folded += text.slice(done, i);
      done = i;
    }
  }
  // The argument of a constraint whose parentheses do not close is kept as well.
  return folded + (depth > 0 ? text.slice(done) : text.slice(done).toLowerCase());
}
