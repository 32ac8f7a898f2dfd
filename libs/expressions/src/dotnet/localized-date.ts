/** Standard formats of .NET in other languages than that of the invariant culture, as ICU has them, which .NET asks too. */
const styles: Readonly<Record<string, readonly Intl.DateTimeFormatOptions[]>> = {
  d: [{ dateStyle: 'short' }],
  D: [{ dateStyle: 'full' }],
  f: [{ dateStyle: 'full' }, { timeStyle: 'short' }],
  F: [{ dateStyle: 'full' }, { timeStyle: 'medium' }],
  U: [{ dateStyle: 'full' }, { timeStyle: 'medium' }],
  g: [{ dateStyle: 'short' }, { timeStyle: 'short' }],
  G: [{ dateStyle: 'short' }, { timeStyle: 'medium' }],
  m: [{ month: 'long', day: 'numeric' }],
  M: [{ month: 'long', day: 'numeric' }],
  t: [{ timeStyle: 'short' }],
  T: [{ timeStyle: 'medium' }],
  y: [{ month: 'long', year: 'numeric' }],
  Y: [{ month: 'long', year: 'numeric' }],
};

/** @param format one of the standard formats that depend on the language */
export function localizedDate(wallMs: number, format: string, locale: string): string {
  return (styles[format] ?? []).map((style) => write(wallMs, style, locale)).join(' ');
}

function write(wallMs: number, style: Intl.DateTimeFormatOptions, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC', calendar: 'gregory' }).formatToParts(
    wallMs,
  );
  // Short dates have four digits of the year in .NET; and its blanks are plain ones.
  const year = String(new Date(wallMs).getUTCFullYear()).padStart(4, '0');
  return parts
    .map(({ type, value }) => (type === 'year' && style.dateStyle === 'short' ? year : value))
    .join('')
    .replaceAll('\u202f', ' ');
}
