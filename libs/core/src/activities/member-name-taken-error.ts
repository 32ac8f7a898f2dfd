import { WaymarkError } from '../errors/waymark-error.js';

/** Thrown when a decorated property has the name of a member that every activity in a definition has, such as `id`. */
export class MemberNameTakenError extends WaymarkError {
  readonly code = 'WM1030';
  constructor(
    /** Name of the class. */
    readonly className: string,
    /** The decorator of the member. */
    readonly decorator: string,
    /** Its name. */
    readonly member: string,
  ) {
    super(
      `@${decorator}() ${member} of class ${className}: in definitions, every activity already has a member of that name, so the value of ` +
        `this one would be lost, or the definition could not be shown. Rename it, e.g. to '${camelCase(`${className} ${member}`)}'.`,
    );
  }
}

const camelCase = (words: string): string => {
  const [first, second] = words.split(' ') as [string, string];
  return first.charAt(0).toLowerCase() + first.slice(1) + second.charAt(0).toUpperCase() + second.slice(1);
};
