/** Where people find the pages. */
export const STUDIO_PATH = '/studio';
