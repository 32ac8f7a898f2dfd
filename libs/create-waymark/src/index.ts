export { createWaymark, type Surroundings } from './create-waymark.js';
export type { Questions } from './questions/ask.js';
export type { Adapter, Database, PackageManager } from './settings/settings.js';
