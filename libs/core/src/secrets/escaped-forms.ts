/** Longer secrets are looked for as they are only. */
const MAX_ESCAPED = 8192;

/**
 * How a secret stands in JSON, and in a URL or a form, by the functions of JavaScript, the filters of Liquid and the parser of URLs: only
 * forms that differ from it.
 */
export function escapedForms(secret: string): readonly string[] {
  if (secret.length > MAX_ESCAPED || PLAIN.test(secret)) return NONE;
  // Half of a surrogate pair cannot be in a URL.
  const wellFormed = secret.replace(LONE_SURROGATE, '\ufffd');
  const encoded = encodeURIComponent(wellFormed);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const forms = new Set([
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encoded.replaceAll('%20', '+').replaceAll("'", '%27').replaceAll('~', '%7E'),
    form,
    form.replaceAll('+', '%20'),
    encodeURI(wellFormed),
    inQuery(wellFormed),
  ]);
  forms.delete(secret);
  return [...forms];
}

/** As `new URL()` leaves it in a query: only what cannot stand there is escaped. */
function inQuery(secret: string): string {
  return new URL(`http://host/?${secret.replaceAll('#', '%23')}`).search.slice(1);
}

const LONE_SURROGATE = /\p{Cs}/gu;
/** Nothing in it is escaped. */
const PLAIN = /^[\w.-]*$/;
const NONE: readonly string[] = [];
