/** Items that are made text without a pause: some milliseconds. */
const PART = 500;

/** Levels of objects below which lists are not looked for: a state has its long lists in the first. */
const LEVELS = 2;

/**
 * What `JSON.stringify` makes of an object of plain data, with a pause after each part of its long lists: the state of an instance with ten
 * thousand branches takes a tenth of a second in one go.
 */
export async function textInParts(
  value: object,
  pause: () => Promise<void> | undefined,
  levels = LEVELS,
): Promise<string> {
  const members: string[] = [];
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const text = await memberText(member, pause, levels);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

async function memberText(
  member: unknown,
  pause: () => Promise<void> | undefined,
  levels: number,
): Promise<string | undefined> {
  if (Array.isArray(member) && member.length > PART) return listText(member, pause);
  const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
  if (isObject && levels > 1) return textInParts(member, pause, levels - 1);
  return JSON.stringify(member);
}

async function listText(list: readonly unknown[], pause: () => Promise<void> | undefined): Promise<string> {
  const parts: string[] = [];
  for (let begin = 0; begin < list.length; begin += PART) {
    parts.push(JSON.stringify(list.slice(begin, begin + PART)).slice(1, -1));
    await pause();
  }
  return `[${parts.join(',')}]`;
}
