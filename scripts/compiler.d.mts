/** The program of TypeScript's native compiler. */
export declare const TSC: string;
