/**
 * Makes a context unchangeable, as code for the sandbox: `() => void`. Warm contexts serve one evaluation after the
 * other; whatever an evaluation could write to would be a message to the next one, perhaps of another workflow.
 *
 * Everything reachable is frozen: globals, prototypes, functions themselves, accessors, and the built-ins that only
 * syntax leads to (generators, async functions, iterators). Freezing has a known drawback: an assignment to an inherited
 * read-only property is ignored, so `err.name = 'X'` or `item.toString = …` would silently do nothing. The members that
 * honest code assigns become accessors whose setter puts an own property on the assigned object instead.
 */
export const FREEZE = String.raw`function () {
'use strict';
const assignable = new Set(['constructor', 'toString', 'toLocaleString', 'valueOf', 'toJSON', 'name', 'message', 'cause']);
const makeAssignable = (prototype, key, value) => {
  Object.defineProperty(prototype, key, {
    get: { get() { return value; } }.get,
    set: { set(v) {
      if (this === prototype || (typeof this !== 'object' && typeof this !== 'function') || this === null) return;
      Reflect.defineProperty(this, key, { value: v, writable: true, enumerable: true, configurable: true });
    } }.set,
    enumerable: false, configurable: false,
  });
};
const isPrototype = (o) => {
  const c = Object.getOwnPropertyDescriptor(o, 'constructor');
  return !!c && typeof c.value === 'function' && c.value.prototype === o;
};
const syntax = [
  function* () {}, async function () {}, async function* () {}, (function* () {})(), (async function* () {})(),
  [][Symbol.iterator](), ''[Symbol.iterator](), new Map().entries(), new Set().values(), ''.matchAll(/x/g),
  [].values().map((x) => x), Iterator.from({ next() {} }), (function () { return arguments; })(),
];
if (typeof Iterator.concat === 'function') syntax.push(Iterator.concat([]));
const queue = [globalThis, ...syntax.map((o) => Object.getPrototypeOf(o)), Object.getOwnPropertyDescriptor(syntax.at(-1), 'callee')?.get];
for (const o of syntax) queue.push(o);
const seen = new Set();
while (queue.length > 0) {
  const o = queue.pop();
  if ((typeof o !== 'object' && typeof o !== 'function') || o === null || seen.has(o)) continue;
  seen.add(o);
  const prototype = isPrototype(o);
  for (const key of Reflect.ownKeys(o)) {
    const d = Object.getOwnPropertyDescriptor(o, key);
    if (!('value' in d)) { queue.push(d.get, d.set); continue; }
    queue.push(d.value);
    if (prototype && d.writable && d.configurable && (o === Object.prototype || assignable.has(key))) {
      makeAssignable(o, key, d.value);
      const changed = Object.getOwnPropertyDescriptor(o, key);
      queue.push(changed.get, changed.set);
    }
  }
  queue.push(Object.getPrototypeOf(o));
  Object.freeze(o);
}
}`;
