import { HostOperation } from './host-operation.js';

const READ_CONTENT = JSON.stringify(String.fromCharCode(HostOperation.ReadContent));

/**
 * The part of the prelude about data that is more than a copy: objects whose members are read in any casing, and bytes that
 * stay with the host until a script reads them.
 */
export const VIEWS = String.raw`const put = (o, name, v) => {
  const m = typeof v === 'object' && v !== null ? v[MARK] : undefined;
  if (m !== undefined && m[0] === 'l') leaveOutside(o, name, m[1]);
  else o[name] = revive(v);
};

// Bytes that come when they are read. Like functions of the host, getter and setter are methods without a prototype object.
const leaveOutside = (o, name, number) => {
  const own = (value) => ({ value, writable: true, enumerable: true, configurable: true });
  const { get, set } = {
    get() {
      const bytes = unpack(host(${READ_CONTENT} + SEPARATOR + 'n' + number));
      if (this === o) define(o, name, own(bytes));
      return bytes;
    },
    set(v) {
      if ((typeof this === 'object' && this !== null) || typeof this === 'function') define(this, name, own(v));
    },
  };
  isUnusual = true;
  outside.set(get, number);
  if (frozen) { freeze(get); freeze(set); }
  defineProperty(o, name, { get, set, enumerable: true, configurable: true });
};

// The name that a member has, for one that may be spelled in another casing.
const spelled = (o, name) => {
  if (typeof name !== 'string' || hasOwn(o, name)) return name;
  const wanted = name.toLowerCase(), names = keys(o);
  for (let i = 0; i < names.length; i++) if (names[i].length === name.length && names[i].toLowerCase() === wanted) return names[i];
  return name;
};

const casing = freeze({
  __proto__: null,
  get: (o, name) => o[spelled(o, name)],
  has: (o, name) => has(o, isExtensible(o) ? spelled(o, name) : name),
  set: (o, name, value, receiver) => anyCasing.get(receiver) === o ? set(o, spelled(o, name), value) : set(o, name, value, receiver),
  deleteProperty: (o, name) => deleteProperty(o, spelled(o, name)),
});

const inAnyCasing = (o) => {
  const view = new Proxy(o, casing);
  isUnusual = true;
  anyCasing.set(view, o);
  return view;
};`;
