import { expect, it } from '@jest/globals';
import { describeInBrowser } from '../studio/browser.js';
import { hostWith } from './hosted-component.js';

/** In the place of Elsa Studio: components that are made as those of Blazor are, and disposed when the test says so. */
const COMPONENTS = `
globalThis.log = [];
globalThis.Blazor = { rootComponents: {
  async add(target, name) {
    log.push('add ' + name);
    target.append('This is ' + name + '. ');
    if (name.endsWith('-list')) target.append(document.createElement('elsa-part'));
    return { async dispose() { log.push('dispose ' + name); } };
  },
} };
// They are defined when WebAssembly has begun.
document.currentScript.addEventListener('load', () => setTimeout(() => {
  for (const name of ['elsa-part', 'elsa-workflow-definition-list', 'elsa-workflow-instance-list'])
    customElements.define(name, class extends HTMLElement {
      added = Promise.resolve().then(() => Blazor.rootComponents.add(this, name));
      disconnectedCallback() {
        if (name !== 'elsa-part') globalThis.disposeRemoved = async () => (await this.added).dispose();
      }
    });
}));
`;

describeInBrowser('components of Elsa Studio', () => {
  const { open } = hostWith(COMPONENTS);

  it('a component of Elsa Studio is made when the one before is disposed, however long that takes, and its parts at once', async () => {
    const page = await open();
    await page.getByText('This is elsa-part').waitFor();
    await page.getByRole('link', { name: 'Instances' }).click();
    await page.locator('elsa-workflow-instance-list').waitFor({ state: 'attached' });
    await page.evaluate('disposeRemoved()');
    await page.getByText('This is elsa-part').waitFor();
    expect(await page.evaluate('log')).toEqual([
      'add elsa-workflow-definition-list',
      'add elsa-part',
      'dispose elsa-workflow-definition-list',
      'add elsa-workflow-instance-list',
      'add elsa-part',
    ]);
  });
});
