/**
 * The permissions that the token of a login names; `undefined`: it cannot be read, or says nothing of permissions. The server
 * decides, here nothing is verified.
 */
export function permissionsIn(token: string): readonly string[] | undefined {
  try {
    const part = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
    const { permissions } = JSON.parse(new TextDecoder().decode(bytes)) as { permissions?: unknown };
    // One alone is a text, as .NET writes claims.
    if (typeof permissions === 'string') return [permissions];
    return Array.isArray(permissions) ? permissions.map(String) : undefined;
  } catch {
    return undefined;
  }
}
