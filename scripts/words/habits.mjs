/** Phrases that readers stumble over, and what to write instead. Line breaks count as spaces. */
export const habits = [
  { pattern: /(?<!\bthere )\bis\s+no\s(?!longer\b|more\b)/gi, instead: 'write "is not a …" or "has no …"' },
  { pattern: /\bwhoever\b/gi, instead: 'name who: the caller, the user, the node' },
  { pattern: /\b(nobody|somebody)\b/gi, instead: 'name who: a user, a caller, no node, another process' },
  { pattern: /\bfor\s+ever\b/gi, instead: 'write "forever", "without end" or "never ends"' },
  { pattern: /\bis\s+told\b/gi, instead: 'write "is notified", "receives" or "learns"' },
  { pattern: /(?<!\bthere )\b(is|are)\s+none\b/gi, instead: 'write "is not a …", or name what is missing' },
  {
    pattern: /\b(be|been|being|are|was|were)\s+told\b(?!\s+apart)/gi,
    instead: 'write "notified", "known", or "distinguished"',
  },
  { pattern: /\bhears?\s+of\b/gi, instead: 'write "is notified of", "receives" or "learns"' },
  { pattern: /\btak(e|es|en|ing)\s+up\b(?!\s+(to|a)\b)/gi, instead: 'write "recovered", "continued" or "taken over"' },
  { pattern: /\bsets?\s+aside\b/gi, instead: 'write "kept as a dead letter", "deferred" or "left out"' },
  { pattern: /\bbur(y|ied|ies)\b/gi, instead: 'write "dead letter"' },
  { pattern: /\/\*\*\s+(True|False):\s/g, instead: 'write "If true, …" or "If false, …"' },
  { pattern: /\bEverything\s+has\s+a\s+default\b/g, instead: 'write "Options of …. All of them have defaults."' },
  { pattern: /\bof\s+no\s+((more|further)\s+)?use\b/gi, instead: 'write "not needed" or "cannot use"' },
  { pattern: /\bof\s+which\s+(nothing|none)\b/gi, instead: 'name the subject: "a burst that is not stored"' },
  { pattern: /\bin\s+the\s+midst\b/gi, instead: 'write "in the middle of" or "during"' },
  { pattern: /\bthat\s+which\b/gi, instead: 'name the thing' },
  { pattern: /\bas\s+of\s+then\b/gi, instead: 'write "of that time" or "at that time"' },
  { pattern: /\bwithout\s+a\s+word\b/gi, instead: 'write "silently"' },
  {
    pattern: /\b(go(es|ing)?|went)\s+on\b(?!\s+(a|the|its|their)\b)/gi,
    instead: 'write "continues", or what happens then',
  },
];

const begins = (rest) => new RegExp(`^['"\`](?:W\\d+(?:, W\\d+)*: )?${rest}`, 'g');

/**
 * Beginnings of test titles that are sentences only behind their `describe`, where reports of CI and editors show a title alone. Patterns see
 * the title with its quotes. "refuses ..." is accepted: `it` is its subject.
 */
export const titleHabits = [
  { pattern: begins('(?:are|have|do|were)\\s'), instead: 'name the subject: "links are ..."' },
  {
    pattern: begins('(?:and|but|or|nor|also|not|of|that|which|whose)\\s'),
    instead: 'begin with the subject that the describe names',
  },
  {
    pattern: begins(
      '(?:with|without|within|in|on|at|by|to|from|as|for|while|until|when|if|after|before)\\s[^,]*[\'"`]$',
    ),
    instead: 'begin with the subject, or put a comma behind the condition',
  },
];

export const allowed = {
  files: [
    { pattern: /^libs\/[^/]+\/api\.md$/, reason: 'generated from declarations; names only' },
    { pattern: /^test\/upgrades\/waits\.ts$/, reason: 'lines that instances of recorded databases write' },
  ],
  phrases: [],
};
