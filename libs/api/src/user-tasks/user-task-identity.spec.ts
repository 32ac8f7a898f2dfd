import { describe, expect, it } from '@jest/globals';
import { Injectable, Scope } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ProvidedByApplication, type TaskPerson } from '@waymark/runtime';
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

describe('who asks about tasks', () => {
  it('is what the application says', async () => {
    const providers = [ProvidedByApplication, TaskPersons, { provide: UserTaskIdentity, useClass: Staff }];
    const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
    expect(await module.get(TaskPersons).of(request)).toEqual({ user: 'mia', groups: ['staff'] });
  });

  it('is not the login where what the application says cannot be used', async () => {
    const providers = [
      ProvidedByApplication,
      TaskPersons,
      { provide: UserTaskIdentity, useClass: Staff, scope: Scope.REQUEST },
    ];
    const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
    await expect(module.get(TaskPersons).of(request)).rejects.toThrow(/UserTaskIdentity/);
  });

  it('may do everything where it is not asked', async () => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      providers: [ProvidedByApplication, TaskPersons],
    }).compile();
    expect(await module.get(TaskPersons).of(request)).toEqual({ user: 'anonymous', groups: [], isManager: true });
  });
});
