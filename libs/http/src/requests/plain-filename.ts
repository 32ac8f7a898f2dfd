/**
 * A name, or a part of a path, as it means the same everywhere. Windows takes dots and blanks off the end of a name, and what follows a colon
 * for a stream of the file: `evil.exe.` and `evil.exe:a.pdf` are programs there, whatever their extension seems to be. Marks of
 * the direction of text show `evil\u202Efdp.exe` as one that ends in `pdf`.
 */
export function portableName(given: string): string {
  const name = given.replace(/\p{Bidi_Control}/gu, '').replaceAll(':', '_');
  let end = name.length;
  // Not by an expression, whose work would grow with the square of the dots.
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--;
  return name.slice(0, end);
}

/** A name that a sender gives a file, without folders and control characters; undefined when nothing is left of it. */
export function plainFilename(given: string): string | undefined {
  const name = given
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    // And halves of surrogate pairs, which no header can carry.
    .replace(/[\p{Cc}\p{Cs}]/gu, '');
  return portableName(name) || undefined;
}

/** By the last part of its path. Slashes that are encoded in it are folders of the server: they are no part of the name. */
export function filenameInUrl(url: string | null): string | undefined {
  if (!URL.canParse(url ?? '')) return undefined;
  const last = new URL(url!).pathname.split('/').at(-1)!;
  try {
    return plainFilename(decodeURIComponent(last));
  } catch {
    // `100%.pdf`: URLs may have a percent sign that encodes nothing.
    return plainFilename(last);
  }
}
