import {
  Box,
  Braces,
  CalendarClock,
  Code,
  GitBranch,
  Globe,
  Layers,
  type LucideIcon,
  Repeat,
  Shuffle,
  SquareFunction,
  Terminal,
  Users,
  Workflow,
  Zap,
} from 'lucide-react';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  Branching: GitBranch,
  'Control Flow': GitBranch,
  Composition: Layers,
  Workflows: Workflow,
  Console: Terminal,
  Flow: Shuffle,
  HTTP: Globe,
  Looping: Repeat,
  Primitives: Braces,
  Scheduling: CalendarClock,
  Scripting: Code,
  'Human Tasks': Users,
  Events: Zap,
  System: SquareFunction,
};

/** A category is shown by its icon and its words; there is no colour for it, which would be taken for a status. */
export const iconOf = (category: string | undefined): LucideIcon => ICONS[category ?? ''] ?? Box;
