const STYLES = [
  '_content/MudBlazor/MudBlazor.min.css',
  '_content/CodeBeam.MudBlazor.Extensions/MudExtensions.min.css',
  '_content/Radzen.Blazor/css/material-base.css',
  '_content/Elsa.Studio.Shell/css/shell.css',
  'Elsa.Studio.Host.CustomElements.styles.css',
];
const SCRIPTS = [
  '_content/BlazorMonaco/jsInterop.js',
  '_content/BlazorMonaco/lib/monaco-editor/min/vs/loader.js',
  '_content/BlazorMonaco/lib/monaco-editor/min/vs/editor/editor.main.js',
  '_content/MudBlazor/MudBlazor.min.js',
  '_content/CodeBeam.MudBlazor.Extensions/MudExtensions.min.js',
  '_content/Radzen.Blazor/Radzen.Blazor.js',
  'waymark-studio.js',
];

/**
 * Hashes of inline scripts that components of Elsa Studio 3.8 put into the page: keyboard shortcuts of the list of instances and
 * of the editor. In versions with other scripts, these shortcuts do not work.
 */
const INLINE_SCRIPTS = [
  "'sha256-vu6sQrKXQHR4Yn3FMMihA/9TxxfIXnCxKwvLrTPJ5ts='",
  "'sha256-snlP1jz0gjwc5cTz9ErZcliXuCK63+Mmf68RRCeptgc='",
];

/** Allows WebAssembly, and the inline styles and workers of Monaco and MudBlazor; nothing from other origins. */
export const STUDIO_POLICY = [
  "default-src 'self'",
  `script-src 'self' 'wasm-unsafe-eval' 'unsafe-eval' ${INLINE_SCRIPTS.join(' ')}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');

/** @param base with a slash at the end @param api path of the management API @param asksForLogin whether the API wants credentials */
export function studioPage(base: string, api: string, asksForLogin: boolean): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Elsa Studio</title>
<base href="${escaped(base)}">
<link rel="icon" href="data:,">
<meta name="waymark-api" content="${escaped(api)}">
<meta name="waymark-login" content="${asksForLogin}">
${STYLES.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
<style>
body { margin: 0; font-family: Roboto, system-ui, sans-serif; }
nav { display: flex; gap: 1rem; padding: 0.5rem 1rem; background: #0f172a; }
nav a { color: #fff; text-decoration: none; }
.login { display: grid; gap: 0.5rem; max-width: 20rem; margin: 4rem auto; }
/* MudBlazor takes the borders from fields and buttons: without these there are only words. */
.login input, .login button { padding: 0.5rem 0.75rem; border: 1px solid #64748b; border-radius: 4px; font: inherit; }
.login button { border-color: #0f172a; background: #0f172a; color: #fff; cursor: pointer; }
#blazor-error-ui { display: none; }
</style>
</head>
<body>
<nav><a href="#/definitions">Definitions</a><a href="#/instances">Instances</a></nav>
<main id="studio"></main>
<div id="blazor-error-ui">An unhandled error has occurred. <a href="" class="reload">Reload</a></div>
${SCRIPTS.map((src) => `<script src="${src}"></script>`).join('\n')}
</body>
</html>
`;
}

/** Shows the component that the fragment of the URL names, and a login form if the API requires one. */
export const STUDIO_SCRIPT = `(() => {
  const api = new URL(document.querySelector('meta[name=waymark-api]').content, location.href).href;
  const main = document.getElementById('studio');
  let token = sessionStorage.getItem('waymark-studio-token') ?? '';
  let refresh = sessionStorage.getItem('waymark-studio-refresh') ?? '';
  const keep = (login) => {
    token = login.accessToken ?? '';
    refresh = login.refreshToken ?? '';
    sessionStorage.setItem('waymark-studio-token', token);
    sessionStorage.setItem('waymark-studio-refresh', refresh);
  };
  const go = (hash) => { location.hash = hash; };

  // Components navigate by the addresses that Elsa Studio has as an application, such as the one of an instance after Run.
  const home = new URL(document.baseURI).pathname;
  // Links to a fragment are below it: from the address without the slash, the first click would load everything again.
  if (location.pathname + '/' === home) history.replaceState(null, '', home + location.search + location.hash);
  const routeOf = (url) => {
    const route = new URL(url, document.baseURI).pathname.slice(home.length);
    if (route === '') return undefined;
    const [, room, id] = /^workflows\\/(definitions|instances)(?:\\/([^/]+)\\/\\w+)?$/.exec(route) ?? [];
    return room === undefined ? '' : '/' + room + (id === undefined ? '' : '/' + id);
  };
  for (const name of ['pushState', 'replaceState']) {
    const own = history[name].bind(history);
    history[name] = (state, title, url) => {
      const route = url === undefined || url === null ? undefined : routeOf(url);
      if (route) go(route);
      // An address without a component: the page stays as it is.
      else if (route === undefined) own(state, title, url && !String(url).includes('#') ? url + location.hash : url);
    };
  }

  // Components know the token that they were made with, and nothing of the next: without this, each request fails after an hour.
  const endLogin = () => {
    keep({});
    ask('Your login has ended.');
  };
  const ownFetch = window.fetch.bind(window);
  let renewing;
  const renew = async () => {
    if (!refresh) return false;
    const answer = await ownFetch(api + '/identity/refresh-token', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + refresh, 'content-type': 'application/json' },
      body: '{}',
    });
    // A server in trouble says nothing about the login.
    if (answer.status >= 500 || answer.status === 429) throw new Error('The server answered ' + answer.status + '.');
    const login = answer.ok ? await answer.json() : {};
    if (login.accessToken) keep(login);
    return Boolean(login.accessToken);
  };
  window.fetch = async (resource, options) => {
    const url = resource instanceof Request ? undefined : new URL(resource, document.baseURI).href;
    if (!token || !url?.startsWith(api + '/') || url.startsWith(api + '/identity/')) return ownFetch(resource, options);
    const send = () => {
      const headers = new Headers(options?.headers);
      headers.set('authorization', 'Bearer ' + token);
      return ownFetch(resource, { ...options, headers });
    };
    const used = token;
    const answer = await send();
    if (answer.status !== 401 || token === '') return answer;
    if (token !== used) return send();
    try {
      renewing ??= renew().finally(() => { renewing = undefined; });
      if (await renewing) return send();
    } catch {
      return answer;
    }
    if (token === used) endLogin();
    return answer;
  };

  const element = () => {
    const [, room = 'definitions', id] = location.hash.replace(/^#/, '').split('/').map(decodeURIComponent);
    const edit = (definitionId) => go('/definitions/' + encodeURIComponent(definitionId));
    const view = (instanceId) => go('/instances/' + encodeURIComponent(instanceId));
    const named = { definitions: ['elsa-workflow-definition-list', 'elsa-workflow-definition-editor', 'definition-id'],
      instances: ['elsa-workflow-instance-list', 'elsa-workflow-instance-viewer', 'instance-id'] };
    const [list, one, attribute] = named[room] ?? named.definitions;
    const made = document.createElement(id ? one : list);
    made.setAttribute('remote-endpoint', api);
    if (token) made.setAttribute('access-token', token);
    if (id) made.setAttribute(attribute, id);
    made.editWorkflowDefinition = edit;
    made.viewWorkflowInstance = view;
    made.workflowDefinitionExecuted = view;
    return made;
  };
  // A removed component is disposed a second later; until then its singletons would exist twice.
  let coming;
  let freeAt = 0;
  const show = () => {
    // Without a login, a component could show errors only.
    if (main.querySelector('form.login')) return;
    clearTimeout(coming);
    if (main.childElementCount > 0) freeAt = Date.now() + 1200;
    main.replaceChildren();
    coming = setTimeout(() => main.replaceChildren(element()), Math.max(0, freeAt - Date.now()));
  };
  // A stub for the inline script of the editor: if the policy blocks it, the shortcuts do nothing, and the rest works.
  window.editorHotkeys = { register() {}, dispose() {} };

  let isLoaded = false;
  const start = () => {
    main.replaceChildren();
    // After another login: all of it is there.
    if (isLoaded) return show();
    isLoaded = true;
    const blazor = document.createElement('script');
    blazor.src = '_framework/blazor.webassembly.js';
    document.body.append(blazor);
    // An element that is created before it is defined loses the callbacks that were set on it.
    const { localName } = element();
    customElements.whenDefined(localName).then(() => {
      show();
      addEventListener('hashchange', show);
    });
  };

  const ask = (text, user = '') => {
    clearTimeout(coming);
    const form = Object.assign(document.createElement('form'), { className: 'login' });
    const field = (name, type, autocomplete) => {
      const input = Object.assign(document.createElement('input'), { name, type, autocomplete, required: true, placeholder: name });
      form.append(input);
      return input;
    };
    form.append(Object.assign(document.createElement('p'), { textContent: text }));
    const username = field('username', 'text', 'username');
    username.value = user;
    const password = field('password', 'password', 'current-password');
    form.append(Object.assign(document.createElement('button'), { textContent: 'Log in' }));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const answer = await fetch(api + '/identity/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: username.value, password: password.value }),
      });
      const login = answer.ok ? await answer.json() : {};
      if (!login.accessToken) {
        return ask(answer.ok ? 'Wrong user or password.' : 'The server answered ' + answer.status + '.', username.value);
      }
      keep(login);
      start();
    });
    main.replaceChildren(form);
    (user ? password : username).focus();
  };

  if (!token && document.querySelector('meta[name=waymark-login]').content === 'true') return ask('Elsa Studio');
  fetch(api + '/features/installed').then(
    ({ status }) => {
      if (status !== 401) start();
      // The login that has ended is asked for by now.
      else if (!main.querySelector('form')) ask('Elsa Studio');
    },
    () => ask('The server cannot be reached.'),
  );
})();
`;

/** Shown until the package is installed. */
export const MISSING_PAGE = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Elsa Studio is not installed</title></head>
<body>
<h1>Elsa Studio is not installed</h1>
<p>It is a package of its own, which is not downloaded unless you ask for it. Install it beside this server, then restart:</p>
<pre>npm install @elsa-workflows/elsa-studio-wasm</pre>
</body>
</html>
`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
