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

/** @param base with a slash at the end @param api path of the management API @param asksForLogin whether the API wants credentials @param alterationPage as in the options */
export function studioPage(base: string, api: string, asksForLogin: boolean, alterationPage = ''): string {
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
<meta name="waymark-alteration-page" content="${escaped(alterationPage)}">
${STYLES.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
<style>
body { margin: 0; font-family: Roboto, system-ui, sans-serif; }
/* Not those of components: the editor's path of nested containers was dark on dark. */
body > nav { display: flex; gap: 1rem; padding: 0.5rem 1rem; background: #0f172a; }
body > nav a { color: #fff; text-decoration: none; }
body > nav .leave { margin-left: auto; border: 0; background: none; color: #fff; font: inherit; cursor: pointer; }
/* MudBlazor shows every button. */
body > nav .leave[hidden] { display: none; }
body > nav :focus-visible { outline: 2px solid #fff; outline-offset: 2px; }
/* Over the component, dialogs and all, but not over the links. */
.login-cover { position: fixed; inset: 2.25rem 0 0; z-index: 2500; overflow: auto;
  background: rgb(255 255 255 / 92%); }
.login { display: grid; gap: 0.5rem; max-width: 20rem; margin: 4rem auto; }
/* MudBlazor takes the borders from fields and buttons: without these there are only words. */
.login input, .login button { padding: 0.5rem 0.75rem; border: 1px solid #64748b; border-radius: 4px; font: inherit; }
.login button { border-color: #0f172a; background: #0f172a; color: #fff; cursor: pointer; }
.notice { position: fixed; bottom: 1rem; left: 50%; transform: translateX(-50%); z-index: 3000; padding: 0.75rem 1rem; border-radius: 4px;
  background: #0f172a; color: #fff; }
.notice:empty { display: none; }
#blazor-error-ui { display: none; }
</style>
</head>
<body>
<nav><a href="#/definitions">Definitions</a><a href="#/instances">Instances</a><button class="leave" type="button" hidden>Log out</button></nav>
<main id="studio"></main>
<div class="notice" role="status"></div>
<div id="blazor-error-ui" role="alert"><span class="reason">An unhandled error has occurred.</span>
<a href="" class="reload">Reload</a> <a href="" class="dismiss">Dismiss</a></div>
${SCRIPTS.map((src) => `<script src="${src}"></script>`).join('\n')}
</body>
</html>
`;
}

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
