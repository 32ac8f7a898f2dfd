import { filters } from 'liquidjs';
import type { HostileInput } from './hostile-input.js';

/** Doubles a text until it has about so many characters. */
const text = (name: string, seed: string, length = 200_000): string =>
  `{% assign ${name} = "${seed}" %}{% for i in (1..${Math.floor(Math.log2(length / seed.length))}) %}` +
  `{% assign ${name} = ${name} | append: ${name} %}{% endfor %}`;

/** Filters that Waymark adds to those of the engine. */
const OWN = (
  'base64 base64_url_safe_encode base64_url_safe_decode keys handle handleize md5 sha1 format_number format_date format_string ' +
  'time_zone secret'
).split(' ');

/** What filters are given: each is made by what stands before it. */
const VALUES: Readonly<Record<string, string>> = {
  letters: text('v', 'a'),
  accents: text('v', 'é'),
  markup: text('v', '<'),
  ampersands: text('v', '&'),
  entities: text('v', '&amp;'),
  blanks: text('v', ' '),
  lines: text('v', '\n'),
  percent: text('v', '%41'),
  camels: text('v', 'aB'),
  emoji: text('v', '😀'),
  digits: text('v', '9'),
  dots: text('v', '.a'),
  formats: text('v', '{0}'),
  numbers: '{% assign v = (1..100000) %}',
  words: `${text('w', 'a b ')}{% assign v = w | split: " " %}`,
  letter_list: `${text('w', 'ab', 60_000)}{% assign v = w | split: "" %}`,
  objects: '{% assign v = Variables.Order.lines %}',
  variables: '{% assign v = Variables %}',
  object: '{% assign v = Variables.Order %}',
  folded:
    '{% assign v = "x" | split: "" %}{% for i in (1..14) %}{% assign v = "" | split: "" | push: v | push: v %}{% endfor %}',
  date: '{% assign v = "2026-01-01T00:00:00Z" %}',
  never: '{% assign v = Variables.Never %}',
  nothing: '{% assign v = nil %}',
};

/** What stands for their arguments: `r` is a long list, `s` a long text, `p` a long path. */
const ARGUMENTS = [
  '',
  ': r',
  ': s',
  ': p',
  ': s, s',
  ': r, r',
  ': v, v',
  ': "name"',
  ': "i", s',
  ': "i", "i == 1 or i.a contains v"',
  ': 1, 99999',
  ': -1, r',
  ': 999999999, 999999999',
  ': 1e300, "."',
  ': "", ""',
  ': "%c%x%X%Z", "Europe/Vilnius"',
  ': "N2", "lt-LT"',
] as const;

const MADE = `{% assign r = (1..100000) %}${text('s', 'ab', 100_000)}${text('p', '.a', 30_000)}` as const;

/** Each filter, of each kind of value, with each kind of argument, over and over: a filter that is added later is among them. */
export function* filterMatrix(): Generator<HostileInput> {
  const names = [...new Set([...Object.keys(filters), ...OWN])];
  for (const name of names)
    for (const value of Object.values(VALUES))
      for (const args of ARGUMENTS)
        yield {
          type: 'Liquid',
          source: `${MADE}${value}{% for i in (1..50) %}{% assign x = v | ${name}${args} %}{% endfor %}{{ x | size }}`,
        };
}
