import { describe, expect, it } from '@jest/globals';
import { Injectable, Scope } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type AuditRecord, type AuditTrail, type TaskPerson } from '@waymark/runtime';
import { ProvidedByApplication } from '@waymark/runtime/adapter';
import { RequestAudit } from '../audit/request-audit.js';
import type { ResolvedApiOptions } from '../module/api-options.js';
import type { Principal } from '../identity/authenticator.js';
import type { HttpRequest } from '../requests/http-request.js';
import { TaskPersons, UserTaskIdentity } from './user-task-identity.js';

@Injectable()
class Staff extends UserTaskIdentity {
  personOf(_principal: Principal | undefined, request: object): TaskPerson {
    const { 'x-user': user } = (request as HttpRequest).headers as Record<string, string>;
    return { user: user ?? 'guest', groups: ['staff'] };
  }
}

const request = { headers: { 'x-user': 'mia' }, url: '/' } as unknown as HttpRequest;

describe('the person of a request about tasks', () => {
  it('is determined by the application', async () => {
    const providers = [ProvidedByApplication, TaskPersons, { provide: UserTaskIdentity, useClass: Staff }];
    const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
    expect(await module.get(TaskPersons).of(request)).toEqual({ user: 'mia', groups: ['staff'] });
  });

  it('appears in the audit trail under its name', async () => {
    const records: AuditRecord[] = [];
    const record = async (given: AuditRecord) => records.push(given) > 0;
    const options = { audit: { except: [], refusalsPerHour: 1 } } as unknown as ResolvedApiOptions;
    const audit = new RequestAudit({ record } as unknown as AuditTrail, { allows: () => true } as never, options);
    const providers = [ProvidedByApplication, TaskPersons, { provide: UserTaskIdentity, useClass: Staff }];
    const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
    const asked = { ...request, raw: {} } as HttpRequest;
    audit.begin(asked, { action: 'user-tasks.claim' });
    await module.get(TaskPersons).of(asked);
    await audit.succeeded(asked);
    await audit.succeeded(asked);
    expect(records).toMatchObject([{ action: 'user-tasks.claim', actor: 'mia', actorKind: 'User' }]);
  });

  it('is not the login when the application returns an invalid person', async () => {
    const providers = [
      ProvidedByApplication,
      TaskPersons,
      { provide: UserTaskIdentity, useClass: Staff, scope: Scope.REQUEST },
    ];
    const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
    await expect(module.get(TaskPersons).of(request)).rejects.toThrow(/UserTaskIdentity/);
  });

  it('is not an actor of the audit trail when it has no user', async () => {
    @Injectable()
    class Lost extends UserTaskIdentity {
      personOf(_principal: Principal | undefined, asked: object): TaskPerson {
        return (asked as { user?: TaskPerson }).user!;
      }
    }
    const providers = [ProvidedByApplication, TaskPersons, { provide: UserTaskIdentity, useClass: Lost }];
    const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
    expect(await module.get(TaskPersons).of(request)).toBeUndefined();
  });

  it('may do everything without authentication', async () => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      providers: [ProvidedByApplication, TaskPersons],
    }).compile();
    expect(await module.get(TaskPersons).of(request)).toEqual({ user: 'anonymous', groups: [], isManager: true });
  });
});
