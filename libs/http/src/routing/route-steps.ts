/**
 * Most work to find the route of one request. A step is one instruction of a regular expression on one character, about 0.2 µs.
 * Each template has a limit of its own, but definitions may have many templates that match the same path.
 */
const MOST_STEPS = 500_000;

/** The steps that are left for one request. Once they are used up, constraints that need more do not match. */
export class RouteSteps {
  private left = MOST_STEPS;

  /** If true, a constraint did not match for that reason. */
  isSpent = false;

  /** @returns false when fewer are left */
  spend(steps: number): boolean {
    if (steps > this.left) {
      this.isSpent = true;
      return false;
    }
    this.left -= steps;
    return true;
  }
}
