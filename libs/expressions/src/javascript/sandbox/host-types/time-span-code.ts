/** `TimeSpan`: milliseconds with a fraction, to the tick of 100 ns. As a number it is milliseconds, else its text. */
export const TIME_SPAN = String.raw`
const DAY = 86400000, HOUR = 3600000, MINUTE = 60000, SECOND = 1000;
const spans = new WeakMap();
// Whatever stands for a duration: variables of type TimeSpan are texts.
const msOf = (v) => {
  const ms = spans.get(v);
  if (ms !== undefined) return ms;
  if (typeof v === 'string' || v instanceof G.String) return ask('parseTimeSpan', '' + v);
  throw new G.TypeError('A TimeSpan was expected.');
};
const MAX_SPAN = 922337203685477.5807;
const span = (ms) => {
  // To the tick, where there are digits for it.
  const ticks = ms * 10000;
  return new TimeSpan(TOKEN, Math.abs(ticks) < 9007199254740992 ? Math.round(ticks) / 10000 : ms);
};
const number = (v, what) => {
  const n = +v;
  if (n - n !== 0) throw new G.TypeError(what + ' takes a number.');
  return n;
};
const spanOf = (unit, ...smaller) => (value, ...rest) => {
  let ms = number(value, 'A TimeSpan') * unit;
  for (let i = 0; i < rest.length && i < smaller.length; i++) ms += number(rest[i], 'A TimeSpan') * smaller[i];
  return span(ms);
};
const part = (ms, unit, count) => { const n = Math.trunc(ms / unit); return (count ? n % count : n) + 0; };

const oneSpan = oneOfEach(() => TimeSpan);
class TimeSpan {
  constructor(a, b, c, d, e, f) {
    let ms;
    if (a === TOKEN) ms = b;
    else if (b === undefined) ms = number(a === undefined ? 0 : a, 'new TimeSpan') / 10000;
    else if (d === undefined) ms = number(a, 'new TimeSpan') * HOUR + number(b, 'new TimeSpan') * MINUTE + number(c === undefined ? 0 : c, 'new TimeSpan') * SECOND;
    else ms = number(a, 'new TimeSpan') * DAY + number(b, 'new TimeSpan') * HOUR + number(c, 'new TimeSpan') * MINUTE + number(d, 'new TimeSpan') * SECOND + (e === undefined ? 0 : number(e, 'new TimeSpan')) + (f === undefined ? 0 : number(f, 'new TimeSpan') / 1000);
    if (!(Math.abs(ms) <= MAX_SPAN)) throw outOfRange('TimeSpan overflowed because the duration is too long.', 'OverflowException');
    spans.set(this, ms + 0);
    return oneSpan(this, new.target, ms + 0);
  }
  get Days() { return part(msOf(this), DAY); }
  get Hours() { return part(msOf(this), HOUR, 24); }
  get Minutes() { return part(msOf(this), MINUTE, 60); }
  get Seconds() { return part(msOf(this), SECOND, 60); }
  get Milliseconds() { return part(msOf(this), 1, 1000); }
  get Ticks() { return Math.round(msOf(this) * 10000); }
  get TotalDays() { return msOf(this) / DAY; }
  get TotalHours() { return msOf(this) / HOUR; }
  get TotalMinutes() { return msOf(this) / MINUTE; }
  get TotalSeconds() { return msOf(this) / SECOND; }
  get TotalMilliseconds() { return msOf(this); }
  Add(other) { return span(msOf(this) + msOf(other)); }
  Subtract(other) { return span(msOf(this) - msOf(other)); }
  Negate() { return span(-msOf(this)); }
  Duration() { return span(Math.abs(msOf(this))); }
  Multiply(factor) { return span(msOf(this) * number(factor, 'Multiply')); }
  Divide(by) { return spans.has(by) ? msOf(this) / msOf(by) : span(msOf(this) / number(by, 'Divide')); }
  CompareTo(other) { return order(msOf(this), msOf(other)); }
  Equals(other) { return spans.has(other) && msOf(this) === msOf(other); }
  ToString(format) { return ask('formatTimeSpan', msOf(this), format); }
  toString() { return ask('formatTimeSpan', msOf(this)); }
  toJSON() { return ask('formatTimeSpan', msOf(this)); }
  valueOf() { return msOf(this); }
  [G.Symbol.toPrimitive](hint) { return hint === 'number' ? msOf(this) : this.toString(); }
  static get Zero() { return span(0); }
  static get MinValue() { return new TimeSpan(TOKEN, -MAX_SPAN); }
  static get MaxValue() { return new TimeSpan(TOKEN, MAX_SPAN); }
  static Parse(text) { return span(ask('parseTimeSpan', Text(text).trim())); }
  static Compare(a, b) { return order(msOf(a), msOf(b)); }
  static Equals(a, b) { return msOf(a) === msOf(b); }
}
statics(TimeSpan, {
  FromDays: spanOf(DAY, HOUR, MINUTE, SECOND, 1, 0.001), FromHours: spanOf(HOUR, MINUTE, SECOND, 1, 0.001),
  FromMinutes: spanOf(MINUTE, SECOND, 1, 0.001), FromSeconds: spanOf(SECOND, 1, 0.001),
  FromMilliseconds: spanOf(1, 0.001), FromMicroseconds: spanOf(0.001), FromTicks: spanOf(0.0001),
  TicksPerDay: 864000000000, TicksPerHour: 36000000000, TicksPerMinute: 600000000, TicksPerSecond: 10000000, TicksPerMillisecond: 10000,
});
`;
