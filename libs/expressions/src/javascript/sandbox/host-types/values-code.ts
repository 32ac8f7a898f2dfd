/** `Guid`, `Random`, and what describes data: enums are texts, and descriptions become plain objects when they leave. */
export const VALUES = String.raw`
const guids = new WeakMap();
const guidText = (v) => {
  const text = guids.get(v);
  if (text !== undefined) return text;
  const bare = Text(v).trim().replace(/^(?:\{(.*)\}|\((.*)\))$/, '$1$2').toLowerCase();
  const m = /^([0-9a-f]{8})(?:-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})|([0-9a-f]{24}))$/.exec(bare);
  if (!m) throw named(new G.Error('Unrecognized Guid format.'), 'FormatException');
  const hex = bare.replaceAll('-', '');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
const hexBytes = (text) => { const hex = text.replaceAll('-', ''), out = new Bytes(16); for (let i = 0; i < 16; i++) out[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16); return out; };
// The first three groups of a Guid are stored with their bytes reversed.
const GUID_ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';
const oneGuid = oneOfEach(() => Guid);
class Guid {
  constructor(value) {
    if (value instanceof Bytes) {
      let hex = '';
      for (let i = 0; i < 16; i++) hex += (value[GUID_ORDER[i]] + 256).toString(16).slice(1);
      guids.set(this, guidText(hex));
    } else guids.set(this, value === undefined ? EMPTY_GUID : guidText(value));
    return oneGuid(this, new.target, guids.get(this));
  }
  ToString(format) {
    const text = guidText(this);
    switch (format === undefined || format === null || format === '' ? 'd' : Text(format).toLowerCase()) {
      case 'd': return text;
      case 'n': return text.replaceAll('-', '');
      case 'b': return '{' + text + '}';
      case 'p': return '(' + text + ')';
    }
    throw named(new G.Error('A format of a Guid is D, N, B or P.'), 'FormatException');
  }
  ToByteArray() { const plain = hexBytes(guidText(this)), out = new Bytes(16); for (let i = 0; i < 16; i++) out[i] = plain[GUID_ORDER[i]]; return out; }
  CompareTo(other) { return order(guidText(this), guidText(other)); }
  Equals(other) { try { return guidText(this) === guidText(other); } catch { return false; } }
  toString() { return guidText(this); }
  toJSON() { return guidText(this); }
  valueOf() { return guidText(this); }
  static get Empty() { return new Guid(); }
  static NewGuid() { return new Guid(ask('newGuid')); }
  static Parse(text) { return new Guid(Text(text)); }
}

// The generator that .NET uses for a seed, so that the same seed gives the same numbers as there.
const BIG = 2147483647, states = new WeakMap();
const seeded = (seed) => {
  const s = [], subtraction = seed === -2147483648 ? BIG : Math.abs(seed);
  let mj = 161803398 - subtraction, mk = 1, at = 0;
  s[55] = mj;
  for (let i = 1; i < 55; i++) {
    if ((at += 21) >= 55) at -= 55;
    s[at] = mk;
    mk = mj - mk;
    if (mk < 0) mk += BIG;
    mj = s[at];
  }
  for (let k = 1; k < 5; k++) for (let i = 1; i < 56; i++) {
    let n = i + 30;
    if (n >= 55) n -= 55;
    s[i] = (s[i] - s[1 + n]) | 0;
    if (s[i] < 0) s[i] += BIG;
  }
  return { s, next: 0, nextp: 21 };
};
const sample = (random) => {
  const state = states.get(random), { s } = state;
  if (++state.next >= 56) state.next = 1;
  if (++state.nextp >= 56) state.nextp = 1;
  let n = s[state.next] - s[state.nextp];
  if (n === BIG) n--;
  if (n < 0) n += BIG;
  return s[state.next] = n;
};
const fraction = (random) => sample(random) * (1 / BIG);
const wide = (random) => { let n = sample(random); if (sample(random) % 2 === 0) n = -n; return (n + (BIG - 1)) / (2 * BIG - 1); };
const between = (random, min, max) => {
  if (min > max) throw outOfRange("'minValue' cannot be greater than maxValue.");
  const range = max - min;
  return Math.floor((range <= BIG ? fraction(random) : wide(random)) * range) + min;
};
class Random {
  constructor(seed) { states.set(this, seeded(seed === undefined ? ask('seed') : number(seed, 'new Random') | 0)); }
  Next(a, b) {
    if (a === undefined) return sample(this);
    const min = b === undefined ? 0 : number(a, 'Next'), max = number(b === undefined ? a : b, 'Next');
    if (b === undefined && max < 0) throw outOfRange("'maxValue' must be greater than or equal to zero.");
    return between(this, min, max);
  }
  NextInt64(a, b) {
    const min = b === undefined ? 0 : number(a, 'NextInt64'), max = a === undefined ? 9007199254740991 : number(b === undefined ? a : b, 'NextInt64');
    if (min > max) throw outOfRange("'minValue' cannot be greater than maxValue.");
    return Math.floor((fraction(this) + sample(this)) / BIG * (max - min)) + min;
  }
  NextDouble() { return fraction(this); }
  NextSingle() { return Math.fround(sample(this) % 16777216 / 16777216); }
  NextBytes(buffer) {
    const out = typeof buffer === 'number' ? new Bytes(buffer) : buffer;
    for (let i = 0; i < out.length; i++) out[i] = sample(this) % 256;
    return typeof buffer === 'number' ? out : undefined;
  }
  Shuffle(list) {
    for (let i = 0; i < list.length - 1; i++) { const j = between(this, i, list.length), x = list[i]; list[i] = list[j]; list[j] = x; }
  }
  static get Shared() { return new Random(); }
}

const LogPersistenceMode = { Inherit: 'Inherit', Include: 'Include', Exclude: 'Exclude' };

// A dictionary: its own members are the headers.
class HttpHeaders {
  constructor(headers) { if (headers) for (const name of keys(headers)) this[name] = headers[name]; }
  get Count() { return keys(this).length; }
  get Keys() { return keys(this); }
  get ContentType() { const name = headerName(this, 'content-type'), v = name === undefined ? undefined : this[name]; return isArray(v) ? v[0] : v === undefined ? null : v; }
  set ContentType(v) { this[headerName(this, 'content-type') || 'Content-Type'] = v; }
  Add(name, value) {
    if (headerName(this, name) !== undefined) throw new G.Error('An item with the same key has already been added. Key: ' + name);
    this[name] = value;
  }
  Remove(name) { const known = headerName(this, name); return known !== undefined && delete this[known]; }
  ContainsKey(name) { return headerName(this, name) !== undefined; }
}
const headerName = (headers, name) => keys(headers).find((k) => k.toLowerCase() === Text(name).toLowerCase());

class Downloadable {
  constructor(content, filename, contentType, eTag) {
    this.content = content === undefined ? null : content;
    this.filename = filename === undefined ? null : filename;
    this.contentType = contentType === undefined ? null : contentType;
    this.eTag = eTag === undefined ? null : eTag;
  }
}
pascalNames(Downloadable, { Stream: 'content', Filename: 'filename', ContentType: 'contentType', ETag: 'eTag' });

class HttpResilienceStrategy {
  constructor() {
    this.id = '';
    this.displayName = '';
    this.maxRetryAttempts = 3;
    this.delay = '00:00:01';
    this.backoffType = 'Exponential';
    this.useJitter = true;
  }
}
pascalNames(HttpResilienceStrategy, { Id: 'id', DisplayName: 'displayName', MaxRetryAttempts: 'maxRetryAttempts', Delay: 'delay', BackoffType: 'backoffType', UseJitter: 'useJitter' });
`;
