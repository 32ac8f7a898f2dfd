// Workflows that write lines.
import { W, js, seq, workflow } from './build.mjs';

export const wf = (t, activities, o) =>
  workflow(t.id(), Array.isArray(activities) ? seq('Seq', activities) : activities, o);

export const line = (id, code) => W(id, js(code, 'String'));

/** Runs to the end and writes these lines. */
export const writes = (name, build, expected, o = {}) => ({
  name,
  ...o,
  run: async (t) => void (await t.runAndExpect(wf(t, build(t), o.definition), expected, { body: o.body })),
});
