import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../support/pairs.js';
import {
  act,
  endpoint,
  multipart,
  respond,
  variable,
} from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { startWhole, type WholeApplication } from './whole-application.js';

const script = (language: 'JavaScript' | 'Liquid', value: string) => ({
  typeName: 'Object',
  expression: { type: language, value },
});

/** What the same request says in both languages. */
const NAMES: [javaScript: string, liquid: string, answer: string][] = [
  ["getHeaders()['X-Test']", "{{ Variables.Headers['X-Test'] }}", 'head'],
  ["getHeaders()['x-test']", "{{ Variables.Headers['x-test'] }}", 'head'],
  ["getHeaders()['X-TEST']", "{{ Variables.Headers['X-TEST'] }}", 'head'],
  ["(() => getHeaders()['X-tesT'])()", "{{ Variables.Headers['X-tesT'] }}", 'head'],
  ['getRouteData().Id', '{{ Variables.RouteData.Id }}', '7'],
  ['getRouteData().id', '{{ Variables.RouteData.id }}', '7'],
  ['variables.RouteData.ID', '{{ Variables.RouteData.ID }}', '7'],
  ['getQuery().PAGE', '{{ Variables.Query.PAGE }}', '2'],
  ["getRequest().headers['x-TEST']", "{{ Variables.Request.headers['x-TEST'] }}", 'head'],
  [
    'getRequest().Method + getRequest().method',
    '{{ Variables.Request.Method }}{{ Variables.Request.method }}',
    'GETGET',
  ],
  ['getRequest().Query.Page', '{{ Variables.Request.Query.Page }}', '2'],
];

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))(
  'names in scripts of endpoints (%p)',
  (Adapter) => {
    let server: WholeApplication;
    let number = 0;
    beforeAll(async () => {
      server = await startWhole(new Adapter(), { http: { bodyBytes: 40_000_000, defaultBodyBytes: 40_000_000 } });
    });
    afterAll(() => server.close());

    const publish = async (content: object, between: ReturnType<typeof act>[] = []) => {
      const path = `names-${++number}`;
      const outputs = { headers: 'Headers', routeData: 'RouteData', queryStringData: 'Query', result: 'Request' };
      await server.publish(
        [endpoint('In', `${path}/{Id}`, { outputs }), ...between, respond('Out', content)],
        ['Headers', 'RouteData', 'Query', 'Request'].map((name) => variable(name)),
      );
      return `/workflows/${path}/7?page=2`;
    };
    const ask = (path: string) => server.call('GET', path, { headers: { 'X-Test': 'head' } });

    it.each(NAMES)('%s and %s find the same value', async (javaScript, liquid, answer) => {
      expect((await ask(await publish(script('JavaScript', javaScript)))).text).toBe(answer);
      expect((await ask(await publish(script('Liquid', liquid)))).text).toBe(answer);
    });

    it('names in scripts of endpoints list each name once', async () => {
      const source =
        "Object.keys(getHeaders()).filter((n) => n.toLowerCase() === 'x-test').concat(Object.keys(getRouteData()))";
      expect((await ask(await publish(script('JavaScript', source)))).json).toEqual(['X-Test', 'id']);
    });

    it('names in scripts of endpoints find the same value after the instance was stored', async () => {
      const path = `stored-${++number}`;
      const outputs = { headers: 'Headers', routeData: 'RouteData' };
      await server.publish(
        [
          endpoint('In', `${path}/{Id}`, { outputs }),
          respond('First', 'waits'),
          endpoint('Again', `${path}-again`, { start: false }),
          respond('Out', script('JavaScript', "getHeaders()['x-test'] + getRouteData().Id")),
        ],
        ['Headers', 'RouteData'].map((n) => ({
          ...variable(n),
          storageDriverTypeName: 'WorkflowInstanceStorageDriver',
        })),
      );
      expect((await ask(`/workflows/${path}/7`)).text).toBe('waits');
      // The second response belongs to the second request, of which the variables know nothing.
      expect((await server.call('GET', `/workflows/${path}-again`)).text).toBe('head7');
    });

    describe('files', () => {
      const upload = async (content: object, data: string) => {
        const path = `files-${++number}`;
        await server.publish(
          [endpoint('In', path, { methods: ['POST'], outputs: { file: 'File' } }), respond('Out', content)],
          [variable('File')],
        );
        const parts = [{ name: 'upload', filename: 'a "b".txt'.replaceAll('"', ''), type: 'text/csv', data }];
        return server.call('POST', `/workflows/${path}`, multipart(parts));
      };
      const MEMBERS =
        '[getFile().FileName, getFile().Length, getFile().ContentType, getFile().Name, getFile().Headers["Content-Type"]]';

      it("files have Elsa's members", async () => {
        const answer = await upload(script('JavaScript', MEMBERS), 'hello');
        expect(answer.json).toEqual(['a b.txt', 5, 'text/csv', 'upload', 'text/csv']);
        const liquid = '{{ Variables.File.FileName }} {{ Variables.File.Length }} {{ Variables.File.ContentType }}';
        expect((await upload(script('Liquid', liquid), 'hello')).text).toBe('a b.txt 5 text/csv');
      });

      it('files of 12 MB have a name in Liquid, too', async () => {
        expect((await upload(script('Liquid', '{{ Variables.File.FileName }}'), 'x'.repeat(12_000_000))).text).toBe(
          'a b.txt',
        );
      });

      it.each(['getFile().FileName', '(() => getFile().FileName)()'])(
        'files of 12 MB have a name: %s',
        async (source) => {
          expect((await upload(script('JavaScript', source), 'x'.repeat(12_000_000))).text).toBe('a b.txt');
        },
      );

      it('files go out again through a script', async () => {
        const data = 'x'.repeat(6_000_000);
        expect((await upload(script('JavaScript', '(() => getFile())()'), data)).text.length).toBe(data.length);
      });
    });
  },
);
