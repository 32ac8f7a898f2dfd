/** See random-inputs.mjs. */
export declare function seedOf(draw: string | undefined): number | undefined;
