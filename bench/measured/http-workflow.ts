import { argument, serveParent } from '../processes/serve-parent.js';
import { ownKey, withEncrypted } from '../workflows/encrypted.js';
import { QUOTE, quoteWorkflow } from '../workflows/quote.js';
import { QUOTE_IN_CODE, QuoteInCode } from '../workflows/quote-in-code.js';
import { openApplication, publish } from './application.js';
import { forgetFinished, openPersistence, type StoreChoice } from './persistence.js';

interface Choice extends StoreChoice {
  readonly journal: boolean;
  /** The workflow is a class with functions, not data with JavaScript and Liquid. */
  readonly inCode?: boolean;
  /** Instances that end well are not kept. */
  readonly isForgotten?: boolean;
  /** What the request brings is stored encrypted. */
  readonly isEncrypted?: boolean;
}

const { journal, inCode, isForgotten, isEncrypted, ...store } = argument<Choice>();
const retentionOf = isForgotten ? { [inCode ? QUOTE_IN_CODE : QUOTE]: 0 } : {};
const persistence = openPersistence(store);
const keys = isEncrypted ? ownKey() : {};
const app = await openApplication({ persistence, journal, retentionOf, ...keys }, inCode ? [QuoteInCode] : []);
if (!inCode) await publish(app, isEncrypted ? withEncrypted(quoteWorkflow, 'Query') : quoteWorkflow);
await app.listen(0, '127.0.0.1');

serveParent(
  {
    url: () => app.getUrl(),
    reset: () => (store.url ? undefined : forgetFinished(persistence)),
  },
  () => app.close(),
);
