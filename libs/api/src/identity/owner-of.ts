import type { Principal } from './authenticator.js';

/** Who shares a limit: a user, an API key, or where no credentials are asked for, an address. */
export const ownerOf = (principal: Principal | undefined, address: string | undefined): string =>
  principal ? `${principal.kind} ${principal.id}` : `address ${address ?? ''}`;
