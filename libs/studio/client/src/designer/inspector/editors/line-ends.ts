/** A text as the editor of code has it, which knows one end of lines only. */
export const shownLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/** What the editor has, with the ends of lines that the text had before. Other editors, on Windows, write two characters. */
export const writtenLines = (text: string, before: string): string =>
  before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
