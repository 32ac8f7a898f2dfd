export { StudioModule } from './module/studio.module.js';
export { StudioOptionsError } from './module/studio-errors.js';
export type { StudioAsyncOptions, StudioOptions, StudioPageOptions } from './module/studio-options.js';
