// TypeScript's native compiler: it checks and emits what the one in JavaScript does, in a third of the processor's time, and has no
// API. Whatever reads programs (the API report, typedoc, the schematics) imports `typescript`. See docs/adr/0083.
import path from 'node:path';

export const TSC = path.join(import.meta.dirname, '../node_modules/typescript-native/bin/tsc');
