/**
 * A template as payloads have it: literals and the names of parameters and constraints in lower case, since paths match in any
 * casing. What a constraint is given and what a parameter is by default stay as written: `\D` is not `\d`.
 */
export function foldTemplate(text: string): string {
  const lower = text.toLowerCase();
  return lower === text || !text.includes('{') ? lower : foldBraces(text);
}

/** Folds from brace to brace; a text with braces that do not close is refused when it is parsed. */
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

/** Where a brace ends that was opened before; one of two alike stands for itself. */
export function closingBrace(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const char = text[i];
    if ((char === '{' || char === '}') && text[i + 1] === char) i++;
    else if (char === '}') return i;
  }
  return -1;
}

/** `{name:constraint(argument)=default`: in lower case outside of parentheses, up to the default. */
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
  // An expression whose parentheses do not close is kept as well.
  return folded + (depth > 0 ? text.slice(done) : text.slice(done).toLowerCase());
}
