import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { ApiRequestContext, WorkflowApiModule } from '@waymark/api';
import { WorkflowModule } from '@waymark/nestjs';
import { ShiftedClock } from '@waymark/testing';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { ApiHttpContext } from './api/api-http-context.js';
import { ApiCredentialsAuthorizer } from './api/api-credentials-authorizer.js';
import { EventTriggerUrlFunction, EventTriggerUrls } from './api/event-trigger-urls.js';
import { TestClockController } from './clock/test-clock.controller.js';
import { HealthController } from './health/health.controller.js';
import { LeaveModule } from './leave/leave.module.js';
import { SampleWorkflows } from './samples/sample-workflows.js';
import type { HostSettings } from './settings/host-settings.js';

/** Far apart when time is moved by hours: every round on the way costs a look at the database. */
const TEST_CLOCK_POLL_MS = 5_000;

const shared: Provider[] = [ApiHttpContext, { provide: ApiRequestContext, useExisting: ApiHttpContext }];

/** The reference host: every library of the project in one application. */
@Global()
@Module({})
export class AppModule {
  static forRoot(settings: HostSettings): DynamicModule {
    const baseUrl = `http://${settings.host}:${settings.port}`;
    const eventTriggerUrl = new EventTriggerUrlFunction(`${baseUrl}/elsa/api`);
    return {
      module: AppModule,
      imports: [
        ScheduleModule.forRoot(),
        WorkflowModule.forRoot({
          persistence: TypeOrmPersistence.fromUrl(settings.databaseUrl),
          flowchartMode: settings.flowchartMode,
          http: { baseUrl },
          javascript: { globals: [eventTriggerUrl] },
          ...(settings.testClock ? { clock: new ShiftedClock(), pollIntervalMs: TEST_CLOCK_POLL_MS } : {}),
          ...(settings.apiKey ? { authorizer: ApiCredentialsAuthorizer } : {}),
        }),
        WorkflowApiModule.forRoot({
          urlTokenKey: settings.urlTokenKey,
          ...(settings.apiKey ? { authentication: { apiKeys: [settings.apiKey] } } : {}),
        }),
        LeaveModule,
      ],
      controllers: [HealthController, ...(settings.testClock ? [TestClockController] : [])],
      providers: [
        ...shared,
        SampleWorkflows,
        { provide: EventTriggerUrlFunction, useValue: eventTriggerUrl },
        EventTriggerUrls,
      ],
      exports: shared,
    };
  }
}
