import { createHash } from 'node:crypto';
import { Html, markup } from './html.js';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; } h2 { border-bottom: 1px solid var(--line); margin-top: 2.5rem; }
h4 { font-size: 1rem; margin: .75rem 0 .25rem; }
details { border: 1px solid var(--line); border-radius: 4px; margin: .35rem 0; padding: .35rem .75rem; }
details[open] > summary { margin-bottom: .5rem; }
summary { cursor: pointer; }
summary code:first-child { border-radius: 3px; color: #fff; display: inline-block; font-weight: bold; min-width: 4.5rem; padding: 0 .4rem; text-align: center; }
.get { background: #1a5fb4; } .post { background: #1e6b3a; } .put, .patch { background: #8a4b08; } .delete { background: #a51d2d; }
.head, .options, .trace { background: #5e5c64; }
pre { background: var(--soft); border-radius: 4px; margin: .25rem 0; overflow-x: auto; padding: .5rem .75rem; white-space: pre-wrap; }
pre i, td i { color: light-dark(#5e5c64, #b0aeb8); }
table { border-collapse: collapse; } th, td { border-top: 1px solid var(--line); padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; }
th { white-space: nowrap; }
dt { font-weight: bold; } dd { margin: 0 0 .5rem 1.5rem; } dd p { margin: .25rem 0; }
label { display: block; margin: .5rem 0; } input { display: block; font: inherit; padding: .25rem; width: 20rem; max-width: 100%; }
button { font: inherit; padding: .25rem 1rem; }
[role=alert] { color: light-dark(#a51d2d, #ff8a8a); font-weight: bold; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** No scripts at all, and nothing from elsewhere. */
export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** A page in the same style, to be sent with `DOCS_HEADERS`. */
export const page = (content: Html, title = 'Waymark API'): string =>
  markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>${new Html(STYLE)}</style>
      </head>
      <body>
        ${content}
      </body>
    </html>`.text;

/** The page with the documents. */
export const docsPage = (endpoints: Html, management: Html): string =>
  page(
    markup`<header>
        <h1>What this server answers</h1>
        <nav><a href="#endpoints">Endpoints of workflows</a> · <a href="#management">Management API</a></nav>
      </header>
      <main>${endpoints} ${management}</main>`,
  );

/** Asks for credentials. @param problem what was wrong with those that were given */
export const loginPage = (problem?: string): string =>
  page(
    markup`<main>
      <h1>What this server answers</h1>
      <p>
        Log in with a key, or with a user and password. Nothing of it is kept: the page asks again when it is loaded
        again.
      </p>
      ${problem === undefined ? undefined : markup`<p role="alert">${problem}</p>`}
      <form method="post">
        <label>API key <input name="key" type="password" autocomplete="off" /></label>
        <p>or</p>
        <label>User <input name="username" autocomplete="username" /></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" /></label>
        <button>Show</button>
      </form>
    </main>`,
  );
