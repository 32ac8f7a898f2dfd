import { argument, serveParent } from '../processes/serve-parent.js';
import { quoteWorkflow } from '../workflows/quote.js';
import { QuoteInCode } from '../workflows/quote-in-code.js';
import { openApplication, publish } from './application.js';
import { forgetFinished, openPersistence, type StoreChoice } from './persistence.js';

/** `inCode`: the workflow is a class with functions, not data with JavaScript and Liquid. */
const { journal, inCode, ...store } = argument<StoreChoice & { journal: boolean; inCode?: boolean }>();
const persistence = openPersistence(store);
const app = await openApplication({ persistence, journal }, inCode ? [QuoteInCode] : []);
if (!inCode) await publish(app, quoteWorkflow);
await app.listen(0, '127.0.0.1');

serveParent(
  {
    url: () => app.getUrl(),
    reset: () => (store.url ? undefined : forgetFinished(persistence)),
  },
  () => app.close(),
);
