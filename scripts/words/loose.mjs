/** What may stand for a space where a text is taken from its file: the star of a comment's line, and a name in code. */
const SPACE = '(?:[\\s*]|`[^`\\n]+`)';

/**
 * A pattern that finds at least what the given one finds in texts of a file, in the file as it is: it does without conditions on what is
 * around, and where a text begins and ends, and takes for a space what texts have one for (see texts.mjs).
 */
export function looseOf({ source, flags }) {
  const parts = withoutConditions(source.replace(/^\^|\$$/g, ''))
    .replaceAll('\\s', SPACE)
    .replaceAll('\\b', '');
  return new RegExp(parts, flags.replace('g', ''));
}

/** Without `(?!…)` and `(?<!…)`, which may have groups inside. */
function withoutConditions(source) {
  let result = '';
  for (let at = 0; at < source.length;) {
    if (!/^\(\?<?!/.test(source.slice(at))) {
      result += source[at++];
      continue;
    }
    let depth = 0;
    do {
      if (source[at] === '(') depth++;
      if (source[at] === ')') depth--;
      at++;
    } while (depth > 0);
  }
  return result;
}
