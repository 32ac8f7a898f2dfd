export { StudioModule } from './module/studio.module.js';
export { StudioOptionsError } from './module/studio-errors.js';
export type { StudioOptions } from './module/studio-options.js';
