import { Inject, Injectable } from '@nestjs/common';
import type { CustomPropertyOwner, CustomPropertyRule } from '@waymark/core/adapter';
import { CustomPropertyRules } from '@waymark/runtime/adapter';
import { findStrategy } from '../client/retry-strategy.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';

const SENDERS: ReadonlySet<string> = new Set([
  'Elsa.SendHttpRequest',
  'Elsa.FlowSendHttpRequest',
  'Elsa.DownloadHttpFile',
]);

const only =
  (types: ReadonlySet<string>, what: string) =>
  ({ descriptor }: CustomPropertyOwner): string | undefined =>
    types.has(descriptor.typeName) ? undefined : what;

/** Custom properties of endpoints, and of activities that send requests. The values of rate limits are checked with the endpoint. */
@Injectable()
export class HttpPropertyRules extends CustomPropertyRules {
  readonly rules: readonly CustomPropertyRule[];

  constructor(@Inject(HTTP_OPTIONS) { retryStrategies }: Pick<ResolvedHttpOptions, 'retryStrategies'>) {
    super();
    const ids = retryStrategies.map(({ id }) => id);
    const known = ids.length === 0 ? 'http.retryStrategies has none' : ids.join(', ');
    const advice = `the id of a strategy of the option http.retryStrategies (${known}), or { id, maxRetryAttempts, delay, backoffType }; without one, requests are sent once`;
    this.rules = [
      { name: 'rateLimit', adviceOnPlace: only(new Set(['Elsa.HttpEndpoint']), 'an HttpEndpoint') },
      {
        name: 'resilienceStrategy',
        adviceOnPlace: only(SENDERS, 'activities that send requests'),
        adviceOnValue: (value) =>
          isRead(value) && (isComputed(value) || findStrategy(value, retryStrategies)) ? undefined : advice,
      },
    ];
  }
}

const isRead = (value: unknown): value is { readonly mode?: unknown; readonly expression?: unknown } =>
  typeof value === 'object' && value !== null;

const isComputed = ({ mode, expression }: { readonly mode?: unknown; readonly expression?: unknown }): boolean =>
  mode === 'Expression' && Boolean(expression);
