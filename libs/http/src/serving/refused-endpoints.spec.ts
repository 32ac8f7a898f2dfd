import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { WorkflowEngine } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { endpoint, type EndpointOptions, lit, respond, startApp, type TestServer } from './testing/http-test-app.js';

const int64 = (value: number) => lit(value, 'Int64');

/** What would be published, and deaf: or would serve what was not meant. */
const REFUSED: readonly (readonly [what: string, path: string, inputs: EndpointOptions, message: RegExp])[] = [
  ['an empty segment in its path', 'a//b', {}, /contains "\/\/"/],
  ['an empty segment between parameters', '{a}//{b}', {}, /contains "\/\/"/],
  ['a query in its path', 'x?y=1', {}, /contains "\?", .*\{id\?\}/],
  ['the mark of an optional parameter outside its braces in its path', 'x/{id}?', {}, /contains "\?"/],
  ['a query behind doubled braces in its path', '{{x?}}', {}, /contains "\?"/],
  ['a fragment in its path', '{a}/x#y', {}, /contains "#"/],
  ['a way up in its path', 'a/../b', {}, /contains "\.\.", .* resolve/],
  ['a way up at the end of its path', '{a}/..', {}, /contains "\.\."/],
  ['a way nowhere in its path', './a', {}, /contains "\."/],
  ['no path', '', {}, /Path .* is empty/],
  ['a path of spaces', '  ', {}, /Path .* is empty/],
  ['no methods', 'deaf', { methods: [] }, /SupportedMethods .* names no method/],
  ['methods of spaces', 'deaf', { methods: ['', ' '] }, /SupportedMethods .* names no method/],
  ['a method that is none', 'deaf', { methods: ['GET', 'FOO'] }, /SupportedMethods .* "FOO"/],
  ['the method of tunnels', 'deaf', { methods: ['CONNECT'] }, /SupportedMethods .* "CONNECT"/],
  [
    'a negative size of requests',
    'deaf',
    { requestSizeLimit: int64(-1) },
    /RequestSizeLimit .* is -1, and a size cannot be negative\. Give/,
  ],
  ['a negative size of files', 'deaf', { fileSizeLimit: int64(-5) }, /FileSizeLimit .* is -5, and/],
  [
    'a negative time',
    'deaf',
    { requestTimeout: lit('-00:00:05', 'TimeSpan') },
    /is -00:00:05, and .* such as '00:00:30'/,
  ],
];

/** What templates cannot be. */
const MALFORMED: readonly (readonly [what: string, path: string, message: RegExp])[] = [
  ['an open brace', 'orders/{id', /orders\/\{id/],
  ['a parameter twice', '{id}/{id}', /\{id\}/],
  ['an unknown constraint', 'orders/{id:nothing}', /nothing/],
  ['a rest that is not the last', '{**rest}/x', /rest/],
  ['too many characters', 'x'.repeat(4001), /longer than 4000 characters/],
];

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))(
  'endpoints that no request could reach (%p)',
  (Adapter) => {
    let server: TestServer;
    let number = 0;
    beforeAll(async () => {
      server = await startApp(new Adapter());
    });
    afterAll(() => server.app.close());

    it.each(REFUSED)(
      'endpoints that no request could reach are not published: %s',
      async (_, path, inputs, message) => {
        const publishing = server.publish([endpoint('In', path, inputs), respond('Out', 'ok')]);
        await expect(publishing).rejects.toThrow(message);
        await expect(publishing).rejects.toMatchObject({ problems: [{ activityId: 'In' }] });
      },
    );

    it('endpoints that no request could reach are not published with more expressions than a node compiles at once', async () => {
      const costly = (i: number) => endpoint(`In${i}`, `costly/${i}/{x:regex(^.{{0,99}}.{{0,99}}.{{0,99}}${i}$)}`);
      const many = (count: number) => Array.from({ length: count }, (_, i) => costly(i));
      await expect(server.publish([...many(40), respond('Out', 'ok')])).rejects.toThrow(
        /the regular expressions in the paths of its workflow have more than 20000 instructions together/,
      );
      await server.publish([...many(3), respond('Out', 'ok')]);
    });

    it.each(REFUSED.filter(([what]) => !what.includes(' path')))(
      'endpoints that no request could reach in the middle of a workflow fault instead of waiting forever: %s',
      async (_, path, inputs, message) => {
        const begin = `begin-${++number}`;
        const id = await server.publish([
          endpoint('In', begin),
          respond('Begun', 'ok'),
          endpoint('Middle', path, { ...inputs, start: false }),
        ]);
        await server.call('GET', `/workflows/${begin}`);
        const [instance] = await server.instances(id);
        const { state } = (await server.persistence.instances.load(instance!.id))!;
        expect([state.subStatus, state.incidents.map((incident) => incident.message)]).toEqual([
          'Faulted',
          [expect.stringMatching(message)],
        ]);
      },
    );

    it.each(MALFORMED)(
      'endpoints in the middle of a workflow fault where their path is not a template, with %s',
      async (_, path, message) => {
        const begin = `malformed${++number}`;
        const id = await server.publish([
          endpoint('In', begin),
          respond('Begun', 'ok'),
          endpoint('Middle', path, { start: false }),
        ]);
        await server.call('GET', `/workflows/${begin}`);
        const [instance] = await server.instances(id);
        const { state } = (await server.persistence.instances.load(instance!.id))!;
        expect(state).toMatchObject({
          subStatus: 'Faulted',
          incidents: [{ activityId: 'Middle', message: expect.stringMatching(message) }],
        });
        expect(state.incidents[0]!.exception).toMatchObject({ metadata: { code: 'WM5001' } });
      },
    );

    it('endpoints are served where their inputs are at the edge', async () => {
      await server.publish([endpoint('In', '/', { methods: ['patch'] }), respond('Out', 'root')]);
      await server.publish([
        endpoint('In', '//edge/', {
          methods: ['GET', ' Post '],
          requestSizeLimit: int64(0),
          fileSizeLimit: int64(0),
          requestTimeout: lit('00:00:00', 'TimeSpan'),
        }),
        respond('Out', 'edge'),
      ]);
      const texts = [
        await server.call('PATCH', '/workflows'),
        await server.call('GET', '/workflows/edge'),
        await server.call('POST', '/workflows/edge'),
      ].map(({ text }) => text);
      expect(texts).toEqual(['root', 'edge', 'edge']);
    });

    it('endpoints are served if a constraint, an optional mark or a name only looks invalid', async () => {
      const paths = [
        ['mark/{id:regex(^\\?#$)}', 'mark/%3F%23'],
        ['up/{id:regex(^a/\\.\\./b$)=x}', 'up'],
        ['maybe/{id?}', 'maybe'],
        ['number/{id:int?}', 'number/1'],
        ['file/{name}.{kind?}', 'file/a.b'],
        ['rest/{*all}', 'rest/a/b'],
        ['names/.well-known/...', 'names/.well-known/...'],
      ] as const;
      for (const [path, called] of paths) {
        await server.publish([endpoint('In', path), respond('Out', path)]);
        expect([path, (await server.call('GET', `/workflows/${called}`)).text]).toEqual([path, path]);
      }
    });

    it('endpoints are published with a warning where the path repeats the base path', async () => {
      const warningsOf = async (path: string) => {
        const root = endpoint('In', path);
        const { succeeded, warnings } = await server.publisher.saveAndPublish({ name: path, root });
        return [succeeded, warnings?.map(({ message }) => message)];
      };
      const message = expect.stringMatching(/begins with the base path, .* GET \/workflows\/workflows\/x\. Leave/);
      expect(await warningsOf('/Workflows/x')).toEqual([true, [message]]);
      expect(await warningsOf('workflows-of-mine/x')).toEqual([true, []]);
      expect(await warningsOf('x/workflows')).toEqual([true, []]);
    });

    it('endpoints are not published open to all where Authorize cannot be read, also in a lenient definition', async () => {
      const root = {
        ...endpoint('In', 'closed'),
        authorize: { typeName: 'Boolean', expression: { type: 'Literal', value: 'yes' } },
      };
      const options = { strictConversions: false };
      const { succeeded, problems } = await server.publisher.saveAndPublish({ name: 'closed', root, options });
      expect(succeeded).toBe(false);
      expect(problems[0]!.message).toContain(`'authorize' of activity 'In'`);
      expect((await server.call('GET', '/workflows/closed')).status).toBe(404);
    });

    it('endpoints do not serve without protection where Authorize is an expression whose value cannot be read', async () => {
      const authorize = { typeName: 'Boolean', expression: { type: 'Object', value: '"yes"' } };
      const options = { strictConversions: false };
      const root = { ...endpoint('In', 'computed'), authorize };
      const { succeeded, problems } = await server.publisher.saveAndPublish({ name: 'computed', root, options });
      expect([succeeded, problems.map(({ message }) => message)]).toEqual([false, [expect.stringContaining('yes')]]);
      expect((await server.call('GET', '/workflows/computed')).status).toBe(404);
    });

    it('endpoints are called by every method that designers offer', async () => {
      const { inputs } = server.app.get(WorkflowEngine).activities.find('Elsa.HttpEndpoint')!.descriptor;
      const input = inputs.find(({ name }) => name === 'SupportedMethods')!;
      const { checklist } = input.uiSpecifications as { checklist: { checkList: { items: { value: string }[] } } };
      const offered = checklist.checkList.items.map(({ value }) => value);
      expect(offered).toEqual(['GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'PATCH', 'OPTIONS']);
      await server.publish([endpoint('In', 'offered', { methods: offered }), respond('Out', 'ok')]);
      // OPTIONS is answered by the CORS of this application; where workflows answer it: test/e2e/host-cors.spec.ts.
      for (const method of offered.filter((each) => each !== 'OPTIONS'))
        expect([method, (await server.call(method, '/workflows/offered')).status]).toEqual([method, 200]);
    });
  },
);
