import {
  CalendarClock,
  House,
  Inbox,
  ListChecks,
  type LucideIcon,
  MailWarning,
  ScrollText,
  Settings,
  Workflow,
} from 'lucide-react';
import { useMemo } from 'react';
import { isGranted, READ_DEFINITIONS, READ_INSTANCES, useAuthorization } from '../api/permissions.js';
import { shellTexts } from '../texts/shell.js';

export interface Room {
  readonly to: '/' | '/workflows' | '/instances' | '/tasks' | '/schedules' | '/dead-letters' | '/audit' | '/settings';
  readonly label: string;
  readonly icon: LucideIcon;
  /** One of these permissions is needed to see anything in it; without any, something is there for all. */
  readonly reads?: readonly string[];
}

const { rooms: names } = shellTexts;

/** In the order of the navigation. */
const rooms: readonly Room[] = [
  { to: '/', label: names.home, icon: House },
  { to: '/workflows', label: names.workflows, icon: Workflow, reads: READ_DEFINITIONS },
  { to: '/instances', label: names.instances, icon: ListChecks, reads: [READ_INSTANCES] },
  { to: '/tasks', label: names.tasks, icon: Inbox, reads: ['read:user-tasks', 'manage:user-tasks'] },
  { to: '/schedules', label: names.schedules, icon: CalendarClock, reads: ['read:schedules'] },
  {
    to: '/dead-letters',
    label: names.deadLetters,
    icon: MailWarning,
    reads: ['read:outbox:dead-letters', 'read:bookmark-queue:dead-letters'],
  },
  { to: '/audit', label: names.audit, icon: ScrollText, reads: ['read:audit'] },
  { to: '/settings', label: names.settings, icon: Settings },
];

/** Those in which the user may see something. */
export function useRooms(): readonly Room[] {
  const authorization = useAuthorization();
  return useMemo(() => rooms.filter(({ reads }) => !reads || isGranted(authorization, reads)), [authorization]);
}
