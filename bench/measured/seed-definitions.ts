import { WorkflowPersistence } from '@waymark/runtime';
import { argument, serveParent } from '../processes/serve-parent.js';
import { publishedDefinition } from '../workflows/published.js';
import { openApplication } from './application.js';
import { openPersistence } from './persistence.js';
import { storeDefinitions } from './store-definitions.js';

const { url, count } = argument<{ url: string; count: number }>();

const app = await openApplication({ persistence: openPersistence({ url }) });
const { definitions } = app.get(WorkflowPersistence);

serveParent(
  {
    async seed(): Promise<number> {
      await storeDefinitions(app, count, publishedDefinition);
      return definitions.count({ versionOptions: 'Published' });
    },
  },
  () => app.close(),
);
