// What `@jest/globals` means in the file that a worker runs now. Modules of test/support are imported once and used by many
// files, so that they must not keep what belongs to the first of them.
const NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];
NAMES.push('fdescribe', 'fit', 'xdescribe', 'xit', 'xtest');

// A symbol of the process: the module that specifications import is another one.
const CURRENT = Symbol.for('waymark.test.globals');

exports.offerGlobals = (globals) => {
  globalThis[CURRENT] = globals;
};

const currentOf = (name) => {
  const value = globalThis[CURRENT]?.()[name];
  if (value === undefined) throw new Error(`'${name}' of @jest/globals is there while Jest runs a file.`);
  return value;
};

/** Stands for that name of `@jest/globals`: a call and each property are those of the file that runs now. */
const standIn = (name) =>
  new Proxy(() => {}, {
    apply: (_, self, values) => Reflect.apply(currentOf(name), self, values),
    get: (_, key) => currentOf(name)[key],
    has: (_, key) => key in currentOf(name),
  });

exports.standIns = Object.fromEntries(NAMES.map((name) => [name, standIn(name)]));
