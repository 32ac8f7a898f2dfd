import { namedCharacter } from './html-entities.js';

/** Text for HTML as .NET's `WebUtility` writes it: Latin letters beyond ASCII and what is beyond two bytes by their numbers. */
export function encodeHtml(text: string): string {
  return text.replace(/[&<>"'\u00a0-\u00ff]|[\ud800-\udbff][\udc00-\udfff]/g, (found) => {
    return ENTITIES[found] ?? `&#${found.codePointAt(0)!};`;
  });
}

/** Without entities, so that they are not written twice. What names no character stays as it is. */
export function decodeHtml(text: string): string {
  return text.replace(/&(?:([a-z][a-z\d]{1,7})|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (typeof name === 'string') return namedCharacter(name) ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16);
    // Half of a surrogate pair is not a character.
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? whole : String.fromCodePoint(code);
  });
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What stands outside of `<` and `>`, the contents of scripts among it. */
export function stripHtml(text: string): string {
  let [kept, from, isInside] = ['', 0, false];
  for (let at = 0; at <= text.length; at++) {
    const char = text.charAt(at);
    if (char !== '<' && char !== '>' && char !== '') continue;
    if (!isInside) kept += text.slice(from, at);
    isInside = char === '<';
    from = at + 1;
  }
  return kept;
}

/** As `WebUtility.UrlEncode` does: a blank as `+`, and two characters more than JavaScript. */
export function encodeUrl(text: string): string {
  // A half of a pair is replaced, as everywhere: JavaScript would throw.
  const whole = Buffer.from(text, 'utf8').toString('utf8');
  return encodeURIComponent(whole).replaceAll('%20', '+').replaceAll('~', '%7E').replaceAll("'", '%27');
}

/** The other way; what is not encoded, such as a lone `%`, stays as it is. */
export function decodeUrl(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'));
}

/** `OrderNumber` → `order-number`, `Hello World!` → `hello-world`: letters and digits, with a hyphen where a word begins. */
export function handleize(text: string): string {
  let handle = '';
  // Asking the text itself would copy it each time, while it grows.
  let hasHyphen = false;
  for (let at = 0; at < text.length; at++) {
    const [char, next] = [text.charAt(at), text.charAt(at + 1)];
    if (!/[\p{L}\p{Nd}]/u.test(char)) continue;
    const isEnd = at === 0 || next === '';
    const isWord = !isEnd && isCapital(char) && !isCapital(next) && !/\d/.test(next) && !hasHyphen;
    handle += isWord ? `-${char}` : char;
    hasHyphen = !isEnd && isCapital(next) && !isCapital(char) && !/\d/.test(char);
    if (hasHyphen) handle += '-';
  }
  return handle.toLowerCase();
}

const isCapital = (char: string): boolean => /[A-Z]/.test(char);
