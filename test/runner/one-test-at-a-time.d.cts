/** @returns what that file exports, which is compiled once, and run for each file of tests */
export function loadFramework(framework: string, testFile: string): unknown;
export function forgetStorages(): void;
