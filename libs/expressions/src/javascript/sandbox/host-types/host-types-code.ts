import { DATES } from './dates-code.js';
import { JSON_TYPES } from './json-types-code.js';
import { TIME_SPAN } from './time-span-code.js';
import { VALUES } from './values-code.js';

/**
 * The types of .NET that scripts of the format name, as `(G, ask, frozen) => types`: made from the built-ins of the global
 * object `G` of one context. `ask(name, …)` calls a function of the host (`dotnet/host-functions.ts`), which gives texts
 * and numbers only.
 *
 * Members have the names of .NET, and the same with a small first letter, which the format's reference accepts too. Values
 * of static members are made anew for each reading: one that is shared would be a message from script to script.
 */
export const HOST_TYPES = String.raw`(function (G, ask, frozen) {
'use strict';
const { keys, defineProperty, setPrototypeOf, freeze, hasOwn, getOwnPropertyDescriptor, getOwnPropertyNames } = G.Object;
const { apply } = G.Reflect;
const { isArray } = G.Array;
const Math = G.Math, Text = G.String, Bytes = G.Uint8Array, Clock = G.Date, parseInt = G.parseInt;
const now = Clock.now, { getTime } = Clock.prototype;
// What marks the calls of constructors from here. Scripts never see it.
const TOKEN = {};
const named = (error, name) => { defineProperty(error, 'name', { value: name, writable: true, enumerable: false, configurable: true }); return error; };
const outOfRange = (message, name = 'ArgumentOutOfRangeException') => named(new G.RangeError(message), name);
const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
const define = (o, name, value) => defineProperty(o, name, { value, writable: true, enumerable: false, configurable: true });
// Where these values are texts, scripts call methods of texts on them.
const alsoText = (C) => {
  setPrototypeOf(C.prototype, Text.prototype);
  defineProperty(C.prototype, 'length', { get() { return this.toString().length; }, enumerable: false, configurable: true });
};
// Equal values of these types are one object, and so equal by == and ===, in a switch and as keys: as in Elsa, and as the texts that they are
// in a workflow. They outlive a script, which costs little and shows nothing, since they cannot be changed; but not too many of them.
const KEPT = 1000;
const same = [];
const oneOfEach = (C) => {
  const all = new Map();
  same.push(all);
  return (made, target, key) => {
    if (target !== C()) return made;
    const known = all.get(key);
    if (known !== undefined) return known;
    all.set(key, freeze(made));
    return made;
  };
};
const forget = () => { for (let i = 0; i < same.length; i++) if (same[i].size > KEPT) same[i].clear(); };
const statics = (C, all) => { for (const name in all) define(C, name, all[name]); };
const members = (C, all) => { for (const name in all) define(C.prototype, name, all[name]); };
const pascalNames = (C, all) => {
  for (const name in all) {
    const own = all[name];
    const { get, set } = getOwnPropertyDescriptor({ get x() { return this[own]; }, set x(v) { this[own] = v; } }, 'x');
    defineProperty(C.prototype, name, { get, set, enumerable: false, configurable: true });
  }
};
${TIME_SPAN}
${DATES}
${VALUES}
${JSON_TYPES}
const types = {
  DateTime, DateTimeOffset, TimeSpan, Guid, Random, LogPersistenceMode, HttpHeaders, Downloadable, HttpResilienceStrategy,
  ExpandoObject, JsonNode, JsonObject, JsonElement,
};
const alias = (o, isKnown) => {
  for (const name of getOwnPropertyNames(o)) {
    const small = name[0].toLowerCase() + name.slice(1);
    if (small !== name && !isKnown(small)) defineProperty(o, small, getOwnPropertyDescriptor(o, name));
  }
};
const freezeAll = (o) => {
  for (const name of getOwnPropertyNames(o)) {
    const { value, get, set } = getOwnPropertyDescriptor(o, name);
    if (typeof value === 'function' && value !== o.constructor) freeze(value);
    if (get) freeze(get);
    if (set) freeze(set);
  }
  freeze(o);
};
alsoText(TimeSpan);
alsoText(Guid);
for (const type in types) {
  const C = types[type];
  const named = typeof C === 'function' && C.prototype;
  // What dates of JavaScript have stays theirs: toString, getTime, and the own members of a description.
  if (named) alias(named, (name) => name in named || C === Downloadable || C === HttpResilienceStrategy || C === HttpHeaders);
  if (named) alias(C, (name) => hasOwn(C, name));
  if (!frozen) continue;
  if (named) freezeAll(named);
  freezeAll(C);
}
return { types, forget };
})`;
