import { InvalidUserTaskRequestError } from '../persistence/user-task-errors.js';
import type { TaskPerson } from '../services/user-task-services.js';

/**
 * Checks a person before anything is looked up for it. A person comes from the login of the application, which is untyped at the
 * border (`request.user`): an undefined user would equal the missing assignee of every unclaimed task, and a truthy text
 * in `isManager` would manage all tasks.
 * @throws InvalidUserTaskRequestError
 */
export function requirePerson(person: TaskPerson): void {
  const { user, groups, isManager }: { [K in keyof TaskPerson]?: unknown } = person ?? {};
  if (typeof user !== 'string' || user.trim() === '')
    throw invalid(
      'The `user` of a person who works on tasks',
      'a string that is not blank, the id or name of the user',
    );
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string'))
    throw invalid('The `groups` of a person who works on tasks', 'a list of strings; it may be empty');
  if (typeof (isManager ?? false) !== 'boolean')
    throw invalid('The `isManager` of a person who works on tasks', 'true or false');
}

function invalid(what: string, expected: string): InvalidUserTaskRequestError {
  return new InvalidUserTaskRequestError(
    `${what} must be ${expected}. Check how the application determines who makes the request.`,
  );
}
