import { createHash } from 'node:crypto';

/**
 * What random inputs of tests are made from: of a run that is drawn, its draw, so that it can be repeated and a second attempt of a file
 * tries the same inputs. Else undefined: fast-check takes another seed each time, and prints it with what it finds.
 */
export function seedOf(draw) {
  return draw ? createHash('sha256').update(`random inputs\0${draw}`).digest().readInt32BE() : undefined;
}
