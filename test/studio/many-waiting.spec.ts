import { describeTourInBrowser } from './browser.js';
import { at, flowchart, line, link, literal } from './designer.js';
import { Studio } from './studio.js';

const COUNT = 200;
const COLUMNS = 20;
const names = Array.from({ length: COUNT }, (_, index) => `Wait${index}`);
const waiting = (name: string, index: number) => {
  const { metadata } = at(300 + (index % COLUMNS) * 260, Math.floor(index / COLUMNS) * 120);
  return { id: name, name, type: 'Elsa.Event', version: 1, eventName: literal('String', name), metadata };
};

describeTourInBrowser('an instance that waits in two hundred places', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    const root = flowchart(
      [line('Start', 0), ...names.map(waiting)],
      names.map((name) => link('Start', name)),
    );
    const model = { definitionId: 'many-waiting', name: 'Many', root };
    await studio.host.call('POST', '/elsa/api/workflow-definitions', { model, publish: true });
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  it('shows them as a picture in which none covers another', async () => {
    const started = await studio.host.call('POST', '/elsa/api/workflow-definitions/many-waiting/execute', {});
    const { id } = (started.json as { workflowState: { id: string } }).workflowState;
    const page = await studio.open(`/instances/${id}`);
    const places = page.locator('.react-flow__node');
    await places.nth(COUNT).waitFor();
    await studio.settled(page);
    // From afar, each place is a block (ADR 130): none reaches the next one in its row, or the one below.
    const [first, next, below] = await Promise.all(
      [names[0]!, names[1]!, names[COLUMNS]!].map((name) =>
        page.getByRole('group', { name: `${name}, Event, Waiting` }).boundingBox(),
      ),
    );
    expect(first!.height).toBeLessThan(below!.y - first!.y);
    expect(first!.width).toBeLessThan(next!.x - first!.x);
    await studio.picture(page, 'many-waiting');
    expect(await studio.axe(page)).toEqual([]);
  });
});
