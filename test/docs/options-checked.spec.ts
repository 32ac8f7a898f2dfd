import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { WorkflowApiModule } from '@waymark/api';
import { LiquidExpressionHandler } from '@waymark/expressions';
import { JavaScriptEvaluator } from '@waymark/expressions/adapter';
import { resolveHttpOptions } from '@waymark/http/adapter';
import { resolveRuntimeOptions } from '@waymark/runtime/adapter';
import { resolveSchedulingOptions } from '@waymark/scheduling/adapter';
import { StudioModule } from '@waymark/studio';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { type DeclaredOption, declaredOptions } from './declared-options.js';

/** The table that checks options is held against their types: a new option of any module is checked here without a line. */
type Take = (options: object) => unknown;
/** The options, by what takes them, with what stands before the members of each interface. */
const MODULES: readonly (readonly [
  name: string,
  take: Take,
  interfaces: readonly (readonly [string, string, string])[],
])[] = [
  [
    'WorkflowModule',
    (options) => resolveRuntimeOptions(options),
    [
      ['runtime/src/options/runtime-options.ts', 'WorkflowRuntimeOptions', ''],
      ['runtime/src/options/runtime-options.ts', 'CommitStrategyOptions', 'commitStrategies.'],
      ['runtime/src/options/runtime-options.ts', 'DeploymentOptions', 'deployment.'],
      ['core/src/secrets/redaction.ts', 'RedactionOptions', 'redaction.'],
      ['runtime/src/secrets/encryption-keys.ts', 'EncryptionOptions', 'encryption.'],
    ],
  ],
  [
    'http',
    (options) => resolveHttpOptions(options),
    [
      ['http/src/module/http-options.ts', 'HttpWorkflowsOptions', ''],
      ['http/src/module/http-options.ts', 'EndpointOpenApiOptions', 'openApi.'],
      ['http/src/client/outgoing-addresses.ts', 'OutgoingAddressOptions', 'outgoing.'],
    ],
  ],
  [
    'scheduling',
    (options) => resolveSchedulingOptions(options),
    [['scheduling/src/module/scheduling-options.ts', 'SchedulingOptions', '']],
  ],
  [
    'javascript',
    (options) => new JavaScriptEvaluator(options),
    [['expressions/src/javascript/javascript-options.ts', 'JavaScriptOptions', '']],
  ],
  [
    'liquid',
    (options) => new LiquidExpressionHandler(options),
    [['expressions/src/liquid/liquid-options.ts', 'LiquidOptions', '']],
  ],
  [
    'WorkflowApiModule',
    takenByApi,
    [
      ['api/src/module/api-options.ts', 'WorkflowApiOptions', ''],
      ['api/src/module/api-options.ts', 'ApiAuthenticationOptions', 'authentication.'],
      ['api/src/module/api-options.ts', 'LoginLimits', 'authentication.loginLimits.'],
      ['api/src/module/api-options.ts', 'HubOptions', 'hub.'],
      ['api/src/module/api-options.ts', 'ApiAuditOptions', 'audit.'],
    ],
  ],
  [
    'StudioModule',
    (options) => StudioModule.forRoot(options),
    [['studio/src/module/studio-options.ts', 'StudioOptions', '']],
  ],
  [
    'TypeOrmPersistence',
    (options) => TypeOrmPersistence.fromUrl('sqlite::memory:', options),
    [['typeorm/src/connection/settings.ts', 'TypeOrmPersistenceOptions', '']],
  ],
];

/** What must stand beside a wrong member, so that the group lacks nothing else. */
const BESIDE: Readonly<Record<string, object>> = {
  deployment: { id: 'a', order: 1 },
  encryption: { keys: { keys: () => [] } },
};
const MAY_BE_NEGATIVE = ['deployment.order'];
const CODES = ['WM1090', 'WM4006', 'WM7016', 'WM9201'];

describe.each(MODULES)('the options of %s', (module, take, interfaces) => {
  const options = interfaces.flatMap((of) => declaredOptions(...of));
  const wrong = options.flatMap((option) => wrongValues(option).map((value) => [option.name, value] as const));

  it.each(wrong.map(([name, value]) => [name, String(value), value] as const))(
    'options refuse %s: %s, and name the option',
    (name, _, value) => {
      const error = failureOf(() => take(nested(name, value)));
      expect(CODES).toContain(error.code);
      expect(error.message).toMatch(new RegExp(`\\b${name.split('.').at(-1)!}\\b`));
    },
  );

  // The names of the runtime's own options are refused by the front door, whose own stand beside them.
  it.each(options.map(({ name }) => name).filter((name) => module !== 'WorkflowModule' || name.includes('.')))(
    'options refuse %s with a slip in its name, and suggest the right one',
    (name) => {
      const error = failureOf(() => take(nested(`${name}s`, undefined)));
      expect([error.code, error.message.includes('Did you mean ')]).toEqual(['WM1091', true]);
    },
  );
});

it.each(['localhost:3000', 'shop.example.com', 'ftp://shop.example.com'])(
  'http.baseUrl is an address that clients can call, which %s is not',
  (baseUrl) => {
    const error = failureOf(() => resolveHttpOptions({ baseUrl }));
    expect([error.code, error.message]).toEqual([
      'WM1090',
      `WorkflowModule option 'http.baseUrl' must be an http or https URL, not '${baseUrl}'.`,
    ]);
  },
);

it.each(['root:hunter2@flows.example.com', 'https://root:hun/ter2@flows.example.com', 'ftp://root:hunter2@flows'])(
  'errors about a URL that is refused, such as %s, show no password',
  (url) => {
    for (const refused of [
      () => resolveHttpOptions({ baseUrl: url }),
      () => resolveHttpOptions({ outgoing: { allow: [url] } }),
    ]) {
      const { code, message } = failureOf(refused);
      expect([code, message]).toEqual(['WM1090', expect.stringContaining('…@flows')]);
      expect(message).not.toMatch(/hunter2|ter2@/);
    }
  },
);

function wrongValues({ name, type }: DeclaredOption): unknown[] {
  const others = [];
  if (/^number\b/.test(type)) others.push('5', Number.NaN, ...(MAY_BE_NEGATIVE.includes(name) ? [] : [-1]));
  if (/^boolean\b/.test(type)) others.push('yes', 1);
  if (/^string\b/.test(type)) others.push(5);
  if (type.startsWith("'")) others.push('nonsense', 5);
  if (/\[\]$|^(Readonly<Record|readonly )/.test(type)) others.push(5, 'text');
  // Which no option takes.
  return [Symbol('wrong'), ...others];
}

function nested(name: string, value: unknown): object {
  const [first, ...rest] = name.split('.');
  if (rest.length === 0) return { [first!]: value };
  return { [first!]: { ...BESIDE[first!], ...nested(rest.join('.'), value) } };
}

/** As Nest would call it at start. */
function takenByApi(options: object): unknown {
  const providers = Reflect.getMetadata('providers', WorkflowApiModule) as {
    readonly provide?: unknown;
    readonly useFactory: Take;
  }[];
  return providers.find(({ provide }) => provide === Symbol.for('@waymark/api:options'))!.useFactory(options);
}

function failureOf(take: () => unknown): Error & { readonly code?: string } {
  try {
    take();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was not refused.');
}
