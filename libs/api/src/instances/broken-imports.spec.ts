import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, deploySeen, JSON_TYPE, useServer } from '../module/api-harness.spec.js';

/** Any file of an export. */
type File = Record<string, Record<string, unknown> & Record<string, unknown>[]>;

describe.each(pairsOf(ADAPTERS, 'express'))('a file that is not a whole instance, on %s', (adapter) => {
  const { call, execute } = useServer(adapter, deploySeen);

  const imported = (file: object) => {
    const form = new FormData();
    form.append('files', new Blob([JSON.stringify(file)], { type: JSON_TYPE['content-type'] }), 'instance.json');
    return call('POST', '/bulk-actions/import/workflow-instances', form);
  };

  it.each<[place: string, (file: File) => void]>([
    ['definitionVersionId', ({ WorkflowState: state }) => delete state!.definitionVersionId],
    ['subStatus', ({ WorkflowState: state }) => (state!.subStatus = 'Sleeping')],
    ['subStatus', ({ WorkflowState: state }) => (state!.subStatus = 'Finished')],
    ['subStatus', ({ WorkflowState: state }) => (state!.status = 'Finished')],
    ['finishedAt', ({ WorkflowState: state }) => (state!.finishedAt = state!.createdAt)],
    ['createdAt', ({ WorkflowState: state }) => (state!.createdAt = 'yesterday')],
    ['definitionVersion', ({ WorkflowState: state }) => (state!.definitionVersion = 2 ** 31)],
    ['correlationId', ({ WorkflowState: state }) => (state!.correlationId = 5)],
    ['bookmarks', ({ WorkflowState: state }) => (state!.bookmarks = { a: 1 })],
    ['bookmarks[0]', ({ WorkflowState: state }) => (state!.bookmarks = ['x'])],
    [
      'bookmarks[0].createdAt',
      ({ WorkflowState: state }) => (state!.bookmarks = [{ ...bookmarkOf(state!), createdAt: 1 }]),
    ],
    [
      'bookmarks[0].callbackMethodName',
      ({ WorkflowState: state }) =>
        (state!.bookmarks = [{ ...bookmarkOf(state!), callbackMethodName: 'onModuleDestroy' }]),
    ],
    [
      'completionCallbacks[0].methodName',
      ({ WorkflowState: state }) =>
        (state!.completionCallbacks = [{ ownerInstanceId: 'a', childNodeId: 'b', methodName: 'toString' }]),
    ],
    ['activityExecutionContexts[0]', ({ WorkflowState: state }) => (state!.activityExecutionContexts = [null])],
    ['workflowExecutionLogRecords[0].sequence', (file) => (file.WorkflowExecutionLogRecords![0]!.sequence = 'x')],
    ['activityExecutionRecords[0].startedAt', (file) => delete file.ActivityExecutionRecords![0]!.startedAt],
  ])('is refused, naming %s', async (place, breakIt) => {
    const { id } = await execute('seen');
    const all = 'includeBookmarks=true&includeActivityExecutionLog=true&includeWorkflowExecutionLog=true';
    const file = (await call('GET', `/workflow-instances/${id}/export?${all}`)).json;
    expect((await imported(file)).status).toBe(200);
    // Of plain JSON: notes on types would have dates made of whatever is there.
    delete file.WaymarkTypes;
    expect((await imported(file)).status).toBe(200);
    breakIt(file as File);
    const answer = await imported(file);
    expect([answer.status, answer.json.errors]).toEqual([
      400,
      { generalErrors: [expect.stringContaining(`"${place}" must be `)] },
    ]);
  });

  it('is completed by what follows from the rest: when it ended, and that its work was interrupted', async () => {
    const { id } = await execute('seen');
    const file = (await call('GET', `/workflow-instances/${id}/export`)).json as Record<
      string,
      Record<string, unknown>
    >;
    const { WorkflowState: state } = file;
    const ended = { ...state, id: 'ended', status: 'Finished', subStatus: 'Finished', bookmarks: [] };
    expect((await imported({ ...file, WorkflowState: ended })).status).toBe(200);
    expect((await call('GET', '/workflow-instances/ended')).json.finishedAt).toBe(state!.updatedAt);
    const scheduledActivities = [{ activityNodeId: 'Workflow1:Seq:A' }];
    const cut = { ...state, id: 'cut', bookmarks: [], scheduledActivities, isExecuting: false };
    expect((await imported({ ...file, WorkflowState: cut })).status).toBe(200);
    expect((await call('GET', '/workflow-instances/cut')).json.workflowState.isExecuting).toBe(true);
  });

  it('is refused where a value does not fit its noted type, rather than imported as if all were text', async () => {
    const { id } = await execute('seen');
    const file = (await call('GET', `/workflow-instances/${id}/export`)).json;
    const state = { ...file.WorkflowState, properties: { ...file.WorkflowState.properties, sum: 'AQ*D' } };
    const note = { 'state.properties.sum': [['custom', 'bytes']] };
    const types = { ...file.WaymarkTypes, values: { ...file.WaymarkTypes?.values, ...note }, v: 1 };
    const answer = await imported({ ...file, WorkflowState: state, WaymarkTypes: types });
    expect([answer.status, answer.json.errors]).toEqual([
      400,
      { generalErrors: [expect.stringContaining('do not fit the file: bytes in it are not base64')] },
    ]);
  });
});

describe.each(pairsOf(ADAPTERS, 'express'))('files of instances with the bookmarks of others, on %s', (adapter) => {
  const { call, execute } = useServer(adapter, deploySeen);

  type Instance = { WorkflowState: { id: string; bookmarks: { id: string }[] } };
  const exported = async (): Promise<Instance> => {
    const { id } = await execute('seen');
    return (await call('GET', `/workflow-instances/${id}/export`)).json as Instance;
  };
  const copyOf = (
    { WorkflowState: state, ...file }: Instance,
    id: string,
    bookmarkId = state.bookmarks[0]!.id,
  ): Instance => ({
    ...file,
    WorkflowState: { ...state, id, bookmarks: [{ ...state.bookmarks[0]!, id: bookmarkId }] },
  });
  const imported = async (...files: Instance[]) => {
    const form = new FormData();
    for (const [at, file] of files.entries())
      form.append('files', new Blob([JSON.stringify(file)], { type: JSON_TYPE['content-type'] }), `${at}.json`);
    const { status, json } = await call('POST', '/bulk-actions/import/workflow-instances', form);
    return [status, json.code];
  };
  const statusOf = async (id: string) => (await call('GET', `/workflow-instances/${id}`)).status;

  it('copies with the bookmarks of others are refused, and nothing of the import is stored', async () => {
    const file = await exported();
    const { bookmarks } = file.WorkflowState;
    const other = copyOf(file, 'other', 'of-its-own');
    expect(await imported(other, copyOf(file, 'taken'))).toEqual([409, 'WM3010']);
    expect([await statusOf('other'), await statusOf('taken')]).toEqual([404, 404]);
    expect(await imported(other, copyOf(file, 'same', 'of-its-own'))).toEqual([409, 'WM3010']);
    expect([await statusOf('other'), await statusOf('same')]).toEqual([404, 404]);
    const twice = { ...other, WorkflowState: { ...other.WorkflowState, bookmarks: [bookmarks[0]!, bookmarks[0]!] } };
    expect(await imported(twice)).toEqual([409, 'WM3010']);
    expect(await imported(other, other, file)).toEqual([200, undefined]);
    expect(await statusOf('other')).toBe(200);
  });
});

const bookmarkOf = (state: Record<string, unknown>): object => (state.bookmarks as object[])[0]!;
