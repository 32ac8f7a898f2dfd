/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | undefined | readonly Part[];

/** Called `markup` since formatters break the lines of what is called `html`, and lines count here. What stands in the places is escaped, unless it is HTML; lists are joined, undefined is left out. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, i) => text + (i < parts.length ? written(parts[i]) : '')).join(''));

function written(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return String(part).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
