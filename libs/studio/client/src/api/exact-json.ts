// Numbers of other platforms have more digits than those of JavaScript: 9007199254740993, or 12.50 where the zero counts.
// They travel as they were written, where the browser can do that.

interface ExactJson {
  rawJSON?(text: string): unknown;
  parse(
    text: string,
    reviver: (name: string, value: unknown, context?: { readonly source?: string }) => unknown,
  ): unknown;
}

const json = JSON as unknown as ExactJson;

/** The JSON of a text; `JSON.stringify` writes its numbers as they were. */
export function parseExactly(text: string): unknown {
  if (!json.rawJSON) return JSON.parse(text);
  return json.parse(text, (_name, value, context) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? json.rawJSON!(context.source)
      : value,
  );
}
