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
import { shellTexts } from '../texts/shell.js';

export interface Room {
  readonly to: '/' | '/workflows' | '/instances' | '/tasks' | '/schedules' | '/dead-letters' | '/audit' | '/settings';
  readonly label: string;
  readonly icon: LucideIcon;
}

const { rooms: names } = shellTexts;

/** In the order of the navigation. */
export const rooms: readonly Room[] = [
  { to: '/', label: names.home, icon: House },
  { to: '/workflows', label: names.workflows, icon: Workflow },
  { to: '/instances', label: names.instances, icon: ListChecks },
  { to: '/tasks', label: names.tasks, icon: Inbox },
  { to: '/schedules', label: names.schedules, icon: CalendarClock },
  { to: '/dead-letters', label: names.deadLetters, icon: MailWarning },
  { to: '/audit', label: names.audit, icon: ScrollText },
  { to: '/settings', label: names.settings, icon: Settings },
];
