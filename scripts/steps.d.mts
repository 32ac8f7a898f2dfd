export interface Step {
  readonly after: readonly string[];
  readonly isNeeded?: () => boolean;
  readonly isCompany?: boolean;
}

/** @returns names of the steps that were never begun, without those that were not needed */
export function runSteps(
  steps: Readonly<Record<string, Step>>,
  options: {
    readonly atOnce: number;
    readonly run: (name: string) => Promise<{ readonly ok: boolean; readonly isForgiven?: boolean }>;
  },
): Promise<string[]>;
