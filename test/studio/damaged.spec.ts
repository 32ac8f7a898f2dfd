import { createWaymarkDataSource } from '@waymark/typeorm';
import { describeTourInBrowser } from './browser.js';
import { flowchart, literal } from './designer.js';
import { Studio } from './studio.js';

const PAUSE = { id: 'Pause', type: 'Elsa.Delay', timeSpan: literal('TimeSpan', '2.00:00:00') };
const NIGHTLY = {
  id: 'EveryNight',
  type: 'Elsa.Cron',
  cronExpression: literal('String', '0 30 3 * * *'),
  customProperties: { canStartWorkflow: true },
};

async function damage(file: string, table: string, set: string, where: string): Promise<void> {
  const dataSource = await createWaymarkDataSource(`sqlite:${file}`).initialize();
  try {
    await dataSource.query(`UPDATE waymark_${table} SET ${set.replace('?', `'{"json":{"a":'`)} WHERE ${where}`);
  } finally {
    await dataSource.destroy();
  }
}

describeTourInBrowser('damaged rows in Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    for (const [definitionId, name, root] of [
      ['pause', 'Two days', flowchart([PAUSE])],
      ['nightly', 'Nightly report', NIGHTLY],
      ['other', 'Other report', NIGHTLY],
    ])
      await studio.host.call('POST', '/elsa/api/workflow-definitions', {
        model: { definitionId, name, root },
        publish: true,
      });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const start = async (correlationId: string): Promise<string> => {
    const { json } = await studio.host.call('POST', '/elsa/api/workflow-definitions/pause/execute', { correlationId });
    return json.workflowState.id;
  };

  it('an instance says what of it is damaged, can be deleted, and leads back to the list', async () => {
    const id = await start('damaged-order');
    await damage(studio.host.databaseFile, 'instances', 'state = ?, revision = revision + 1', `id = '${id}'`);
    const page = await studio.open(`/instances/${id}`);
    const alert = page.getByRole('alert');
    await alert.getByText('What is stored here is damaged.').waitFor();
    await alert.getByText(`column "state" of the row with the id "${id}"`).waitFor();
    await alert.getByRole('link', { name: 'Back to the instances' }).waitFor();
    expect(await studio.axeInBothColours(page, 'instance-damaged')).toEqual([]);
    await alert.getByRole('button', { name: 'Delete instance' }).click();
    await studio.picture(page, 'instance-damaged-delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Instances', level: 1 }).waitFor();
    await page.getByText('damaged-order').waitFor({ state: 'detached' });
    expect((await studio.host.call('GET', `/elsa/api/workflow-instances/${id}`)).status).toBe(404);
  });

  it('a schedule and a waiting instance are marked among the others', async () => {
    const file = studio.host.databaseFile;
    const id = await start('waiting-order');
    await damage(file, 'triggers', 'data = ?', `workflow_definition_id = 'nightly'`);
    await damage(file, 'bookmarks', 'data = ?', `workflow_instance_id = '${id}'`);
    const page = await studio.open('/schedules');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Other report').getByText('At 03:30').first().waitFor();
    await row('Nightly report').getByText('Damaged').click();
    await row('Nightly report').getByText('column "data" of the row').waitFor();
    expect(await studio.axeInBothColours(page, 'schedules-damaged')).toEqual([]);
    await page.getByText('Waiting for a time', { exact: true }).click();
    await row('waiting-order').getByRole('link', { name: 'Two days' }).waitFor();
    await row('waiting-order').getByText('Damaged').click();
    await row('waiting-order').getByText('column "data" of the row').waitFor();
    expect(await studio.axeInBothColours(page, 'waiting-damaged')).toEqual([]);
  });

  it('a workflow that cannot be retracted is named, and the others are retracted', async () => {
    const page = await studio.open('/workflows?q=report');
    await page.getByRole('row').filter({ hasText: 'Nightly report' }).getByText('Published').waitFor();
    for (const name of ['Nightly report', 'Other report'])
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
    await damage(studio.host.databaseFile, 'definitions', 'data = ?', `definition_id = 'nightly'`);
    await page.getByRole('toolbar').getByRole('button', { name: 'Retract' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retract' }).click();
    await page.getByRole('dialog').getByText('What is stored here is damaged.').waitFor();
    await page.getByRole('dialog').getByText('Nightly report was not retracted: ').waitFor();
    await page.getByRole('dialog').getByText('column "data" of a definition').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    const other = await studio.host.call('GET', '/elsa/api/workflow-definitions/by-definition-id/other');
    expect(other.json.isPublished).toBe(false);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Nightly report').getByText('Damaged').click();
    await row('Nightly report').getByText('column "data" of a definition').waitFor();
    await row('Other report').getByText('Draft').waitFor();
    expect(await studio.axeInBothColours(page, 'workflows-damaged')).toEqual([]);
  });
});
