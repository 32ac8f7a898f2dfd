/** `secret('stripe')` and `getSecret('stripe')`, with the name in any quotes. Each part is bounded, so that no text makes the search long. */
const IN_SCRIPT =
  /\b(?:secret|getSecret)\s{0,20}\(\s{0,20}(?:'([^'\\\r\n]{0,100})'|"([^"\\\r\n]{0,100})"|`([^`\\$]{0,100})`)\s{0,20}\)/g;

/** `{{ 'stripe' | secret }}`. */
const IN_TEMPLATE = /(?:'([^'\r\n]{0,100})'|"([^"\r\n]{0,100})")\s{0,20}\|\s{0,20}secret\b/g;

/** Names of the secrets that a script asks for by a literal name; it gets no others. */
export function secretsInScript(source: string): readonly string[] {
  return namesIn(source, IN_SCRIPT);
}

/** The same of a template. */
export function secretsInTemplate(source: string): readonly string[] {
  return namesIn(source, IN_TEMPLATE);
}

function namesIn(source: string, pattern: RegExp): readonly string[] {
  if (!/secret/i.test(source)) return NONE;
  const names = new Set<string>();
  for (const [, single, double, backtick] of source.matchAll(pattern)) names.add(single ?? double ?? backtick ?? '');
  return [...names];
}

const NONE: readonly string[] = [];
