import { argument, serveParent } from '../processes/serve-parent.js';
import { quoteWorkflow } from '../workflows/quote.js';
import { openApplication, publish } from './application.js';
import { forgetFinished, openPersistence, type StoreChoice } from './persistence.js';

const { journal, ...store } = argument<StoreChoice & { journal: boolean }>();
const persistence = openPersistence(store);
const app = await openApplication({ persistence, journal });
await publish(app, quoteWorkflow);
await app.listen(0, '127.0.0.1');

serveParent(
  {
    url: () => app.getUrl(),
    reset: () => (store.url ? undefined : forgetFinished(persistence)),
  },
  () => app.close(),
);
