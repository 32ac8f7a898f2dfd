import { describeTourInBrowser } from './browser.js';
import { Studio } from './studio.js';

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const place = (x: number, y: number) => ({ metadata: { designer: { position: { x, y } } } });
const flow = (text: string) => ({
  id: 'Flow',
  type: 'Elsa.Flowchart',
  metadata: { notes: [{ id: 'n1', text: 'Ask Mia before you change this.', position: { x: 0, y: 180 } }] },
  activities: [
    { id: 'Begin', type: 'Elsa.WriteLine', text: literal('String', text), ...place(0, 0) },
    { id: 'Approval', type: 'Elsa.Event', eventName: literal('String', 'approved'), ...place(300, 0) },
    { id: 'Nightly', type: 'Elsa.Cron', cronExpression: literal('String', '0 0 3 * * *'), ...place(300, 180) },
  ],
  connections: [{ source: { activity: 'Begin', port: 'Done' }, target: { activity: 'Approval', port: 'In' } }],
});

const KEPT = { storageDriverTypeName: 'WorkflowInstanceStorageDriver' };

/** Pages that hold something; empty ones, and those of the other rooms, are looked at by other stories. */
describeTourInBrowser('pages with contents, in both colours', () => {
  let studio: Studio;
  const instances = { waiting: '', faulted: '' };
  beforeAll(async () => {
    studio = await Studio.start();
    const variables = [{ id: 'v', name: 'Amount', typeName: 'Int32', value: '7', ...KEPT }];
    const deploy = (definitionId: string, root: object) =>
      studio.host.call('POST', '/elsa/api/workflow-definitions', {
        model: { definitionId, name: definitionId, root, variables },
        publish: true,
      });
    const start = async (definitionId: string): Promise<string> =>
      (
        await studio.host.call('POST', `/elsa/api/workflow-definitions/${definitionId}/execute`, {
          correlationId: 'customer-1',
        })
      ).json.workflowState.id;
    await deploy('approval', flow('begins'));
    await deploy('approval', flow('goes on'));
    const script = { typeName: 'String', expression: { type: 'JavaScript', value: "missing('x')" } };
    await deploy('failing', { id: 'Divide', type: 'Elsa.RunJavaScript', script });
    Object.assign(instances, { waiting: await start('approval'), faulted: await start('failing') });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  it('break no rule of WCAG, in light and in dark colours', async () => {
    const { waiting, faulted } = instances;
    const page = await studio.open('/', { colorScheme: 'light' });
    const look = async (name: string) => {
      await studio.settled(page);
      expect(await studio.axeInBothColours(page, name)).toEqual([]);
    };
    const go = (address: string) => page.goto(`${studio.host.url}/studio${address}`);
    for (const [name, address, ready] of [
      ['versions', '/workflows/approval/versions', 'Published'],
      ['compare', '/workflows/approval/compare', 'Begin'],
      ['instance-overview', `/instances/${waiting}`, 'Correlation id'],
      ['instance-variables', `/instances/${waiting}?tab=variables`, 'Amount'],
      ['instance-bookmarks', `/instances/${waiting}?tab=waiting`, 'Resume from here'],
      ['instance-family', `/instances/${waiting}?tab=family`, 'It was not started by another instance.'],
      ['instance-step', `/instances/${waiting}?step=3`, /^Step 3 of/],
      ['instance-failed', `/instances/${faulted}`, 'An activity failed'],
      ['instances-all', '/instances', 'failing v1'],
      ['home-all', '/', 'Failures by workflow'],
      ['standing', '/workflows/approval/standing', 'Write Line'],
      ['audit', '/audit', 'definitions.save'],
      ['settings', '/settings', 'answers this page'],
    ] as const) {
      await go(address);
      await page.getByText(ready).first().waitFor();
      await look(name);
    }
    await go('/workflows/approval');
    const node = (name: string) => page.locator('.react-flow__node').filter({ hasText: name });
    const properties = page.getByRole('complementary', { name: 'Properties' });
    await node('Begin').waitFor();
    await look('designer-workflow');
    await node('Nightly').click();
    await properties.getByText('At 03:00', { exact: true }).waitFor();
    await look('designer-inputs');
    for (const tab of ['Connections', 'Common']) {
      await properties.getByRole('tab', { name: tab }).click();
      await look(`designer-${tab.toLowerCase()}`);
    }
    await node('Ask Mia').click();
    await properties.getByRole('heading', { name: 'Note' }).waitFor();
    await look('designer-noted');
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    await page.getByText('Keyboard shortcuts').waitFor();
    await look('designer-help');
  });
});
