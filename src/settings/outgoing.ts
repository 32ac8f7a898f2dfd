import type { WorkflowModuleOptions } from '@waymark/nestjs';
import { resolveHttpOptions } from '@waymark/http/adapter';
import { SettingsError, shown } from './settings-error.js';

type Outgoing = NonNullable<NonNullable<WorkflowModuleOptions['http']>['outgoing']>;

/**
 * Where requests of workflows may go. Closed to the host's own network unless the environment opens it: definitions come from
 * users of the management API.
 * @throws SettingsError
 */
export function readOutgoing(env: NodeJS.ProcessEnv): Outgoing {
  const addresses = env.WAYMARK_OUTGOING || 'public';
  if (addresses !== 'public' && addresses !== 'any')
    throw new SettingsError(`WAYMARK_OUTGOING is 'public' or 'any', not ${shown(addresses)}.`);
  const allow = (env.WAYMARK_OUTGOING_ALLOW ?? '').split(',').flatMap((entry) => entry.trim() || []);
  const outgoing = { addresses, allow } as const;
  try {
    resolveHttpOptions({ outgoing });
  } catch (error) {
    throw new SettingsError(`WAYMARK_OUTGOING_ALLOW: ${(error as Error).message}`);
  }
  return outgoing;
}
