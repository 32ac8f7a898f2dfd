// Workflows of one request: endpoint, steps, answer.
import { chain, httpEndpoint, httpResponse, out, variable, workflow } from './build.mjs';

/** Endpoint -> response; `read` names outputs of the endpoint to capture in variables of the same name. */
export const page = (t, path, content, o = {}) => {
  const vars = Object.fromEntries((o.read ?? []).map((n) => [n, variable(n, 'Object', undefined, { storage: null })]));
  const outputs = Object.fromEntries((o.read ?? []).map((n) => [n, out(vars[n])]));
  return workflow(
    o.id ?? t.id(),
    chain('Flow', [
      httpEndpoint('In', path, { methods: o.methods ?? ['GET'], ...(o.endpoint ?? {}), outputs }),
      ...(o.before ?? []),
      o.answer ?? httpResponse('Out', content, o.response ?? {}),
    ]),
    { variables: [...Object.values(vars), ...(o.variables ?? [])], ...(o.definition ?? {}) },
  );
};

/** What `t.call` sends of the parts. */
export const upload = (t, parts) => {
  const m = t.multipart(parts);
  return { body: m.body, headers: { 'Content-Type': m.contentType } };
};
