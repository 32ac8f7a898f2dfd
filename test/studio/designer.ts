import type { Locator, Page } from 'playwright-core';
import type { Studio } from './studio.js';

export interface ActivityJson {
  readonly id: string;
  readonly name?: string;
  readonly type: string;
  readonly metadata?: {
    readonly designer?: { readonly position?: { readonly x: number; readonly y: number } };
    readonly notes?: readonly object[];
  };
  readonly activities?: readonly ActivityJson[];
  readonly connections?: readonly { source: { activity: string; port: string }; target: { activity: string } }[];
}

export interface DefinitionJson {
  readonly name?: string;
  readonly version: number;
  readonly isPublished: boolean;
  readonly inputs?: readonly { readonly name: string }[];
  readonly variables?: readonly { readonly name: string }[];
  readonly root: ActivityJson;
}

export const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
export const script = (typeName: string, value: string) => ({ typeName, expression: { type: 'JavaScript', value } });

export const at = (x: number, y = 100) => ({ metadata: { designer: { position: { x, y } } } });

export const line = (id: string, x: number, text = id): ActivityJson & object => ({
  id,
  name: id,
  type: 'Elsa.WriteLine',
  ...{ version: 1, text: literal('String', text) },
  ...at(x),
});

export const flowchart = (activities: readonly object[] = [], connections: readonly object[] = []) => ({
  id: 'Flow',
  type: 'Elsa.Flowchart',
  version: 1,
  activities,
  connections,
});

export const link = (source: string, target: string, port = 'Done') => ({
  source: { activity: source, port },
  target: { activity: target, port: 'In' },
});

/** The designer, as its stories need it. @param studio is there when the stories run */
export function designerOf(studio: () => Studio) {
  const canvas = (page: Page) => page.getByRole('application', { name: 'Canvas' });
  const stored = async (id: string) =>
    (await studio().host.call('GET', `/elsa/api/workflow-definitions/by-definition-id/${id}`)).json as DefinitionJson;
  return {
    canvas,
    stored,
    store: (definitionId: string, root: object, more: object = {}) =>
      studio().host.call('POST', '/elsa/api/workflow-definitions/import', {
        definitionId,
        name: definitionId,
        root,
        ...more,
      }),
    node: (page: Page, name: string) => canvas(page).locator('.react-flow__node').filter({ hasText: name }),
    properties: (page: Page) => page.getByRole('complementary', { name: 'Properties' }),
    saved: (page: Page) => page.getByRole('status').getByText('Draft saved').waitFor(),
    publish: async (page: Page) => {
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    },
    open: async (id: string) => {
      const page = await studio().open(`/workflows/${id}`);
      await canvas(page).waitFor();
      return page;
    },
    /**
     * Until the picture is where the designer opens it: it is drawn at the place that React Flow begins with, and what a story points at
     * there has gone a moment later. Not for a level without activities, which stays there.
     */
    opened: (page: Page) =>
      canvas(page).locator('.react-flow__viewport:not([style*="translate(0px, 0px) scale(1)"])').waitFor(),
    /** From the middle of one thing to the middle of another, as a hand does it: not before the first stands still, and can be seen. */
    drag: async (page: Page, from: Locator, to: Locator | { x: number; y: number }) => {
      const middle = async (thing: Locator) => {
        const { x, y, width, height } = (await thing.boundingBox())!;
        return { x: x + width / 2, y: y + height / 2 };
      };
      await from.hover();
      const [start, end] = [await middle(from), 'x' in to ? to : await middle(to)];
      await page.mouse.down();
      await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
      await page.mouse.move(end.x, end.y, { steps: 4 });
      await page.mouse.up();
    },
    /** Of the root flowchart, by the names of the activities. */
    ways: async (id: string) => {
      const { root } = await stored(id);
      const names = new Map(root.activities!.map((activity) => [activity.id, activity.name]));
      return (root.connections ?? [])
        .map(({ source, target }) => `${names.get(source.activity)} ${source.port} ${names.get(target.activity)}`)
        .sort();
    },
  };
}

/** An activity, as far as it has a place. */
type Placed = { metadata?: { designer?: { position?: object } }; originalActivityJson?: string };

function dropPlace(activity: Placed): Placed {
  delete activity.metadata?.designer?.position;
  if (Object.keys(activity.metadata?.designer ?? {}).length === 0) delete activity.metadata?.designer;
  if (Object.keys(activity.metadata ?? {}).length === 0) delete activity.metadata;
  return activity;
}

/** Of two with one id the first, which is the one that is moved. */
const found = (root: ActivityJson, id: string): ActivityJson =>
  root.id === id ? root : root.activities!.find((activity) => activity.id === id)!;

/** Where an activity stands. */
export const placeOf = (root: ActivityJson, id: string) => found(root, id).metadata?.designer?.position;

/** The same, in which the activity has no place, and no metadata where they were for the place alone. */
export function withoutPlace(definition: DefinitionJson, id: string): DefinitionJson {
  const copy = structuredClone(definition);
  const activity = found(copy.root, id) as Placed;
  dropPlace(activity);
  // What a placeholder stands for has its place in a text.
  if (activity.originalActivityJson !== undefined)
    activity.originalActivityJson = JSON.stringify(dropPlace(JSON.parse(activity.originalActivityJson) as Placed));
  return copy;
}

/** What a page saves meanwhile arrives when the work is done: its drawing is touched, so it does not follow what another person saves. */
export async function savingLater(page: Page, work: () => Promise<unknown>): Promise<void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/elsa/api/workflow-definitions', async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  await work();
  release();
}
