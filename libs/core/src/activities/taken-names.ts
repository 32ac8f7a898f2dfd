const TAKEN: ReadonlySet<string> = new Set(
  'id nodeid name type version customproperties metadata canstartworkflow runasynchronously'.split(' '),
);

/**
 * Whether members of an activity's JSON say by that name what and where it is, in any casing: with an input of that name, the JSON could
 * not be read again.
 */
export const isTakenName = (name: string): boolean => TAKEN.has(name.toLowerCase());
