import { Injectable, type CanActivate, type ExecutionContext, UnauthorizedException } from '@nestjs/common';
import type { TaskPerson } from '@waymark/nestjs';

/** Stands for the login of your application. */
const PEOPLE: readonly TaskPerson[] = [
  { user: 'ann', groups: ['accounting'], isManager: false },
  { user: 'bob', groups: ['accounting'], isManager: false },
  { user: 'eve', groups: ['heads'], isManager: false },
];

/** A request with the person behind it. */
export interface RequestOfPerson {
  readonly headers: Readonly<Record<string, string | undefined>>;
  person: TaskPerson;
}

@Injectable()
export class PersonGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<RequestOfPerson>();
    const person = PEOPLE.find(({ user }) => user === request.headers['x-user']);
    if (!person) throw new UnauthorizedException('Say who you are: X-User: ann.');
    request.person = person;
    return true;
  }
}
