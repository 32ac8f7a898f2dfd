import type { ReactNode } from 'react';
import { useMay } from '../api/permissions.js';

interface MayProps {
  /** One of them is enough, as for the route that does the work. */
  readonly permission: string | readonly string[];
  readonly children: ReactNode;
}

/** What is offered to users who may do it. To others it would end with a refusal. */
export function May({ permission, children }: MayProps) {
  return useMay(...[permission].flat()) ? children : null;
}
