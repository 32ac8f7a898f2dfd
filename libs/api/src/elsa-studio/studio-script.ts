import { STUDIO_HUB } from './studio-hub.js';
import { STUDIO_LOGIN } from './studio-login.js';

/** Shows the component that the fragment of the URL names, and a login form if the API requires one. */
export const STUDIO_SCRIPT = `(() => {
  const api = new URL(document.querySelector('meta[name=waymark-api]').content, location.href).href;
  const main = document.getElementById('studio');
${STUDIO_LOGIN}${STUDIO_HUB}
  const push = history.pushState.bind(history);
  // The fragment of the component that is there.
  let shown;
  // The query is of the page that is left, such as what its list was searched for; it comes again when a person goes back. Components
  // read the address from WebAssembly, which is notified of it by this event.
  const go = (hash) => {
    if (location.search + location.hash === hash) return;
    push(null, '', home + hash);
    shown = undefined;
    // Not now: WebAssembly may be in the middle of a navigation of its own.
    setTimeout(() => dispatchEvent(new PopStateEvent('popstate', { state: null })));
  };

  // Components navigate by the addresses that Elsa Studio has as an application, such as the one of an instance after Run.
  const home = new URL(document.baseURI).pathname;
  // Links to a fragment are below it: from the address without the slash, the first click would load everything again.
  if (location.pathname + '/' === home) history.replaceState(null, '', home + location.search + location.hash);
  const routeOf = (url) => {
    const { pathname } = new URL(url, document.baseURI);
    if (pathname === home) return undefined;
    // Links of some components begin at the root of the server.
    const route = pathname.startsWith(home) ? pathname.slice(home.length) : pathname.slice(1);
    const [, room, id] = /^workflows\\/(definitions|instances)(?:\\/([^/]+)\\/\\w+)?$/.exec(route) ?? [];
    return room === undefined ? '' : '/' + room + (id === undefined ? '' : '/' + id);
  };
  // Instances are altered on a page that the package does not have.
  const alterationPage = document.querySelector('meta[name=waymark-alteration-page]').content;
  const pageOf = (url) => {
    const id = /\\/alterations\\/instances\\/([^/]+)$/.exec(new URL(url, document.baseURI).pathname)?.[1];
    return id && alterationPage && alterationPage.replace('{id}', () => id);
  };
  // Without it, a click on something that is not here would do nothing at all.
  const sayMissing = () => {
    const notice = document.querySelector('.notice');
    notice.textContent = 'This part of Elsa Studio is not available here.';
    setTimeout(() => { notice.textContent = ''; }, 6000);
  };
  for (const name of ['pushState', 'replaceState']) {
    const own = history[name].bind(history);
    history[name] = (state, title, url) => {
      const route = url === undefined || url === null ? undefined : routeOf(url);
      if (route) go('#' + route);
      else if (route === '' && pageOf(url)) location.assign(pageOf(url));
      else if (route === '') sayMissing();
      // An address without a component: the page stays as it is.
      else if (route === undefined) own(state, title, url && !String(url).includes('#') ? url + location.hash : url);
    };
  }

  // The same of links, which would leave the page. Those to parts of Elsa Studio that are not here are not shown; those to anything
  // else on this server stay as they are, in their rows.
  const PARTS = /^(?:ai|alterations|dashboard|diagnostics|labels|login|security)(?:\\/|$)/;
  const isPart = (url) => {
    const { pathname } = new URL(url, document.baseURI);
    return PARTS.test(pathname.startsWith(home) ? pathname.slice(home.length) : pathname.slice(1));
  };
  const adapt = (link) => {
    const href = link.getAttribute('href') ?? '';
    if (!URL.canParse(href, document.baseURI)) return;
    const { protocol, origin } = new URL(href, document.baseURI);
    if (href === '' || href === link.dataset.page || href.startsWith('#') || !protocol.startsWith('http') || origin !== location.origin) return;
    const route = routeOf(href);
    if (route) link.setAttribute('href', '#' + route);
    else if (pageOf(href)) {
      link.dataset.page = pageOf(href);
      link.setAttribute('href', pageOf(href));
    }
    else if (route === '' && isPart(href) && !link.hasAttribute('download')) (link.closest('tr') ?? link).style.display = 'none';
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (target.localName === 'a') adapt(target);
      for (const node of addedNodes) {
        if (node.localName === 'a') adapt(node);
        for (const link of node.querySelectorAll?.('a[href]') ?? []) adapt(link);
      }
    }
  }).observe(main, { subtree: true, childList: true, attributes: true, attributeFilter: ['href'] });
  // Before the components' own listener, for which a fragment is a place in the page.
  document.addEventListener('click', (event) => {
    const href = event.target.closest?.('a')?.getAttribute('href');
    if (!href?.startsWith('#/') || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    go(href);
  }, true);

  const COMPONENTS = {
    definitions: ['elsa-workflow-definition-list', 'elsa-workflow-definition-editor', 'definition-id'],
    instances: ['elsa-workflow-instance-list', 'elsa-workflow-instance-viewer', 'instance-id'],
  };
  const element = () => {
    const [, room = 'definitions', id] = location.hash.replace(/^#/, '').split('/').map(decodeURIComponent);
    const edit = (definitionId) => go('#/definitions/' + encodeURIComponent(definitionId));
    const view = (instanceId) => go('#/instances/' + encodeURIComponent(instanceId));
    const [list, one, attribute] = COMPONENTS[room] ?? COMPONENTS.definitions;
    const made = document.createElement(id ? one : list);
    made.setAttribute('remote-endpoint', api);
    if (token) made.setAttribute('access-token', token);
    if (id) made.setAttribute(attribute, id);
    made.editWorkflowDefinition = edit;
    made.viewWorkflowInstance = view;
    made.workflowDefinitionExecuted = view;
    return made;
  };
  // Behind the form, the component stays.
  const show = () => {
    if (asking) return asking.then(() => { if (location.hash !== shown) show(); });
    shown = location.hash;
    main.replaceChildren(element());
  };
  // A removed component is disposed a second later, on a busy machine much later. Until then its singletons would exist twice, which
  // ends the next one with an error: it has to wait, however long that takes. What is inside of one, such as the nodes of a canvas, does
  // not: it is made by the same function.
  const oneAtATime = (rootComponents) => {
    const pages = Object.values(COMPONENTS).flatMap(([list, one]) => [list, one]);
    const add = rootComponents.add.bind(rootComponents);
    let before;
    rootComponents.add = async (target, name, ...more) => {
      if (!pages.includes(name)) return add(target, name, ...more);
      const left = before;
      let leave;
      before = new Promise((resolve) => { leave = resolve; });
      await left;
      try {
        const component = await add(target, name, ...more);
        const dispose = component.dispose.bind(component);
        component.dispose = () => dispose().finally(leave);
        return component;
      } catch (error) {
        leave();
        throw error;
      }
    };
  };
  // A stub for the inline script of the editor: if the policy blocks it, the shortcuts do nothing, and the rest works.
  window.editorHotkeys = { register() {}, dispose() {} };

  const start = () => {
    const blazor = document.createElement('script');
    blazor.src = '_framework/blazor.webassembly.js';
    blazor.addEventListener('load', () => {
      if (window.Blazor?.rootComponents) oneAtATime(window.Blazor.rootComponents);
    });
    document.body.append(blazor);
    // An element that is created before it is defined loses the callbacks that were set on it.
    const { localName } = element();
    customElements.whenDefined(localName).then(() => {
      show();
      // Not 'hashchange', which says nothing where the query changes as well.
      addEventListener('popstate', () => { if (location.hash !== shown) show(); });
    });
  };
  const begin = async () => {
    if (!token && document.querySelector('meta[name=waymark-login]').content === 'true') await ask('Elsa Studio');
    const { status } = await fetch(api + '/features/installed').catch(() => ({}));
    if (status === undefined) await ask('The server cannot be reached.');
    else if (status === 401) await ask('Elsa Studio');
    start();
  };
  begin();
})();
`;
