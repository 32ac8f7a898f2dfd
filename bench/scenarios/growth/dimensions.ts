import { backgroundOfMany, backgroundOfOne } from './background.js';
import { backlog, backlogOfCalls } from './backlog.js';
import { branches, oneBranch } from './branches.js';
import { bulk } from './bulk.js';
import type { Dimension } from './dimension.js';
import { ends } from './ends.js';
import { fanOut, fanOutHuge, fanOutLarge } from './fan-out.js';
import { housekeeping } from './housekeeping.js';
import { journalBranches, journalChanges, journalChildren } from './journal.js';
import { limited } from './limited.js';
import { lists } from './lists.js';
import { otherLists } from './other-lists.js';
import { plans } from './plans.js';
import { publishEndpoints, publishPlain, publishReusable } from './publish.js';
import { takeover } from './takeover.js';

/** In the order in which they are measured. A new one needs its line here and nothing else. */
export const dimensions: readonly Dimension[] = [
  publishPlain,
  publishEndpoints,
  publishReusable,
  backlog,
  backlogOfCalls,
  limited,
  fanOut,
  fanOutLarge,
  fanOutHuge,
  housekeeping,
  backgroundOfMany,
  backgroundOfOne,
  journalChildren,
  journalBranches,
  journalChanges,
  branches,
  oneBranch,
  ends,
  bulk,
  plans,
  lists,
  otherLists,
  takeover,
];
