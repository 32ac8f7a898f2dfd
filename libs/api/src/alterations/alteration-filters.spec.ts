import { describe, expect, it } from '@jest/globals';
import { AlterationPlans } from '@waymark/runtime';
import { deploySeen, event, line, sequence, useServer } from '../module/api-harness.spec.js';

describe('filters of alterations', () => {
  const { app, call, deploy, execute, settled } = useServer('fastify', deploySeen);
  const selected = async (filter: object): Promise<string[]> =>
    (await call('POST', '/alterations/dry-run', filter)).json.workflowInstanceIds;

  const LISTS = [
    'workflowInstanceIds',
    'correlationIds',
    'names',
    'definitionIds',
    'definitionVersionIds',
    'statuses',
    'subStatuses',
  ];

  it.each(LISTS)('an empty list of %s selects nothing', async (member) => {
    await execute('seen');
    expect((await selected({ definitionIds: ['seen'] })).length).toBeGreaterThan(0);
    const other = member === 'definitionIds' ? { statuses: ['Running'] } : { definitionIds: ['seen'] };
    expect(await selected({ ...other, [member]: [] })).toEqual([]);
    expect(await selected({ emptyFilterSelectsAll: true, [member]: [] })).toEqual([]);
  });

  it('a list with nothing but blanks selects nothing, lists of conditions may be empty', async () => {
    const { id } = await execute('seen');
    expect(await selected({ definitionIds: ['seen'], workflowInstanceIds: [''] })).toEqual([]);
    expect(await selected({ workflowInstanceIds: [id], timestampFilters: [], activityFilters: [] })).toEqual([id]);
  });

  it('a plan whose list is empty alters nothing, and nodes of the build before find nothing either', async () => {
    const { id } = await execute('seen');
    const filter = { workflowInstanceIds: [], definitionIds: ['seen'] };
    const submission = { alterations: [{ type: 'Cancel' }], filter };
    const { planId } = (await call('POST', '/alterations/submit', submission)).json;
    await settled();
    const { plan, jobs } = (await call('GET', `/alterations/${planId}`)).json;
    expect([plan.status, jobs]).toEqual(['Completed', []]);
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Suspended');
    // They take an empty list for no condition.
    const stored = (await app().get(AlterationPlans).findPlan(planId))!.workflowInstanceFilter;
    expect(stored).toEqual({ ...filter, workflowInstanceIds: [''], emptyFilterSelectsAll: false, isSystem: false });
  });

  it('all of several activity filters must hold, each for some execution; one without a condition is ignored', async () => {
    const start = async (id: string, root: object): Promise<string> => {
      await deploy(id, root);
      return (await execute(id)).id;
    };
    const a = await start('filtered-a', sequence(line('A'), event('E', 'filtered-go')));
    const b = await start('filtered-b', sequence(line('B'), event('E', 'filtered-go')));
    const both = await start('filtered-both', sequence(line('A'), line('B'), event('E', 'filtered-go')));
    const none = await start('filtered-none', sequence(event('E', 'filtered-go')));
    const [isA, isB] = [{ activityId: 'A' }, { activityId: 'B', status: 'Completed' }];
    const of = async (...activityFilters: object[]) =>
      (await selected({ workflowInstanceIds: [a, b, both, none], activityFilters })).toSorted();
    expect(await of(isA)).toEqual([a, both].toSorted());
    expect(await of(isA, isB)).toEqual([both]);
    expect(await of({}, isA)).toEqual([a, both].toSorted());
    expect(await of({})).toEqual([a, b, both, none].toSorted());
    expect(await selected({ activityFilters: [{}, { activityId: '' }] })).toEqual([]);
  });
});
