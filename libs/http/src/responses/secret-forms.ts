/** What XML and HTML write otherwise, and Liquid's filter `escape`. */
const IN_MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const IN_HTML: Readonly<Record<string, string>> = { ...IN_MARKUP, '"': '&#34;', "'": '&#39;' };
/** Of bytes in base64: one character stands for six bits. */
const BITS = 6;

/**
 * How a secret may stand in an answer: as it is, escaped for JSON, a URL, a form or XML, and in base64 of a text that it is a part
 * of, such as the credentials of Basic. What a workflow makes of it otherwise is another text.
 */
export function formsOfSecret(secret: string): ReadonlySet<string> {
  // Half of a surrogate pair cannot be in a URL.
  const wellFormed = Buffer.from(secret).toString();
  const escaped = encodeURIComponent(wellFormed);
  const forms = new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    escaped,
    escaped.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encodeURI(wellFormed),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...[IN_MARKUP, IN_HTML].map((markup) => secret.replace(/[&<>"']/g, (char) => markup[char]!)),
    secret.replace(/[&<>]/g, (char) => IN_MARKUP[char]!),
    secret.replace(/[&<>"]/g, (char) => IN_MARKUP[char]!),
  ]);
  for (const offset of [0, 1, 2]) {
    const text = inBase64(Buffer.from(secret), offset);
    forms.add(text);
    forms.add(text.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** The characters that bytes always have there, whatever stands around them. @param offset of the bytes in their text, modulo 3 */
function inBase64(bytes: Buffer, offset: number): string {
  const first = Math.ceil((offset * 8) / BITS);
  const end = Math.floor(((offset + bytes.length) * 8) / BITS);
  return Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .slice(first, end);
}
