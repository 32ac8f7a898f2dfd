/**
 * What finding the route of one request may cost, in steps of about 0.2 µs: a character that one instruction of a regular
 * expression is asked about. A template has a limit of its own; definitions may have many templates that fit the same paths.
 */
const MOST_STEPS = 500_000;

/** The steps that are left for one request. Where they are spent, what would cost more does not match. */
export class RouteSteps {
  private left = MOST_STEPS;

  /** True: something did not match for that reason. */
  isSpent = false;

  /** False: there are not so many left. */
  spend(steps: number): boolean {
    if (steps > this.left) {
      this.isSpent = true;
      return false;
    }
    this.left -= steps;
    return true;
  }
}
