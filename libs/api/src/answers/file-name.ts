/** Names come from clients: who unpacks or saves the file stays where it is. */
export const fileNameOf = (name: string): string => {
  const last = name.replaceAll('\\', '/').split('/').at(-1)!;
  return /^\.*$/.test(last) ? 'file' : last;
};
