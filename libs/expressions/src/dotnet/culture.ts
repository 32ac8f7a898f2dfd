/** What a language says about dates and numbers. The invariant culture of .NET is English with formats of its own. */
export interface Culture {
  /** A locale of `Intl`; `undefined` for the invariant culture. */
  readonly locale: string | undefined;
}

export const INVARIANT: Culture = { locale: undefined };

/** The culture of a name such as `de-DE`; the invariant one for a blank name, and for none that is known. */
export function findCulture(name: unknown): Culture {
  if (typeof name !== 'string' || name.trim() === '' || name.length > 35) return INVARIANT;
  try {
    const [locale] = Intl.DateTimeFormat.supportedLocalesOf(name.trim().replaceAll('_', '-'));
    return locale === undefined ? INVARIANT : { locale };
  } catch {
    return INVARIANT;
  }
}

const names = new Map<string, string>();

/** A name of a date in that language, e.g. of its month. Any date in UTC stands for the wall clock that is meant. */
export function dateName(
  { locale = 'en-US' }: Culture,
  key: string,
  options: Intl.DateTimeFormatOptions,
  part: Intl.DateTimeFormatPartTypes,
  wallMs: number,
): string {
  const cached = names.get(`${locale} ${key}`);
  if (cached !== undefined) return cached;
  const parts = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' }).formatToParts(
    wallMs,
  );
  const name = parts.find(({ type }) => type === part)?.value ?? '';
  if (names.size > 5000) names.clear();
  names.set(`${locale} ${key}`, name);
  return name;
}
