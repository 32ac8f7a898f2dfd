/** Of Jest's JSON report, what the second attempt reads. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/**
 * If true, what the report says has failed may be an accident.
 * @param code exit code of the run; another one than 1 says that it has crashed
 */
export function mayBeAccident(report: string, code?: number): boolean;

/**
 * @param attempt runs one file, in a process of its own
 * @returns the exit code: 0 if what the report says has failed passes now
 */
export function secondAttempts(
  reportFile: string,
  attempt?: (file: string) => { readonly status: number | null; readonly report: Report },
): number;
