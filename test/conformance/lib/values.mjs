// Reading and comparing values that travelled as JSON.

export class Skip extends Error {
  constructor(m) {
    super(m);
    this.name = 'Skip';
  }
}
export class Fail extends Error {
  constructor(m) {
    super(m);
    this.name = 'Fail';
  }
}

export const show = (v, max = 400) => {
  let s;
  try {
    s = typeof v === 'string' ? JSON.stringify(v) : JSON.stringify(v, (k, x) => (x === undefined ? '<undefined>' : x));
  } catch {
    s = String(v);
  }
  if (s === undefined) s = String(v);
  return s.length > max ? s.slice(0, max) + `… (${s.length} chars)` : s;
};
const ALNUM = 'abcdefghijkmnpqrstuvwxyz23456789';
export const makeUid = (n = 7) =>
  'h' + Array.from({ length: n }, () => ALNUM[Math.floor(Math.random() * ALNUM.length)]).join('');
/** Case-insensitive property read. */
export const prop = (o, name) => {
  if (!o || typeof o !== 'object') return undefined;
  if (name in o) return o[name];
  const k = Object.keys(o).find((x) => x.toLowerCase() === name.toLowerCase());
  return k === undefined ? undefined : o[k];
};

// undefined members do not count; that is how JSON travels.
export function normalise(v) {
  if (v === undefined) return undefined;
  if (v === null || typeof v !== 'object') return v;
  return JSON.parse(JSON.stringify(v));
}

/**
 * Elsa's stored JSON may carry type metadata around values ({_items,_type}, {_island,_type}, {$id,$values}).
 * Whether a server shows it in API answers is not what the cases are about: they compare plain values.
 */
export function plain(v) {
  if (Array.isArray(v)) return v.map(plain);
  if (v === null || typeof v !== 'object') return v;
  if (typeof v._island === 'string') {
    try {
      return JSON.parse(v._island);
    } catch {
      return v._island;
    }
  }
  if (Array.isArray(v._items)) return v._items.map(plain);
  if (Array.isArray(v.$values)) return v.$values.map(plain);
  const out = {};
  for (const [k, x] of Object.entries(v)) {
    if (k === '_type') continue;
    if (k === '$id' && typeof x === 'string' && /^\d+$/.test(x)) continue;
    out[k.replace(/^\\+\$/, '$')] = plain(x);
  }
  return out;
}
/** Leaves out members that are null (not array elements): servers differ in whether they write them. */
export function noNulls(v) {
  if (Array.isArray(v)) return v.map(noNulls);
  if (v === null || typeof v !== 'object') return v;
  return Object.fromEntries(
    Object.entries(v)
      .filter(([, x]) => x !== null && x !== undefined)
      .map(([k, x]) => [k, noNulls(x)]),
  );
}
