// Compiled, never run: custom properties that a library reads have types, and an application adds its own.
import { Cron, HttpEndpoint, trigger, WriteLine, activity } from '@waymark/nestjs';

declare module '@waymark/core' {
  interface ActivityCustomProperties {
    readonly department?: 'sales' | 'stock' | undefined;
  }
}

export const compiled = () => [
  trigger(Cron, { cronExpression: '@daily' }, { customProperties: { misfire: 'all', department: 'stock' } }),
  trigger(HttpEndpoint, { path: 'a' }, { customProperties: { rateLimit: { limit: 1, ttl: '1s' }, free: true } }),
  // @ts-expect-error -- no policy
  trigger(Cron, { cronExpression: '@daily' }, { customProperties: { misfire: 'al' } }),
  // @ts-expect-error -- none of ours
  activity(WriteLine, { text: 'x' }, { customProperties: { department: 'kitchen' } }),
];
