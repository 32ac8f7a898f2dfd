/** @param folder of a `tsconfig.json` @param cacheDirectory Jest's own; none where nothing is to be kept */
export function transpileProject(folder: string, cacheDirectory?: string): void;
