import { describeTourInBrowser } from './browser.js';
import { at, designerOf, flowchart, line, link, literal } from './designer.js';
import { Studio } from './studio.js';

/** Imported from a server that has more activities. */
const BEAM = {
  id: 'B',
  name: 'BeamUp',
  type: 'Acme.TeleportCrew',
  version: 1,
  destination: literal('String', 'Mars'),
  speed: 3,
  metadata: { displayText: 'Beam the crew up', ...at(400).metadata },
};

describeTourInBrowser('an activity in Studio whose type the server does not have', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { canvas, node, open, properties, saved, store, stored } = designerOf(() => studio);
  const ways = [link('A', 'B'), link('B', 'C', 'Landed'), link('B', 'D', 'Lost')];

  it('keeps its name, its connections and its values, also when the workflow is changed', async () => {
    await store(
      'beamed',
      flowchart([line('A', 60), BEAM, line('C', 740), { ...line('D', 740), ...at(740, 300) }], ways),
    );
    const page = await open('beamed');
    await node(page, 'Beam the crew up').getByText('Teleport Crew').waitFor();
    expect(
      await node(page, 'Beam the crew up')
        .getByText(/^(Landed|Lost)$/)
        .allTextContents(),
    ).toEqual(['Landed', 'Lost']);
    expect(await canvas(page).locator('.react-flow__edge').count()).toBe(3);
    await node(page, 'Beam the crew up').click();
    await properties(page).getByText('The server has no activities of the type Acme.TeleportCrew.').waitFor();
    await properties(page).getByText('"Mars"').waitFor();
    await studio.picture(page, 'unknown-type');
    expect(await studio.axe(page)).toEqual([]);
    await properties(page).getByRole('tab', { name: 'Common' }).click();
    await properties(page).getByLabel('Display text').fill('Beam them all up');
    await saved(page);
    const { root } = await stored('beamed');
    const placeholder = root.activities!.find(({ id }) => id === 'B')! as {
      type: string;
      originalActivityJson?: string;
    };
    expect(placeholder.type).toBe('Elsa.NotFoundActivity');
    expect(JSON.parse(placeholder.originalActivityJson!)).toEqual({
      ...BEAM,
      metadata: { ...BEAM.metadata, displayText: 'Beam them all up' },
    });
    expect((root as { customProperties?: object }).customProperties).toMatchObject({
      notFoundConnections: [link('B', 'C', 'Landed'), link('B', 'D', 'Lost')],
    });
  });

  it('has its name in the picture of an instance that failed at it', async () => {
    await store('failed', flowchart([line('A', 60), BEAM, line('C', 740)], ways.slice(0, 2)), { publish: true });
    await studio.host.call('POST', '/elsa/api/workflow-definitions/failed/publish', {});
    const { json } = await studio.host.call('POST', '/elsa/api/workflow-definitions/failed/execute', {});
    const page = await studio.open(`/instances/${json.workflowState.id}`);
    const picture = page.getByRole('group', { name: 'Picture of the workflow' });
    await picture.locator('.react-flow__node').filter({ hasText: 'Beam the crew up' }).getByText('Faulted').waitFor();
    expect(await picture.locator('.react-flow__edge').count()).toBe(2);
    // As in the picture: among the failures, in the journal, and in what is said of it.
    const journal = page.getByRole('region', { name: 'Journal' });
    await journal.getByText('Beam the crew up').first().waitFor();
    await page
      .getByRole('region', { name: 'An activity failed' })
      .getByRole('button', { name: 'Beam the crew up', exact: true })
      .click();
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByRole('heading', { name: 'Beam the crew up' })
      .waitFor();
    await studio.picture(page, 'unknown-type-instance');
  });
});
