import { SetMetadata } from '@nestjs/common';

/** As `ApiExcludeController` of `@nestjs/swagger` writes it, which need not be installed. A specification compares the two. */
const EXCLUDED = 'swagger/apiExcludeController';

/**
 * Leaves a controller out of the application's own `@nestjs/swagger` document. Explored there, its routes would stand without
 * schemas; `mergeOpenApi` adds them with theirs.
 */
export const HiddenFromSwagger = (): ClassDecorator => SetMetadata(EXCLUDED, [true]);
