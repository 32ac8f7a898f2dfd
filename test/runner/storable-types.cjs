/** Where the core keeps the classes of a process that are stored as such. */
const KEY = Symbol.for('@waymark/core:storable-types');

/**
 * Two files of a worker may each have a class `Order`, as two applications do, which are two processes.
 * @returns what forgets the classes registered since
 */
exports.rememberTypes = () => {
  const before = new Set(globalThis[KEY]?.byName.keys());
  return () => {
    const table = globalThis[KEY];
    for (const [name, { type }] of table?.byName ?? []) {
      if (before.has(name)) continue;
      table.byName.delete(name);
      table.byClass.delete(type);
    }
  };
};
