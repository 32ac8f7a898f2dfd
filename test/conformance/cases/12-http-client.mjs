// Workflows as HTTP clients, against the runner's side server: SendHttpRequest, FlowSendHttpRequest, DownloadHttpFile.
import { W, act, flow, js, lit, obj, out, seq, variable, workflow } from '../lib/build.mjs';

const V = (name) => variable(name, 'Object', undefined, { storage: null });
const text = (x) => (x !== null && typeof x === 'object' ? x : lit(x, 'String'));
const props = (o) => ({
  url: text(o.url),
  method: text(o.method ?? 'GET'),
  content: o.content,
  contentType: o.contentType === undefined ? undefined : text(o.contentType),
  authorization: o.authorization === undefined ? undefined : text(o.authorization),
  requestHeaders: o.headers ? obj(o.headers) : undefined,
  statusCode: o.statusCode,
  parsedContent: o.parsedContent,
  responseHeaders: o.responseHeaders,
});
const send = (id, o, more = {}) =>
  act(
    'Elsa.SendHttpRequest',
    id,
    {
      ...props(o),
      expectedStatusCodes: (o.cases ?? []).map(([statusCode, activity]) => ({ statusCode, activity })),
      unmatchedStatusCode: o.unmatched,
      failedToConnect: o.failed,
      timeout: o.timeout,
    },
    more,
  );
const flowSend = (id, o) =>
  act('Elsa.FlowSendHttpRequest', id, { ...props(o), expectedStatusCodes: o.codes ? obj(o.codes) : undefined });
const line = (id, code) => W(id, js(code, 'String'));
const CLOSED = 'http://127.0.0.1:1/closed';

export default {
  group: 'http-client',
  description: 'HTTP requests sent by workflows',
  requires: ['javascript', 'callback'],
  cases: [
    {
      name: 'DELETE without content',
      async run(t) {
        const cb = await t.callback(() => ({ status: 204 }));
        const s = V('Status');
        const r = await t.run(
          workflow(
            t.id(),
            seq('Seq', [
              send('S', { url: cb.url + '/7', method: 'DELETE', statusCode: out(s) }),
              line('W', '"" + getStatus()'),
            ]),
            { variables: [s] },
          ),
        );
        await t.expectLines(r.instanceId, ['204']);
        t.eq([cb.requests[0].method, cb.requests[0].body], ['DELETE', ''], 'request');
      },
    },
    {
      name: 'a URL from a script',
      async run(t) {
        const cb = await t.callback();
        await t.run(
          workflow(t.id(), seq('Seq', [send('S', { url: js(`"${cb.url}" + "/computed/" + (1 + 1)`, 'Uri') })])),
        );
        t.eq(cb.requests[0]?.path, '/computed/2', 'path');
      },
    },
    {
      name: 'activity for a failed connection',
      async run(t) {
        const r = await t.run(
          workflow(
            t.id(),
            seq('Seq', [
              send('S', {
                url: CLOSED,
                cases: [[200, W('A', 'matched')]],
                unmatched: W('U', 'unmatched'),
                failed: W('F', 'failed to connect'),
              }),
              W('E', 'after'),
            ]),
          ),
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['failed to connect', 'after']);
      },
    },
    {
      name: 'outcomes of the flow variant: no codes given',
      async run(t) {
        const cb = await t.callback(() => ({ status: 500, body: {} }));
        const r = await t.run(
          workflow(
            t.id(),
            flow(
              'Flow',
              [flowSend('S', { url: cb.url, codes: [] }), W('U', 'unmatched'), W('D', 'done')],
              ['S:Unmatched status code->U', 'S:Done->D'],
            ),
          ),
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['done']);
      },
    },
  ],
};
