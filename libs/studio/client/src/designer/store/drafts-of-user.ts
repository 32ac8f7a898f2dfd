import { shelfOf } from '../../api/browser-shelf.js';
import { ownerOf } from '../../api/owner-of.js';
import { session } from '../../api/session.js';
import { config } from '../../app/config.js';
import type { Design } from '../model/change.js';
import { LocalDrafts } from './local-drafts.js';

/** It says when it takes nothing: then a draft that is not saved is lost with its tab. */
const shelf = shelfOf(() => localStorage);

/** What this browser keeps for the user who is logged in. */
export function localDrafts(): LocalDrafts {
  return new LocalDrafts(shelf, `${config.api} ${ownerOf(session.current, session.ownPerson)}`);
}

/** What was not saved of a definition that the server does not have any more. */
export const leftOf = (definitionId: string): Design | undefined => localDrafts().read(definitionId)?.design;
