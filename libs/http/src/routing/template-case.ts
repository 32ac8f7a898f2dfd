/**
 * Puts a template into the form of payloads: literals and the names of parameters and constraints in lower case, since paths match
 * in any case. Arguments of constraints and default values stay as written: `\D` is not `\d`.
 */
export function foldTemplate(text: string): string {
  const lower = text.toLowerCase();
  return lower === text || !text.includes('{') ? lower : foldBraces(text);
}

/** Unbalanced braces are copied: the parser refuses them later. */
function foldBraces(text: string): string {
  let folded = '';
  let done = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '{') continue;
    if (text[i + 1] === '{') {
      i++;
      continue;
    }
    const end = closingBrace(text, i + 1);
    if (end < 0) break;
    folded += text.slice(done, i).toLowerCase() + foldParameter(text.slice(i, end));
    done = i = end;
  }
  return folded + text.slice(done).toLowerCase();
}

/** Index of the brace that closes an open one, or -1. Doubled braces are literal ones. */
export function closingBrace(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const char = text[i];
    if ((char === '{' || char === '}') && text[i + 1] === char) i++;
    else if (char === '}') return i;
  }
  return -1;
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
