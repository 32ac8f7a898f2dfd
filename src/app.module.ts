import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { APP_FILTER } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { ThrottlerModule } from '@nestjs/throttler';
import { type ApiAuthenticationOptions, ApiRequestContext, WorkflowApiModule } from '@waymark/api';
import { EnvironmentKeys, EnvironmentSecrets, FileSecrets, type SecretProvider, WorkflowModule } from '@waymark/nestjs';
import type { WorkflowClock } from '@waymark/runtime';
import { StudioModule } from '@waymark/studio';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { HostExceptionFilter } from './answers/host-exception.filter.js';
import { ApiHttpContext } from './api/api-http-context.js';
import { ApiCredentialsAuthorizer } from './api/api-credentials-authorizer.js';
import { HOST_PERMISSIONS } from './api/host-permissions.js';
import { DueInStore } from './clock/due-in-store.js';
import { TestClockController } from './clock/test-clock.controller.js';
import { DocsAccess } from './docs/docs-access.js';
import { DocsController } from './docs/docs.controller.js';
import { HealthController } from './health/health.controller.js';
import { LeaveModule } from './leave/leave.module.js';
import { SampleWorkflows } from './samples/sample-workflows.js';
import { HOST_SETTINGS, type HostSettings } from './settings/host-settings.js';
import { StartPage } from './start-page/start-page.js';
import { STUDIO_PATH } from './studio-path.js';
import { TravelModule } from './travel/travel.module.js';

/** Far apart when time is moved by hours: every round on the way costs a look at the database. */
const TEST_CLOCK_POLL_MS = 5_000;
const TEST_CLOCK_TIMER_POLL_MS = 30_000;

/** Of the time to shut down; the rest is for closing what has been drained. */
const SHARE_TO_DRAIN = 2 / 3;

const writeLine = new WorkflowLogger('WriteLine');

const shared: Provider[] = [ApiHttpContext, { provide: ApiRequestContext, useExisting: ApiHttpContext }];

/** The reference host: every library of the project in one application. */
@Global()
@Module({})
export class AppModule {
  /** @param testClock for black-box tests: time that `POST /test/clock` moves on */
  static forRoot(settings: HostSettings, testClock?: WorkflowClock): DynamicModule {
    const isProtected = settings.users.length > 0;
    const timerPollMs = settings.timerPollMs ?? (testClock ? TEST_CLOCK_TIMER_POLL_MS : undefined);
    const { limits } = settings;
    const baseUrl = settings.publicUrl ?? `http://${urlHost(settings.host)}:${settings.port}`;
    return {
      module: AppModule,
      imports: [
        ScheduleModule.forRoot(),
        // Counts for endpoints that limit requests; the host has no limit of its own.
        ThrottlerModule.forRoot({ throttlers: [] }),
        WorkflowModule.forRoot({
          ...limits.runtime,
          persistence: TypeOrmPersistence.fromUrl(settings.databaseUrl, limits.persistence),
          flowchartMode: settings.flowchartMode,
          strictConversions: settings.strictConversions,
          // The heartbeat sample would write where nobody sees it: the host shows nothing below "log".
          writeLine: (text) => writeLine.log(text),
          http: {
            ...limits.http,
            baseUrl,
            outgoing: settings.outgoing,
            respondAsync: settings.respondAsync,
            idempotencyKeys: settings.idempotencyKeys,
          },
          javascript: limits.javascript,
          liquid: limits.liquid,
          secrets: secretsOf(settings),
          encryption: settings.hasEncryptionKeys ? { keys: new EnvironmentKeys() } : undefined,
          drainTimeoutMs: Math.round(settings.shutdownTimeoutMs * SHARE_TO_DRAIN),
          scheduling: { pollIntervalMs: timerPollMs },
          deployment: settings.deployment,
          missingCodeAlarmMs: settings.missingCodeAlarmMs,
          auditRetentionMs: settings.auditRetentionMs,
          deadLetterRetentionMs: settings.deadLetterRetentionMs,
          ...(testClock ? { clock: testClock, pollIntervalMs: TEST_CLOCK_POLL_MS } : {}),
          ...(isProtected ? { authorizer: ApiCredentialsAuthorizer } : {}),
        }),
        WorkflowApiModule.forRoot({
          ...limits.api,
          publicUrl: `${baseUrl}/elsa/api`,
          urlTokenKey: settings.urlTokenKey,
          // Open on loopback only: the settings see to that.
          ...(isProtected ? { authentication: authenticationOf(settings) } : { allowAnonymous: true }),
        }),
        StudioModule.forRoot({ path: STUDIO_PATH }),
        LeaveModule,
        TravelModule,
      ],
      controllers: [HealthController, DocsController, ...(testClock ? [TestClockController] : [])],
      providers: [
        ...shared,
        { provide: HOST_SETTINGS, useValue: settings },
        { provide: APP_FILTER, useClass: HostExceptionFilter },
        SampleWorkflows,
        DocsAccess,
        StartPage,
        ...(testClock ? [DueInStore] : []),
      ],
      exports: [...shared, HOST_SETTINGS],
    };
  }
}

/** Addresses of IPv6 stand in brackets. */
const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Black-box tests move the clock by days; users who logged in before stay logged in. */
const OUTLASTS_MOVES_MS = 10 * 365 * 24 * 3_600_000;

/** The environment first: what an operator sets for one start wins. */
const secretsOf = ({ secretsDirectory }: HostSettings): SecretProvider[] => [
  new EnvironmentSecrets(),
  ...(secretsDirectory ? [new FileSecrets(secretsDirectory)] : []),
];

const authenticationOf = ({
  apiKey,
  users,
  signingKey,
  limits,
  testClock,
}: HostSettings): ApiAuthenticationOptions => ({
  users,
  applicationPermissions: HOST_PERMISSIONS,
  loginLimits: limits.logins,
  apiKeys: apiKey ? [apiKey] : [],
  ...(signingKey ? { signingKey } : {}),
  ...(testClock ? { accessTokenLifetimeMs: OUTLASTS_MOVES_MS, refreshTokenLifetimeMs: OUTLASTS_MOVES_MS } : {}),
});
