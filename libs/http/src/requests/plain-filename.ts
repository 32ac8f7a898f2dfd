/** A name that a sender gives a file, without folders and control characters; undefined when nothing is left of it. */
export function plainFilename(given: string): string | undefined {
  const name = given
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    // And halves of surrogate pairs, which no header can carry.
    .replace(/[\p{Cc}\p{Cs}]/gu, '');
  return /^[. ]*$/.test(name) ? undefined : name;
}
