import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { isManagementApi, WorkflowApiModule } from '@waymark/api';
import { WorkflowModule } from '@waymark/nestjs';
import { StudioModule } from '@waymark/studio';

const PUBLIC = 'isPublic';

/** Asks for a cookie of the application, and leaves the API to its own keys, as the recipes say. */
@Injectable()
class CookieGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const isOpen = this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()]);
    const { headers } = context.switchToHttp().getRequest<{ headers: { cookie?: string } }>();
    return isOpen || isManagementApi(context) || headers.cookie === 'login=ann';
  }
}

@Controller('orders')
class OrdersController {
  @Get()
  list(): string {
    return 'orders';
  }
}

const KEY = 'a-key-of-the-management-api-for-tests';

describe('a global guard with credentials of the application', () => {
  let app: INestApplication;
  afterEach(() => app.close());

  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await fetch(`${await app.getUrl()}${path}`, { headers })).status;

  it('lets requests to the management API pass to its own credentials', async () => {
    const module = await Test.createTestingModule({
      imports: [
        WorkflowModule.forRoot({ controllerDecorators: [SetMetadata(PUBLIC, true)] }),
        WorkflowApiModule.forRoot({ authentication: { apiKeys: [KEY] } }),
        StudioModule.forRoot({ decorators: [SetMetadata(PUBLIC, true)] }),
      ],
      controllers: [OrdersController],
      providers: [{ provide: APP_GUARD, useClass: CookieGuard }],
    }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');

    expect(await statusOf('/orders')).toBe(403);
    expect(await statusOf('/orders', { cookie: 'login=ann' })).toBe(200);
    expect(await statusOf('/elsa/api/workflow-definitions', { cookie: 'login=ann' })).toBe(401);
    expect(await statusOf('/elsa/api/workflow-definitions', { authorization: `ApiKey ${KEY}` })).toBe(200);
    expect(await statusOf('/elsa/hubs/workflow-instance', { authorization: `ApiKey ${KEY}` })).not.toBe(403);
    expect(await statusOf('/workflows/none')).toBe(404);
  });
});
