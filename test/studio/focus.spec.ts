import type { Page } from 'playwright-core';
import { describeTourInBrowser } from './browser.js';
import { designerOf, flowchart, line } from './designer.js';
import { Studio } from './studio.js';

describeTourInBrowser('by the keyboard, Studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
    const save = (definitionId: string, publish: boolean) =>
      studio.host.call('POST', '/elsa/api/workflow-definitions', {
        model: { definitionId, name: definitionId, root: flowchart([line('A', 60)]) },
        publish,
      });
    await save('published', true);
    await save('drafted', false);
  });
  afterAll(() => studio?.stop());
  afterEach(async () => expect(await studio.leave()).toEqual([]));

  const { node, open, properties } = designerOf(() => studio);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const focused = (page: Page) =>
    page.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim().slice(0, 40)",
    );
  /** Opens and closes a dialog. @returns where the focus was in it, if it was there, and where it is after it */
  const visit = async (page: Page) => {
    await dialog(page).locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    return focused(page);
  };

  /** As people do: the menu takes the focus a moment after it has come, and what was pressed before that would go elsewhere. */
  const choose = async (page: Page, action: string) => {
    await page.locator('[role="menu"] :focus').waitFor({ state: 'attached' });
    const items = await page.getByRole('menuitem').count();
    for (let passed = 0; (await focused(page)) !== action && passed <= items; passed++)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };

  it('has the focus in a dialog that a menu opens, and at the button of the menu after it', async () => {
    const page = await studio.open('/workflows');
    for (const [name, action] of [
      ['published', 'Run'],
      // Its file is there already: it comes while the menu still has the focus, or nothing has it.
      ['published', 'Run'],
      ['published', 'Retract'],
      ['published', 'Rename'],
      ['published', 'Delete'],
      ['drafted', 'Publish'],
      ['drafted', 'Duplicate'],
    ] as const) {
      await button(page, `Actions for ${name}`).focus();
      await page.keyboard.press('Enter');
      await choose(page, action);
      expect([action, await visit(page)]).toEqual([action, `Actions for ${name}`]);
    }
  });

  it.each(['New workflow', 'Import', 'Go to …'])('comes back to "%s" from its dialog', async (name) => {
    const page = await studio.open('/workflows');
    await page.getByRole('button', { name }).first().focus();
    await page.keyboard.press('Enter');
    expect(await visit(page)).toContain(name);
  });

  it('leads from "Run" to what a run asks for, and back when it is closed', async () => {
    const page = await open('drafted');
    await node(page, 'A').waitFor();
    for (const key of ['Enter', ' ']) {
      await button(page, 'Run').focus();
      await page.keyboard.press(key);
      await page.locator('[data-run-dock] input:focus').waitFor();
      await page.getByRole('region', { name: 'Run the draft' }).getByRole('button', { name: 'Close the run' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Run the draft' }).waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('Run');
    }
  });

  it('shows which field has the focus by a line around it, also where the field has none', async () => {
    const page = await open('drafted');
    await node(page, 'A').click();
    const language = properties(page).getByRole('combobox', { name: 'Language of Text' });
    for (const field of [language, properties(page).getByRole('textbox', { name: 'Text', exact: true })]) {
      await field.focus();
      const { outlineStyle, outlineWidth } = await field.evaluate((shown) => {
        const style = getComputedStyle(shown);
        return { outlineStyle: style.outlineStyle, outlineWidth: style.outlineWidth };
      });
      expect([outlineStyle, outlineWidth]).toEqual(['solid', '2px']);
    }
    await studio.picture(page, 'focus-of-fields');
  });
});
