/** Names come from clients: who unpacks or saves the file stays where it is. */
export const fileNameOf = (name: string): string => {
  const last = name.replaceAll('\\', '/').split('/').at(-1)!;
  return /^\.*$/.test(last) ? 'file' : wellFormed(last);
};

/** Halves of surrogate pairs cannot be encoded: a header with one is an error, and so a 500. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');
