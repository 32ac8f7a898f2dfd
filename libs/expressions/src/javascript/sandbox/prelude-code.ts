import { MARK, MAX_DEPTH, SEPARATOR } from '../transfer/marks.js';
import { FREEZE } from './freeze.js';
import { HostOperation } from './host-operation.js';
import { TEXT_VALUES } from './text-values-code.js';
import { VIEWS } from './views-code.js';

const op = (code: number): string => JSON.stringify(String.fromCharCode(code));

/**
 * The inner half of the sandbox: `(host, names, G, frozen, clocked) => { unit, settle, addTypes }`, called once for the global
 * object `G` of every context. `host` is the only way out: one function that takes and gives text (see
 * `transfer/marks.ts`). Scripts are never handed it, and it would give them nothing that the functions made from it do
 * not.
 *
 * The code itself is loaded once per runtime, into the frozen context: parsing it costs more than making a context. What
 * it gives to scripts it makes with the built-ins of `G`, and keeps its own references to them, since a script in an
 * unfrozen context may replace them. What a script can forge is data, and the host mistrusts all data from here.
 */
export const PRELUDE = String.raw`(function (host, names, G, frozen, clocked) {
'use strict';
const { keys, freeze, getPrototypeOf, getOwnPropertyDescriptor, defineProperty, create, hasOwn, isExtensible } = G.Object;
const { parse, stringify } = G.JSON;
const { isArray } = G.Array;
const { isView } = G.ArrayBuffer;
const { apply, construct, defineProperty: define, has, set, deleteProperty } = G.Reflect;
const { then } = G.Promise.prototype;
const { fromCharCode } = G.String;
const Plain = G.Object, Text = G.String, Bytes = G.Uint8Array, Buffer = G.ArrayBuffer, View = G.DataView, Moment = G.Date;
const Later = G.Promise, Dictionary = G.Map, Unique = G.Set, Failure = G.Error, Big = G.BigInt, Num = G.Number, Bool = G.Boolean;
const plainPrototype = Plain.prototype;
const errorTypes = { TypeError: G.TypeError, RangeError: G.RangeError, ReferenceError: G.ReferenceError, SyntaxError: G.SyntaxError };
const known = new WeakMap();            // errors made here -> what the host should know about them
const anyCasing = new WeakMap();        // objects whose members are read in any casing -> the objects behind them
const outside = new WeakMap();          // getters of bytes that the host keeps -> their numbers
let isUnusual = false;                  // something of either kind has come in
const MARK = '${MARK.replace('\u0001', '\\u0001')}', SEPARATOR = '${SEPARATOR.replace('\u0001', '\\u0001')}';

// ----- values out -----

const pack = (v) => {
  switch (typeof v) {
    case 'string': return v.isWellFormed() && v.indexOf('\0') < 0 && v.indexOf(SEPARATOR) < 0 ? 's' + v : 'j' + stringify(v);
    case 'number': return 'n' + v;
    case 'boolean': return v ? 't' : 'f';
    case 'undefined': return 'u';
    case 'bigint': return 'b' + v;
    case 'object': return v === null ? '0' : isPlain(v, 0) ? 'j' + stringify(v) : 'm' + stringify(toMarked(v, 0));
    default: throw noData('a ' + typeof v);
  }
};

const noData = (what) => {
  const e = new G.TypeError('The value is or contains ' + what + ', which is not data.');
  known.set(e, { transfer: true });
  return e;
};

// JSON can carry it as it is. Walking first is cheaper than a replacer, which costs a call per member.
const isPlain = (v, depth) => {
  if (depth > ${MAX_DEPTH}) throw noData('a circular object, or is nested more than ${MAX_DEPTH} levels deep');
  if (isArray(v)) {
    for (let i = 0; i < v.length; i++) {
      const x = v[i], t = typeof x;
      if (t !== 'string' && t !== 'boolean' && x !== null && !(t === 'number' ? x - x === 0 : t === 'object' && isPlain(x, depth + 1))) return false;
    }
    return true;
  }
  const p = getPrototypeOf(v);
  if (p !== plainPrototype && p !== null) return false;
  if (isUnusual && anyCasing.has(v)) return false;
  for (const k in v) {
    if (isUnusual && numberOf(v, k) !== undefined) return false;
    const x = v[k], t = typeof x;
    if (t !== 'string' && t !== 'boolean' && x !== null && !(t === 'number' ? x - x === 0 : t === 'object' && isPlain(x, depth + 1))) return false;
  }
  return !(MARK in v);
};

const marked = (...content) => ({ [MARK]: content });

// Of bytes that are still with the host.
const numberOf = (v, k) => {
  const d = getOwnPropertyDescriptor(v, k);
  return d !== undefined && typeof d.get === 'function' ? outside.get(d.get) : undefined;
};

const toMarked = (v, depth) => {
  switch (typeof v) {
    case 'string': case 'boolean': return v;
    case 'number': return v - v === 0 ? v : marked('n', Text(v));
    case 'undefined': return marked('u');
    case 'bigint': return marked('b', Text(v));
    case 'object': break;
    default: throw noData('a ' + typeof v);
  }
  if (v === null) return null;
  if (depth > ${MAX_DEPTH}) throw noData('a circular object, or is nested more than ${MAX_DEPTH} levels deep');
  if (isArray(v)) return listMarked(v, depth);
  const behind = isUnusual ? anyCasing.get(v) : undefined;
  if (behind !== undefined) return marked('c', toMarked(behind, depth));
  if (v instanceof Moment) { const ms = v.getTime(); if (ms !== ms) throw noData('an invalid date'); return marked('d', ms); }
  if (v instanceof Buffer) return marked('y', latin1(new Bytes(v)));
  if (isView(v)) return v instanceof Bytes || v instanceof View ? marked('y', latin1(new Bytes(v.buffer, v.byteOffset, v.byteLength))) : listMarked(v, depth);
  if (typeof v.toJSON === 'function') return toMarked(v.toJSON(''), depth + 1);
  if (v instanceof Dictionary) { const o = create(null); v.forEach((x, k) => { o[Text(k)] = x; }); return toMarked(o, depth); }
  if (v instanceof Unique) { const a = []; v.forEach((x) => { a[a.length] = x; }); return listMarked(a, depth); }
  if (v instanceof Failure) return { name: Text(v.name), message: Text(v.message) };
  if (v instanceof Text || v instanceof Num || v instanceof Bool) return toMarked(v.valueOf(), depth);
  if (typeof v.then === 'function') throw noData('a promise');
  const out = create(null), k = keys(v);
  for (let i = 0; i < k.length; i++) {
    const number = isUnusual ? numberOf(v, k[i]) : undefined;
    out[k[i]] = number === undefined ? toMarked(v[k[i]], depth + 1) : marked('l', number);
  }
  if (!(MARK in out)) return out;
  const entries = [];
  for (let i = 0; i < k.length; i++) entries[i] = [k[i], out[k[i]]];
  return marked('o', entries);
};

const listMarked = (v, depth) => {
  const out = [];
  for (let i = 0; i < v.length; i++) out[i] = toMarked(v[i], depth + 1);
  return out;
};

const latin1 = (bytes) => {
  let s = '';
  for (let i = 0; i < bytes.length; i += 8192) s += apply(fromCharCode, null, bytes.subarray(i, i + 8192));
  return s;
};

// ----- values in -----

const unpack = (v) => {
  if (typeof v !== 'string') return typeof v === 'object' && v !== null ? new Bytes(v) : v;
  const rest = v.slice(1);
  switch (v[0]) {
    case 's': return rest;
    case 'j': return parse(rest);
    case 'm': return revive(parse(rest));
    case 'n': return +rest;
    case 't': return true;
    case 'f': return false;
    case '0': return null;
    case 'b': return Big(rest);
    case 'x': throw hostError(parse(rest));
    case 'p': return hostPromise(rest);
  }
};

const revive = (v) => {
  if (typeof v !== 'object' || v === null) return v;
  if (isArray(v)) {
    for (let i = 0; i < v.length; i++) v[i] = revive(v[i]);
    return v;
  }
  const m = v[MARK];
  if (m === undefined) {
    const k = keys(v);
    for (let i = 0; i < k.length; i++) put(v, k[i], v[k[i]]);
    return v;
  }
  switch (m[0]) {
    case 'd': return new Moment(m[1] === null ? NaN : m[1]);
    case 'b': return Big(m[1]);
    case 'n': return +m[1];
    case 'y': {
      const bytes = new Bytes(m[1].length);
      for (let i = 0; i < bytes.length; i++) bytes[i] = m[1].charCodeAt(i);
      return bytes;
    }
    case 'o': {
      const o = new Plain();
      for (let i = 0; i < m[1].length; i++) put(o, m[1][i][0], m[1][i][1]);
      return o;
    }
    case 'c': return inAnyCasing(revive(m[1]));
  }
};

${VIEWS}

const hostError = ({ name, message, id }) => {
  const e = new (errorTypes[name] || Failure)(message);
  if (e.name !== name) defineProperty(e, 'name', { value: name, writable: true, enumerable: false, configurable: true });
  known.set(e, { host: id });
  return e;
};

// ----- promises of the host -----

const waiting = create(null);
const hostPromise = (id) => new Later((resolve, reject) => { waiting[id] = [resolve, reject]; });
const settle = (id, value) => {
  const w = waiting[id];
  delete waiting[id];
  if (value === undefined || !w) return;
  try { w[0](unpack(value)); } catch (e) { w[1](e); }
};

// ----- functions of the host -----

// A method, not a function: it has no prototype object that a script could write to.
const hostFunction = (name, head) => {
  const f = { [name](a, b) {
    const n = arguments.length;
    if (n === 0) return unpack(host(head));
    let t = head + SEPARATOR + pack(a);
    if (n > 1) t += SEPARATOR + pack(b);
    for (let i = 2; i < n; i++) t += SEPARATOR + pack(arguments[i]);
    return unpack(host(t));
  } }[name];
  return frozen ? freeze(f) : f;
};

for (let i = 0; i < names.length; i++)
  defineProperty(G, names[i], { value: hostFunction(names[i], fromCharCode(${HostOperation.FirstGlobal} + i)), writable: true, enumerable: false, configurable: true });

// ----- running scripts -----

let types;
const ask = (...args) => {
  let t = ${op(HostOperation.HostTypes)};
  for (let i = 0; i < args.length; i++) t += SEPARATOR + pack(args[i]);
  return unpack(host(t));
};
// With the first script that names one of them: their code takes a millisecond to load.
let forget = () => {};
const addTypes = (make) => { const made = make(G, ask, frozen); types = made.types; forget = made.forget; };

${TEXT_VALUES}

const lookup = (name, as) => as === undefined || name[0] === 's' || (types !== undefined && hasOwn(types, name)) ? lookupPlain(name)
  : typedFunction(name, hasOwn(G, name) ? G[name] : lookupPlain(name), as);

const lookupPlain = (name) => name === 'args' ? unpack(host(${op(HostOperation.Arguments)}))
  : types !== undefined && hasOwn(types, name) ? types[name] : hostFunction(name, ${op(HostOperation.Accessor)} + SEPARATOR + 's' + name);

const lookupExisting = (name, as) => (types !== undefined && hasOwn(types, name)) || (as !== undefined && hasOwn(G, name)) || unpack(host(${op(HostOperation.HasAccessor)} + SEPARATOR + 's' + name)) ? lookup(name, as) : undefined;

// Everything that a script throws leaves as text. The host never touches an object of a script.
const failure = (e) => {
  try {
    const o = (typeof e === 'object' && e !== null) || typeof e === 'function' ? e : undefined;
    const about = o && known.get(o);
    const name = o && typeof o.name === 'string' ? o.name : 'Error';
    const message = o ? (typeof o.message === 'string' ? o.message : stringify(o) || Text(o)) : Text(e);
    const stack = o && typeof o.stack === 'string' ? o.stack.slice(0, 2000) : '';
    return 'x' + stringify({ name, message, stack, isNull: e === null, transfer: !!(about && about.transfer), host: about && about.host });
  } catch {
    return 'x{"name":"Error","message":"The script threw a value that cannot be read."}';
  }
};

const finish = (make) => { try { return make(); } catch (e) { return failure(e); } };

let promises = 0;
const settledBy = (v, done) => {
  const id = Text(++promises);
  const report = (t) => { host(${op(HostOperation.Settled)} + SEPARATOR + 's' + id + SEPARATOR + 's' + stringify(t)); };
  apply(then, new Later((resolve) => { resolve(v); }), [(x) => report(finish(() => done(x))), (e) => report(failure(e))]);
  return 'p' + id;
};

const answer = (v, done) => typeof v === 'object' && v !== null && typeof v.then === 'function' ? settledBy(v, done) : done(v);

const plainUnit = (fn) => () => { try { forget(); return answer(fn(), pack); } catch (e) { return failure(e); } };

const perRunUnit = (fn, [as, ...mentioned]) => () => {
  try {
    forget();
    const variables = new Plain(), before = create(null), given = create(null);
    const read = (name) => {
      const t = before[name] = host(${op(HostOperation.ReadVariable)} + SEPARATOR + 's' + name);
      if (t === 'u') return;
      variables[name] = given[name] = as.length > 0 && t[0] === 's' ? typed(unpack(t), typeOfVariable(name, false), as) : unpack(t);
    };
    for (let i = 0; i < mentioned.length; i++) read(mentioned[i]);
    // Both describe the same variable. Its name is the first argument where no names are given.
    const setter = (set, names) => typeof set !== 'function' ? set : (...args) => {
      const result = apply(set, undefined, args);
      if (names === undefined) { if (hasOwn(before, args[0])) read(args[0]); }
      else for (let i = 0; i < names.length; i++) read(names[i]);
      return result;
    };
    return answer(fn(lookup, variables, lookupExisting, setter), (v) => {
      for (let i = 0; i < mentioned.length; i++) {
        // Such a value is not what it was packed as, and never changes.
        if (before[mentioned[i]][0] === 's' && variables[mentioned[i]] === given[mentioned[i]]) continue;
        const t = pack(variables[mentioned[i]]);
        if (t !== before[mentioned[i]]) host(${op(HostOperation.WriteVariable)} + SEPARATOR + 's' + mentioned[i] + SEPARATOR + t);
      }
      return pack(v);
    });
  } catch (e) { return failure(e); }
};

const unit = (factory, mentioned) => {
  const fn = factory(lookup);
  if (frozen) { freeze(fn); if (fn.prototype) freeze(fn.prototype); }
  return mentioned === undefined ? plainUnit(fn) : perRunUnit(fn, parse(mentioned));
};

if (clocked) {
  const now = () => unpack(host(${op(HostOperation.Now)}));
  const Clocked = function Date(...a) {
    return new.target ? construct(Moment, a.length ? a : [now()], new.target) : Text(new Moment(now()));
  };
  defineProperty(Clocked, 'prototype', { value: Moment.prototype, writable: false });
  defineProperty(Moment.prototype, 'constructor', { value: Clocked, writable: true, enumerable: false, configurable: true });
  for (const [name, value] of [['now', now], ['parse', Moment.parse], ['UTC', Moment.UTC]])
    defineProperty(Clocked, name, { value, writable: true, enumerable: false, configurable: true });
  G.Date = Clocked;
}

// They run code of one evaluation at a time when another one may be running, or share memory: neither is of use here.
delete G.WeakRef;
delete G.FinalizationRegistry;
delete G.SharedArrayBuffer;
delete G.Atomics;

if (frozen) (${FREEZE})();
return { unit, settle, addTypes };
})`;
