/** Thrown where an expression leaves what is evaluated directly. One object for all: its stack is never read. */
class BailOut extends Error {
  override readonly name = 'BailOut';
}
const BAIL_OUT = new BailOut('The sandbox has to evaluate this.');

/** Gives the evaluation up; the sandbox does it from the start. */
export function bailOut(): never {
  throw BAIL_OUT;
}
