import { expect, it } from '@jest/globals';
import {
  activity,
  Cron,
  HttpEndpoint,
  js,
  SendHttpRequest,
  Timer,
  trigger,
  WriteLine,
  writeLine,
} from '@waymark/nestjs';

// What the compiler accepts and refuses; the functions are checked, never called.

it('custom properties that libraries read have types, and others are allowed', () => {
  const compiled = (): unknown[] => [
    trigger(
      Cron,
      { cronExpression: '0 0 * * *' },
      { customProperties: { misfire: 'all', overlap: 'queue', jitter: '00:05:00' } },
    ),
    trigger(
      Timer,
      { interval: '1h' },
      { customProperties: { validFrom: new Date(0), validUntil: '2030-01-01', jitter: 60_000 } },
    ),
    trigger(
      HttpEndpoint,
      { path: 'a' },
      { customProperties: { rateLimit: { limit: 10, ttl: '00:01:00' }, skipThrottle: true } },
    ),
    activity(
      SendHttpRequest,
      { url: 'http://a' },
      { customProperties: { resilienceStrategy: { strategyId: 'patient' } } },
    ),
    activity(
      WriteLine,
      { text: 'x' },
      { customProperties: { mergeMode: 'Race', commitStrategyName: 'CommitAlways', own: { of: 'us' } } },
    ),
    activity(
      WriteLine,
      { text: 'x' },
      { customProperties: { logPersistenceMode: { default: 'Exclude', inputs: { text: 'Include' } } } },
    ),
    activity(
      'Elsa.WriteLine',
      { text: js('x') },
      { customProperties: { retryPolicy: { maxAttempts: 2 }, timeout: '5m' } },
    ),
    // @ts-expect-error -- no policy
    trigger(Cron, { cronExpression: '0 0 * * *' }, { customProperties: { misfire: 'al' } }),
    // @ts-expect-error -- no policy
    trigger(Cron, { cronExpression: '0 0 * * *' }, { customProperties: { overlap: 'wait' } }),
    // @ts-expect-error -- no time span
    trigger(Timer, { interval: '1h' }, { customProperties: { jitter: true } }),
    // @ts-expect-error -- no period
    trigger(HttpEndpoint, { path: 'a' }, { customProperties: { rateLimit: { limit: 10 } } }),
    // @ts-expect-error -- no id
    activity(SendHttpRequest, { url: 'http://a' }, { customProperties: { resilienceStrategy: 'patient' } }),
    // @ts-expect-error -- no mode
    writeLine('x', { customProperties: { mergeMode: 'Merg' } }),
    // @ts-expect-error -- no mode
    writeLine('x', { customProperties: { logPersistenceMode: 'Exlude' } }),
    // @ts-expect-error -- no policy
    activity('Elsa.WriteLine', {}, { customProperties: { retryPolicy: { attempts: 2 } } }),
  ];
  expect(compiled).toBeInstanceOf(Function);
});
