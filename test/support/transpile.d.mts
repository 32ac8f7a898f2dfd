/** @param folder of a `tsconfig.json` */
export function transpileProject(folder: string): void;
