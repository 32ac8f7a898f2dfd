import { expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  CandidateAuthorizer,
  IUserTaskService,
  type TaskPerson,
  type UserTaskAction,
  UserTaskAuthorizer,
  type UserTaskRecord,
} from '@waymark/runtime';
import { act, lit, seq } from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

@Injectable()
class FourEyes extends UserTaskAuthorizer {
  private readonly stock = new CandidateAuthorizer();

  async mayDo(person: TaskPerson, action: UserTaskAction, task: UserTaskRecord): Promise<boolean> {
    if (action === 'complete' && task.title.includes(person.user)) return false;
    return this.stock.mayDo(person, action, task);
  }
}

const test = useApplication({ providers: [{ provide: UserTaskAuthorizer, useClass: FourEyes }] });
const ann: TaskPerson = { user: 'ann', groups: ['clerks'] };
const bob: TaskPerson = { user: 'bob', groups: ['clerks'] };

it('rules of the application replace the default rules', async () => {
  const clerks = lit(['clerks'], 'List<String>');
  const ask = act('Waymark.UserTask', 'Ask', {
    taskName: lit('x'),
    title: lit('Leave of ann'),
    candidateGroups: clerks,
  });
  const run = await test.run(seq('S', [ask]));
  const tasks = test.app.get(IUserTaskService);
  const { items } = await tasks.list(ann, { workflowInstanceIds: [run.id] });
  const { id } = items[0]!;
  await tasks.claim(ann, id);
  await expect(tasks.complete(ann, id)).rejects.toMatchObject({ code: 'WM2071' });
  await tasks.release(ann, id);
  await tasks.complete(bob, id);
  expect((await run.again()).status).toBe('Finished');
});
