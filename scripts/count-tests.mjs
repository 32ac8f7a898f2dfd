// Of several runs each test counts once: as failed if it failed in one of them, else as passed if it passed in one. Skipped is what no run
// has run. Some of that other commits draw: it stands in a line of its own. A suite that is skipped as a whole counts as one.
import { readFileSync } from 'node:fs';

/** Worse ones win. */
const RANK = ['passed', 'failed'];
/** What skips adds its reason to the title, which is another one in each run: see test/support/pairs.ts, depth.ts and describe-on.ts. */
const DRAWN_BY_OTHERS = /: not (?:in this part of the matrix|drawn by this commit);/;
const REASON = /: not (?:in this part of the matrix;|drawn by this commit;|run by a quick npm test;|run, ).*$/;

/** @param files with Jest's JSON reports of these runs @returns what is printed, the totals last, and whether tests have passed and none failed */
export function testTotals(files) {
  const outcomes = new Map();
  /** By file: titles that were run, and those that were skipped, with the reasons at their ends. */
  const titlesOf = new Map();

  for (const file of files) {
    for (const { name, status, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
      const titles = titlesOf.get(name) ?? { run: new Set(), skipped: new Set() };
      titlesOf.set(name, titles);
      for (const { status: outcome, fullName } of assertionResults)
        titles[RANK.includes(outcome) ? 'run' : 'skipped'].add(fullName);
      const seen = new Map();
      const note = (title, outcome) => {
        // Tables may give two tests one name.
        const count = (seen.get(title) ?? 0) + 1;
        seen.set(title, count);
        const key = `${name}\0${title}\0${count}`;
        if (RANK.indexOf(outcome) > RANK.indexOf(outcomes.get(key))) outcomes.set(key, outcome);
      };
      for (const test of assertionResults) note(test.fullName, test.status);
      // A file that does not load has no tests to fail, so it counts as one failure.
      if (status === 'failed' && assertionResults.every((test) => test.status !== 'failed')) note('', 'failed');
    }
  }
  const [passed, failed] = RANK.map((wanted) => [...outcomes.values()].filter((outcome) => outcome === wanted).length);

  let skipped = 0;
  let leftToOthers = 0;
  for (const titles of titlesOf.values()) {
    /** If true, other commits draw it. */
    const isOfOthers = new Map();
    for (const title of titles.skipped) {
      const own = title.replace(REASON, '');
      isOfOthers.set(own, isOfOthers.get(own) || DRAWN_BY_OTHERS.test(title));
    }
    for (const [own, is] of isOfOthers) {
      // Of a suite that was skipped as a whole, tests have run elsewhere under its title.
      if ([...titles.run].some((title) => title === own || title.startsWith(`${own} `))) continue;
      if (is) leftToOthers++;
      else skipped++;
    }
  }
  const lines = [`${titlesOf.size} test files, ${skipped} tests skipped`];
  if (leftToOthers > 0) lines.push(`${leftToOthers} tests and suites not run: other commits draw them`);
  lines.push(`${passed} passed, ${failed} failed`);
  return { lines, ok: failed === 0 && passed > 0 };
}
