import { claimPackage } from '@waymark/core/adapter';

/** Version of this copy of the package. */
export const VERSION = '0.1.0';

// As the first thing that the entry point does: what else it exports is of no use in a second copy.
claimPackage('@waymark/runtime', VERSION, import.meta.url);
