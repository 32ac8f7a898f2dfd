const MAX_DEPTH = 8;
/** Content of requests may have as many values as its sender likes. */
const MAX_VALUES = 10_000;
/** A caller's own must not make the burst forget all others. */
const MAX_TEXTS = 100;
/** Longer ones are documents. */
const MAX_LENGTH = 8192;

/** The texts of members with a sensitive name in plain data, at any depth: the first of them. */
export function sensitiveTexts(content: object, isSensitive: (name: string) => boolean): readonly string[] {
  const found: string[] = [];
  let values = 0;
  const look = (value: unknown, isSecret: boolean, depth: number): void => {
    if (++values > MAX_VALUES || found.length === MAX_TEXTS) return;
    if (typeof value === 'string') {
      if (isSecret && value.length <= MAX_LENGTH) found.push(value);
    } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) lookInto(value, isSecret, depth);
  };
  const lookInto = (value: object, isSecret: boolean, depth: number): void => {
    if (Array.isArray(value)) {
      for (const item of value) {
        if (values > MAX_VALUES) return;
        look(item, isSecret, depth + 1);
      }
      return;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return;
    for (const name in value) {
      if (values > MAX_VALUES) return;
      look((value as Record<string, unknown>)[name], isSecret || isSensitive(name), depth + 1);
    }
  };
  look(content, false, 0);
  return found;
}
