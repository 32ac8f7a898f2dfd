import { deploySeen, useServer } from '../module/api-harness.spec.js';

/** As Elsa exports an instance that waits: ids of executions are random. */
const AT = '2026-11-21T21:38:20.7242484+00:00';
const context = (id: string, node: string, more: object = {}) => ({
  $id: `c${id}`,
  id,
  scheduledActivityNodeId: node,
  callStackDepth: 0,
  properties: {},
  metadata: {},
  activityState: {},
  dynamicVariables: { $id: `d${id}`, $values: [] },
  status: 'Running',
  isExecuting: false,
  faultCount: 0,
  startedAt: AT,
  ...more,
});
const record = (id: string, activityId: string, more: object = {}) => ({
  id,
  activityId,
  activityNodeId: `Workflow1:Seq:${activityId}`,
  activityType: 'Elsa.WriteLine',
  activityTypeVersion: 1,
  startedAt: AT,
  hasBookmarks: false,
  callStackDepth: 0,
  aggregateFaultCount: 0,
  status: 'Completed',
  ...more,
});
const entry = (sequence: number, activityInstanceId: string, eventName: string) => ({
  sequence,
  activityInstanceId,
  parentActivityInstanceId: '911dd986ad6c9ff',
  activityId: 'A',
  activityType: 'Elsa.WriteLine',
  activityTypeVersion: 1,
  activityNodeId: 'Workflow1:Seq:A',
  timestamp: AT,
  eventName,
});
const WAITING = '36930811473bbdaa';

describe('executions of an imported instance', () => {
  let versionId: string;
  const { call, deploy, execute } = useServer('fastify', async (api) => {
    versionId = (await deploySeen(api)).id as string;
  });

  const fileOf = (id: string) => ({
    WorkflowState: {
      $id: '1',
      id,
      definitionId: 'seen',
      definitionVersionId: versionId,
      definitionVersion: 1,
      status: 'Running',
      subStatus: 'Suspended',
      bookmarks: [
        {
          id: `b-${id}`,
          name: 'Elsa.Event',
          hash: 'h',
          activityId: 'E',
          activityNodeId: 'Workflow1:Seq:E',
          activityInstanceId: WAITING,
          createdAt: AT,
          autoBurn: true,
          autoComplete: true,
        },
      ],
      incidents: [],
      completionCallbacks: [
        { ownerInstanceId: '911dd986ad6c9ff', childNodeId: 'Workflow1:Seq:E', methodName: 'OnChildCompletedAsync' },
      ],
      activityExecutionContexts: [
        context(WAITING, 'Workflow1:Seq:E', { parentContextId: '911dd986ad6c9ff' }),
        context('911dd986ad6c9ff', 'Workflow1:Seq', { parentContextId: 'e20ae7498fe0ceb' }),
        context('e20ae7498fe0ceb', 'Workflow1'),
      ],
      createdAt: AT,
      updatedAt: AT,
    },
    ActivityExecutionRecords: [
      record('db4bbdb45e092c2d', 'A', { schedulingActivityExecutionId: '911dd986ad6c9ff' }),
      record('911dd986ad6c9ff', 'Seq'),
      record(WAITING, 'E', { status: 'Running' }),
    ],
    WorkflowExecutionLogRecords: [entry(1, 'db4bbdb45e092c2d', 'Started'), entry(2, 'db4bbdb45e092c2d', 'Completed')],
  });
  const importFile = async (file: object) => {
    const form = new FormData();
    form.append('files', new Blob([JSON.stringify(file)]), 'instance.json');
    return (await call('POST', '/bulk-actions/import/workflow-instances', form)).json;
  };
  const idsOf = async (id: string): Promise<string[]> =>
    (await call('GET', `/activity-execution-summaries/list?workflowInstanceId=${id}`)).json.items.map(
      (item: { id: string }) => item.id,
    );
  const exported = async (id: string) => {
    const flags = 'includeBookmarks=true&includeActivityExecutionLog=true&includeWorkflowExecutionLog=true';
    return JSON.parse((await call('GET', `/workflow-instances/${id}/export?${flags}`)).text) as object;
  };

  it('executions of an instance from Elsa are found by the ids that lists show', async () => {
    expect((await importFile(fileOf('fb0a537ee2d654de'))).imported).toBe(1);
    const ids = await idsOf('fb0a537ee2d654de');
    // In one millisecond, as in the file.
    expect(ids.map((name) => name.split('_')[1])).toEqual(['db4bbdb45e092c2d', '911dd986ad6c9ff', WAITING]);
    for (const id of ids) {
      expect((await call('GET', `/activity-executions/by-id?id=${id}`)).json).toMatchObject({ id });
      expect((await call('GET', `/activity-executions/${id}`)).json).toMatchObject({ id });
      expect((await call('GET', `/activity-executions/${id}/call-stack`)).status).toBe(200);
    }
    const journal = (await call('GET', '/workflow-instances/fb0a537ee2d654de/journal')).json.items;
    for (const { activityInstanceId } of journal) expect(ids).toContain(activityInstanceId);
  });

  it('executions of an instance have the same ids when its file is imported again, also from an export made here', async () => {
    await importFile(fileOf('aaaa'));
    const ids = await idsOf('aaaa');
    await importFile(fileOf('aaaa'));
    expect(await idsOf('aaaa')).toEqual(ids);
    const file = await exported('aaaa');
    await importFile(file);
    expect([await idsOf('aaaa'), await exported('aaaa')]).toEqual([ids, file]);
    expect((await call('POST', '/cancel/workflow-instances/aaaa', {})).status).toBe(200);
    expect((await call('GET', '/workflow-instances/aaaa')).json.subStatus).toBe('Cancelled');
  });

  it('an export of an instance that ran here is imported as it is', async () => {
    await deploy('own', { id: 'L', type: 'Elsa.WriteLine' });
    const { id } = await execute('own');
    const file = await exported(id);
    await importFile(file);
    expect(await exported(id)).toEqual(file);
  });
});
