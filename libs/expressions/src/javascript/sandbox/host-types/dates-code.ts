/**
 * `DateTime` and `DateTimeOffset`. Both are dates of JavaScript, since that is what the format's reference makes of every
 * date that a script meets; the members of .NET come on top. They are exact to the millisecond.
 *
 * A `DateTime` without a kind is in UTC, as texts without an offset are everywhere in a workflow: it must not depend on
 * the server that runs it.
 */
export const DATES = String.raw`
const EPOCH_TICKS = 621355968000000000, MIN_MS = -62135596800000, MAX_MS = 253402300799999;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const KINDS = ['Unspecified', 'Utc', 'Local'];
const localOffset = (ms) => -new Clock(ms).getTimezoneOffset();
const timeOf = (date) => apply(getTime, date, []);
const wallTime = (y, mo, d, h, mi, s, ms) => {
  const at = new Clock(0);
  at.setUTCFullYear(y, mo - 1, d);
  const valid = y >= 1 && y <= 9999 && at.getUTCFullYear() === y && at.getUTCMonth() === mo - 1 && at.getUTCDate() === d
    && h >= 0 && h < 24 && mi >= 0 && mi < 60 && s >= 0 && s < 60 && ms >= 0 && ms < 1000;
  if (!valid) throw outOfRange('Year, Month, and Day parameters describe an un-representable DateTime.');
  at.setUTCHours(h, mi, s, Math.trunc(ms));
  return timeOf(at);
};
const inRange = (ms) => {
  if (!(ms >= MIN_MS && ms <= MAX_MS)) throw outOfRange('The added or subtracted value results in an un-representable DateTime.');
  return Math.trunc(ms);
};
const instantOf = (wall, kind) => {
  if (kind !== 'Local') return wall;
  const guess = wall - localOffset(wall) * MINUTE;
  return wall - localOffset(guess) * MINUTE;
};
const kindOf = (v) => {
  const kind = typeof v === 'number' ? KINDS[v] : v;
  if (KINDS.indexOf(kind) < 0) throw new G.TypeError('A DateTimeKind is Unspecified, Utc or Local.');
  return kind;
};
const numbers = (list) => { const out = []; for (let i = 0; i < list.length; i++) out[i] = number(list[i], 'A date'); return out; };

// What both have, by the wall clock. again makes a date of the same class from another wall time.
const dateMembers = (C, offsetOf, kindName, again) => {
  const wall = (date) => timeOf(date) + offsetOf(date) * MINUTE;
  const utc = (date) => new Clock(wall(date));
  const getters = {
    Year: (d) => utc(d).getUTCFullYear(), Month: (d) => utc(d).getUTCMonth() + 1, Day: (d) => utc(d).getUTCDate(),
    Hour: (d) => utc(d).getUTCHours(), Minute: (d) => utc(d).getUTCMinutes(), Second: (d) => utc(d).getUTCSeconds(),
    Millisecond: (d) => utc(d).getUTCMilliseconds(), Ticks: (d) => wall(d) * 10000 + EPOCH_TICKS,
    DayOfWeek: (d) => DAYS[utc(d).getUTCDay()],
    DayOfYear: (d) => { const w = wall(d), at = new Clock(w); at.setUTCMonth(0, 1); return Math.floor((w - timeOf(at)) / DAY + 1e-9) + 1; },
    TimeOfDay: (d) => { const w = wall(d); return span(w - Math.floor(w / DAY) * DAY); },
  };
  for (const name in getters) {
    const get = getters[name];
    defineProperty(C.prototype, name, { get: { get() { return get(this); } }.get, enumerable: false, configurable: true });
  }
  const add = (unit) => ({ Add(n) { return again(this, inRange(wall(this) + number(n, 'A date') * unit)); } }).Add;
  const addMonths = (date, months) => {
    if (months % 1 !== 0) throw outOfRange('Months and years are added as whole numbers.');
    const at = utc(date), day = at.getUTCDate();
    at.setUTCDate(1);
    at.setUTCMonth(at.getUTCMonth() + months);
    at.setUTCDate(Math.min(day, daysInMonth(at.getUTCFullYear(), at.getUTCMonth() + 1)));
    return again(date, inRange(timeOf(at)));
  };
  members(C, {
    AddDays: add(DAY), AddHours: add(HOUR), AddMinutes: add(MINUTE), AddSeconds: add(SECOND), AddMilliseconds: add(1), AddTicks: add(0.0001),
    Add(v) { return again(this, inRange(wall(this) + msOf(v))); },
    Subtract(v) { return v instanceof Clock ? span(timeOf(this) - timeOf(v)) : again(this, inRange(wall(this) - msOf(v))); },
    AddMonths(n) { return addMonths(this, number(n, 'AddMonths')); },
    AddYears(n) { return addMonths(this, number(n, 'AddYears') * 12); },
    CompareTo(v) { return order(timeOf(this), timeOf(toInstant(v))); },
    Equals(v) { return v instanceof Clock && timeOf(this) === timeOf(v); },
    ToString(format, culture) { return ask('formatDate', wall(this), offsetOf(this), kindName(this), format, culture); },
  });
};
const toInstant = (v) => {
  if (v instanceof Clock && timeOf(v) === timeOf(v)) return v;
  if (typeof v === 'string') return DateTime.Parse(v);
  throw new G.TypeError('A date was expected.');
};
const daysInMonth = (year, month) => {
  if (!(month >= 1 && month <= 12)) throw outOfRange('Month must be between one and twelve.');
  const at = new Clock(0);
  at.setUTCFullYear(year, month, 0);
  return at.getUTCDate();
};
const compare = (a, b) => order(timeOf(toInstant(a)), timeOf(toInstant(b)));

const dateKinds = new WeakMap();
const dateTime = (ms, kind) => new DateTime(TOKEN, ms, kind);
const fromWall = (wall, kind) => dateTime(instantOf(wall, kind), kind);
class DateTime extends Clock {
  constructor(a, b, c, d, e, f, g, h) {
    let ms, kind = 'Unspecified';
    if (a === TOKEN) { ms = b; kind = c; }
    else if (c === undefined) { ms = a === undefined ? MIN_MS : inRange((number(a, 'new DateTime') - EPOCH_TICKS) / 10000); if (b !== undefined) ms = instantOf(ms, kind = kindOf(b)); }
    else {
      const last = h !== undefined ? h : typeof g === 'string' ? g : undefined;
      const [y, mo, day, hour, mi, s, milli] = numbers([a, b, c, d || 0, e || 0, f || 0, last !== undefined && last === g ? 0 : g || 0]);
      if (last !== undefined) kind = kindOf(last);
      ms = instantOf(wallTime(y, mo, day, hour, mi, s, milli), kind);
    }
    super(ms);
    dateKinds.set(this, kind);
  }
  get Kind() { return dateKinds.get(this); }
  get Date() { const w = wallOf(this); return fromWall(Math.floor(w / DAY) * DAY, this.Kind); }
  ToUniversalTime() { return dateTime(timeOf(this), 'Utc'); }
  ToLocalTime() { return dateTime(timeOf(this), 'Local'); }
  ToShortDateString() { return this.ToString('d'); }
  ToLongDateString() { return this.ToString('D'); }
  ToShortTimeString() { return this.ToString('t'); }
  ToLongTimeString() { return this.ToString('T'); }
  static get UtcNow() { return dateTime(now(), 'Utc'); }
  static get Now() { return dateTime(now(), 'Local'); }
  static get Today() { return DateTime.Now.Date; }
  static get MinValue() { return dateTime(MIN_MS, 'Unspecified'); }
  static get MaxValue() { return dateTime(MAX_MS, 'Unspecified'); }
  static get UnixEpoch() { return dateTime(0, 'Utc'); }
  static Parse(text) { return text instanceof Clock ? dateTime(timeOf(text), 'Utc') : readDateTime(ask('parseDate', Text(text))); }
  static ParseExact(text, format) { return readDateTime(ask('parseExactDate', Text(text), format)); }
  static SpecifyKind(value, kind) { const k = kindOf(kind); return fromWall(wallOf(toDateTime(value)), k); }
  static DaysInMonth(year, month) { return daysInMonth(number(year, 'DaysInMonth'), number(month, 'DaysInMonth')); }
  static IsLeapYear(year) { return daysInMonth(number(year, 'IsLeapYear'), 2) === 29; }
  static Compare(a, b) { return compare(a, b); }
  static Equals(a, b) { return compare(a, b) === 0; }
}
const dateTimeOffset = (date) => dateKinds.get(date) === 'Local' ? localOffset(timeOf(date)) : 0;
const wallOf = (date) => timeOf(date) + dateTimeOffset(date) * MINUTE;
const toDateTime = (v) => dateKinds.has(v) ? v : dateTime(timeOf(toInstant(v)), 'Utc');
// As .NET has it: with an offset the date becomes local.
const readDateTime = ([wall, offset]) => offset === undefined ? dateTime(inRange(wall), 'Unspecified') : dateTime(inRange(wall - offset * MINUTE), 'Local');
dateMembers(DateTime, dateTimeOffset, (d) => dateKinds.get(d), (date, wall) => fromWall(wall, dateKinds.get(date)));

const offsets = new WeakMap();
const withOffset = (ms, offset) => new DateTimeOffset(TOKEN, ms, offset);
const minutesOf = (v) => {
  const minutes = msOf(v) / MINUTE;
  if (minutes % 1 !== 0 || Math.abs(minutes) > 840) throw outOfRange('An offset is of whole minutes, up to 14 hours.');
  return minutes;
};
class DateTimeOffset extends Clock {
  constructor(a, b, c, ...rest) {
    let ms, offset;
    if (a === TOKEN) { ms = b; offset = c; }
    else if (a === undefined) { ms = MIN_MS; offset = 0; }
    else if (c === undefined && (a instanceof Clock || typeof a === 'string')) {
      const date = toDateTime(toInstant(a));
      offset = b === undefined ? dateTimeOffset(date) : minutesOf(b);
      ms = b === undefined ? timeOf(date) : wallOf(date) - offset * MINUTE;
    } else if (c === undefined) {
      offset = minutesOf(b);
      ms = inRange((number(a, 'new DateTimeOffset') - EPOCH_TICKS) / 10000) - offset * MINUTE;
    } else {
      offset = minutesOf(rest.pop());
      const [y, mo, d, h, mi, s, milli] = numbers([a, b, c, rest[0] || 0, rest[1] || 0, rest[2] || 0, rest[3] || 0]);
      ms = wallTime(y, mo, d, h, mi, s, milli) - offset * MINUTE;
    }
    super(ms);
    offsets.set(this, offset);
  }
  get Offset() { return span(offsets.get(this) * MINUTE); }
  get DateTime() { return dateTime(timeOf(this) + offsets.get(this) * MINUTE, 'Unspecified'); }
  get Date() { return this.DateTime.Date; }
  get UtcDateTime() { return dateTime(timeOf(this), 'Utc'); }
  get LocalDateTime() { return dateTime(timeOf(this), 'Local'); }
  get UtcTicks() { return timeOf(this) * 10000 + EPOCH_TICKS; }
  ToOffset(offset) { return withOffset(timeOf(this), minutesOf(offset)); }
  ToUniversalTime() { return withOffset(timeOf(this), 0); }
  ToLocalTime() { return withOffset(timeOf(this), localOffset(timeOf(this))); }
  ToUnixTimeSeconds() { return Math.floor(timeOf(this) / 1000); }
  ToUnixTimeMilliseconds() { return timeOf(this); }
  static get UtcNow() { return withOffset(now(), 0); }
  static get Now() { const ms = now(); return withOffset(ms, localOffset(ms)); }
  static get MinValue() { return withOffset(MIN_MS, 0); }
  static get MaxValue() { return withOffset(MAX_MS, 0); }
  static get UnixEpoch() { return withOffset(0, 0); }
  static Parse(text) { return text instanceof Clock ? withOffset(timeOf(text), 0) : readOffset(ask('parseDate', Text(text))); }
  static ParseExact(text, format) { return readOffset(ask('parseExactDate', Text(text), format)); }
  static FromUnixTimeSeconds(n) { return withOffset(inRange(number(n, 'FromUnixTimeSeconds') * 1000), 0); }
  static FromUnixTimeMilliseconds(n) { return withOffset(inRange(number(n, 'FromUnixTimeMilliseconds')), 0); }
  static Compare(a, b) { return compare(a, b); }
  static Equals(a, b) { return compare(a, b) === 0; }
}
const readOffset = ([wall, offset]) => withOffset(inRange(wall - (offset || 0) * MINUTE), offset || 0);
dateMembers(DateTimeOffset, (d) => offsets.get(d), () => 'Offset', (date, wall) => withOffset(wall - offsets.get(date) * MINUTE, offsets.get(date)));
`;
