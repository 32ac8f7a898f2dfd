const LONGEST = 60;

/** "Leave request (2026)" is `leave-request-2026`: what programs and addresses take without escaping. */
export function definitionIdFor(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST)
    .replace(/-$/, '');
}

/** The same, or with the first number behind it that is free. */
export function freeId(wanted: string, isTaken: (id: string) => boolean): string {
  if (!isTaken(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (!isTaken(`${wanted}-${number}`)) return `${wanted}-${number}`;
}
