export interface Process {
  readonly id: number;
  readonly parent: number;
  readonly name: string;
  readonly seconds: number;
  readonly secondsOfChildren: number;
  readonly startedAt: string;
}

export const isShown: boolean;
export function processes(): Process[];
export function familyOf(id: number, all?: readonly Process[]): number[];
export function lowerPriority(id: number, niceness: number): void;
