// Details of HTTP endpoints, answers, files and outgoing requests.
import { js, lit } from '../lib/build.mjs';
import { page } from '../lib/pages.mjs';

const echoQuery = js('JSON.stringify(getQueryStringData())');
const answers = (name, content, expected, o = {}) => ({
  name,
  async run(t) {
    await t.deploy(page(t, t.path(), content, o));
    const r = await t.get(t.path(), { headers: o.headers });
    t.eq([r.status, r.headers['content-type'] ?? null, r.text], expected, 'answer');
  },
});

export default {
  group: 'http-details',
  description: 'endpoints, answers and files in detail',
  requires: ['javascript'],
  cases: [
    answers('text is text/plain', 'hi', [200, 'text/plain', 'hi']),
    answers('an object is JSON', js('({ a: 1, B: [true, null] })'), [
      200,
      'application/json',
      '{"a":1,"B":[true,null]}',
    ]),
    answers('a list is JSON', js('[1, "a"]'), [200, 'application/json', '[1,"a"]']),
    answers('a given content type stays', '<b/>', [200, 'text/html', '<b/>'], {
      response: { contentType: 'text/html' },
    }),
    answers('JSON text is not written twice', lit('{"a":1}', 'Object'), [200, 'application/json', '{"a":1}'], {
      response: { contentType: 'application/json' },
    }),
    answers('an object as JSON by its content type', js('({ a: 1 })'), [200, 'application/json', '{"a":1}'], {
      response: { contentType: 'application/json' },
    }),
    answers('a number as text', js('42'), [200, 'text/plain', '42'], { response: { contentType: 'text/plain' } }),
    answers('a form', js('({ a: "1 2", b: "ü" })'), [200, 'application/x-www-form-urlencoded', 'a=1+2&b=%C3%BC'], {
      response: { contentType: 'application/x-www-form-urlencoded' },
    }),
    answers('204 has no body', 'gone', [204, null, ''], { response: { status: 'NoContent' } }),
    {
      name: 'without content there are status and headers',
      async run(t) {
        await t.deploy(
          page(t, t.path(), undefined, {
            response: {
              status: 'Accepted',
              contentType: 'application/json',
              headers: { 'X-One': 'a', 'X-Two': ['b', 'c'] },
            },
          }),
        );
        const r = await t.get(t.path());
        t.eq([r.status, r.text, r.headers['content-type'] ?? null], [202, '', null], 'answer');
        t.eq([r.headers['x-one'], r.headers['x-two']?.replace(/,\s*/, ',')], ['a', 'b,c'], 'headers');
      },
    },
    {
      name: 'a redirect',
      async run(t) {
        await t.deploy(
          page(t, t.path(), undefined, {
            response: { status: 'Found', headers: { Location: 'https://example.org/x' } },
          }),
        );
        const r = await t.get(t.path());
        t.eq([r.status, r.headers.location], [302, 'https://example.org/x'], 'answer');
      },
    },
    {
      name: 'a status as a number',
      async run(t) {
        await t.deploy(page(t, t.path(), 'x', { response: { status: lit('418', 'Object') } }));
        t.eq((await t.get(t.path())).status, 418, 'text of digits');
        await t.deploy(page(t, t.path('js'), 'x', { id: t.id('js'), response: { status: js('201') } }));
        t.eq((await t.get(t.path('js'))).status, 201, 'a number');
      },
    },
    {
      name: 'queries: repeated, empty, encoded',
      async run(t) {
        await t.deploy(page(t, t.path(), echoQuery, { read: ['queryStringData'] }));
        const get = async (q) => JSON.parse((await t.get(t.path() + q)).text);
        t.eq(await get('?a=1&a=2&b='), { a: ['1', '2'], b: '' }, 'repeated and empty');
        t.eq(await get('?x=a%26b+c&Caf%C3%A9=%E2%9C%93'), { x: 'a&b c', Café: '✓' }, 'encoded');
        t.eq(await get(''), {}, 'none');
      },
    },
    {
      name: 'slashes at the end, upper case, percent signs in the path',
      async run(t) {
        await t.deploy(
          page(t, t.path('Items/{Name}'), js('(getRouteData().Name ?? getRouteData().name)'), { read: ['routeData'] }),
        );
        t.eq((await t.get(t.path('items/a%20b'))).text, 'a b', 'encoded');
        t.eq((await t.get(t.path('ITEMS/x/'))).text, 'x', 'case and slash');
      },
    },
    {
      name: 'templates: optional, default, rest, constraint, literals first',
      async run(t) {
        const at = (p) =>
          page(t, t.path(p), js(`${JSON.stringify(p)} + " " + JSON.stringify(getRouteData())`), {
            id: t.id(p),
            read: ['routeData'],
          });
        for (const p of ['opt/{a?}', 'def/{a=5}', 'rest/{*r}', 'num/{n:int}', 'pick/{x}', 'pick/new', 'dot/{f}.txt'])
          await t.deploy(at(p));
        const get = async (p) => {
          const r = await t.get(t.path(p));
          return r.status === 200 ? r.text : r.status;
        };
        t.eq(await get('opt'), 'opt/{a?} {}', 'optional, left out');
        t.eq(await get('opt/1'), 'opt/{a?} {"a":"1"}', 'optional');
        t.eq(await get('def'), 'def/{a=5} {"a":"5"}', 'default');
        t.eq(await get('rest/a/b'), 'rest/{*r} {"r":"a/b"}', 'rest');
        t.eq(await get('rest'), 'rest/{*r} {"r":null}', 'rest of nothing');
        t.eq(await get('num/7'), 'num/{n:int} {"n":"7"}', 'constraint');
        t.eq(await get('pick/new'), 'pick/new {}', 'literal');
        t.eq(await get('pick/old'), 'pick/{x} {"x":"old"}', 'parameter');
        t.eq(await get('dot/a.txt'), 'dot/{f}.txt {"f":"a"}', 'part of a segment');
      },
    },
    {
      name: 'methods: those that are declared, HEAD among them',
      async run(t) {
        await t.deploy(page(t, t.path(), 'body', { methods: ['PUT', 'HEAD', 'PATCH', 'OPTIONS'] }));
        for (const m of ['PUT', 'PATCH', 'OPTIONS']) t.eq((await t.http(m, t.path())).text, 'body', m);
        const head = await t.http('HEAD', t.path());
        t.eq([head.status, head.text], [200, ''], 'HEAD');
        for (const m of ['GET', 'POST', 'DELETE']) t.eq((await t.http(m, t.path())).status, 404, m);
      },
    },
    {
      name: 'bodies: form, text, XML, JSON with a charset, broken JSON',
      beyond: 'the reference faults on XML',
      async run(t) {
        await t.deploy(
          page(t, t.path(), js('JSON.stringify(getParsedContent())'), { methods: ['POST'], read: ['parsedContent'] }),
        );
        const post = async (body, type) =>
          (await t.http('POST', t.path(), { body, headers: { 'Content-Type': type } })).text;
        t.eq(
          JSON.parse(await post('a=1&b=2&b=3', 'application/x-www-form-urlencoded')),
          { a: '1', b: ['2', '3'] },
          'form',
        );
        t.eq(await post('plain', 'text/plain'), '"plain"', 'text');
        t.eq(await post('<a>1</a>', 'application/xml'), '"<a>1</a>"', 'XML');
        t.eq(await post('{"a":1}', 'application/json; charset=utf-8'), '{"a":1}', 'JSON with a charset');
        t.eq(await post('{"a":1}', 'application/problem+json'), '{"a":1}', '+json');
        const bad = await t.http('POST', t.path(), { body: '{ nope', headers: { 'Content-Type': 'application/json' } });
        t.eq(bad.status, 400, 'broken JSON');
        t.ok(bad.json?.message, 'message');
      },
    },
  ],
};
