import type { HostileInput } from './hostile-input.js';

/** Numbers that look random and are the same for the same seed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    // Mixed: the first numbers of neighbouring seeds would be nearly the same, and so would their inputs.
    let mixed = Math.imul(seed ^ (seed >>> 16), 0x85eb_ca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
    this.state = (mixed ^ (mixed >>> 16)) >>> 0;
  }

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

const filters = (
  'abs append array_to_sentence_string at_least at_most base64 base64_decode base64_encode base64_url_safe_encode capitalize ' +
  'ceil cgi_escape compact concat date date_to_long_string date_to_rfc822 date_to_string date_to_xmlschema default ' +
  'divided_by downcase escape escape_once find find_exp find_index first floor format_date format_number format_string ' +
  'group_by group_by_exp handleize has has_exp inspect join json keys last lstrip map md5 minus modulo newline_to_br ' +
  'normalize_whitespace number_of_words plus pop prepend push raw reject reject_exp remove remove_first remove_last ' +
  'replace replace_first replace_last reverse round rstrip sample sha256 shift size slice slugify sort sort_natural split ' +
  'squish strip strip_html strip_newlines sum time_zone times to_integer truncate truncatewords uniq unshift upcase ' +
  'uri_escape url_decode url_encode where where_exp xml_escape'
).split(' ');
const texts = [
  '""',
  '"a"',
  '"ab"',
  '"%c"',
  '"%999Y"',
  '"i"',
  '"i == i"',
  '"i | size"',
  '"{0,999}"',
  '"\\n"',
  '"N99"',
  '"D"',
  '"de-DE"',
  '"latin"',
];
const numbers = ['0', '1', '-1', '3', '17', '999', '100000', '2000000', '1.5', 'nil', 'true', 'empty'];
const names = [
  'a',
  'b',
  'c',
  's',
  'i',
  'Variables.Order.lines',
  'Variables.Text',
  'Variables.Mid',
  'Variables.List',
  'Variables',
  'forloop',
  'Variables.Words',
];

function operand(r: Random): string {
  switch (r.below(5)) {
    case 0:
      return r.pick(texts);
    case 1:
      return r.pick(numbers);
    case 2:
      return `(1..${r.pick([...numbers, 'a', 'a.size'])})`;
    default:
      return r.pick(names) + (r.below(6) === 0 ? `[${r.pick(names)}]` : r.below(8) === 0 ? '.size' : '');
  }
}

function filtered(r: Random): string {
  let text = operand(r);
  for (let n = r.below(4); n > 0; n--) {
    const args = Array.from({ length: r.below(4) }, () => operand(r));
    text += ` | ${r.pick(filters)}${args.length > 0 ? `: ${args.join(', ')}` : ''}`;
  }
  return text;
}

function condition(r: Random): string {
  return `${operand(r)} ${r.pick(['==', '!=', '<', '>=', 'contains', 'and', 'or'])} ${operand(r)}`;
}

function block(r: Random, depth: number): string {
  const inner = (): string =>
    depth > 4 ? `{{ ${filtered(r)} }}` : block(r, depth + 1) + (r.below(2) ? block(r, depth + 1) : '');
  switch (r.below(13)) {
    case 0:
    case 1:
      return `{% for i in ${operand(r)}${r.pick(['', ' reversed', ' limit: 5', ' offset: a'])} %}${inner()}{% endfor %}`;
    case 2:
      return `{% if ${condition(r)} %}${inner()}{% elsif ${condition(r)} %}${inner()}{% else %}${inner()}{% endif %}`;
    case 3:
      return `{% capture ${r.pick(['a', 'b', 's'])} %}${inner()}{% endcapture %}`;
    case 4:
      return `{% tablerow i in ${operand(r)} cols: ${operand(r)} %}${inner()}{% endtablerow %}`;
    case 5:
      return `{% case ${operand(r)} %}{% when ${operand(r)}, ${operand(r)} %}${inner()}{% endcase %}`;
    case 6:
      return `{% for i in (1..${r.pick(['18', '40', '99999'])}) %}{% assign a = a | ${r.pick(['append: a', 'push: a', 'concat: a', 'prepend: s', 'unshift: a', 'replace: "a", a', 'join: a'])} %}${r.below(2) ? inner() : ''}{% endfor %}`;
    case 7:
      return `{% cycle ${operand(r)}, ${operand(r)} %}{% increment a %}{% raw %}{{ {% {% endraw %}`;
    case 8:
      return `{% liquid\nassign c = ${filtered(r)}\necho c\n%}`;
    case 9:
      return '{'.repeat(r.below(4)) + r.pick(['%', '{', '-', '}', '"', '[', '(']).repeat(r.below(2000));
    default:
      return r.below(2) ? `{% assign ${r.pick(['a', 'b', 'c', 's'])} = ${filtered(r)} %}` : `{{ ${filtered(r)} }}`;
  }
}

function template(r: Random): string {
  const blocks = Array.from({ length: 1 + r.below(6) }, () => block(r, 0)).join('');
  return r.below(20) === 0 ? blocks.repeat(1 + Math.floor(r.below(90_000) / (blocks.length + 1))) : blocks;
}

const directMethods = (
  'includes indexOf lastIndexOf startsWith endsWith split replace replaceAll slice substring concat padStart padEnd trim ' +
  'toLowerCase toUpperCase join flat reverse at charAt map filter find some every flatMap reduce sort toFixed toString'
).split(' ');
const values = [
  't',
  'p',
  'l',
  'x',
  'getMid()',
  'getPart()',
  'getList()',
  'getTexts()',
  'getWords()',
  'getNever()',
  '"a"',
  '""',
  '9',
  '0',
  '[t, p]',
  '[...l]',
  '({ a: t })',
  '`${t}${p}`',
];

function script(r: Random, depth = 0): string {
  const value = (): string => (depth > 4 || r.below(3) > 0 ? r.pick(values) : `(${script(r, depth + 1)})`);
  switch (r.below(8)) {
    case 0:
      return `${value()} ${r.pick(['+', '===', '==', '<', '??', '&&', '||', '-'])} ${value()}`;
    case 1:
      return `${r.pick(['toJson', 'JSON.stringify', 'String', 'Object.keys', 'isNullOrEmpty', 'stringToBase64', 'newGuid', 'Math.max'])}(${value()})`;
    case 2:
      return `getList().map((x) => ${script(r, depth + 1)})`;
    case 3:
      return `[${value()}, ${value()}, ...${value()}]`;
    default: {
      const method = r.pick(directMethods);
      const isCallback = /^(?:map|filter|find|some|every|flatMap)$/.test(method);
      const args = isCallback ? [`(x) => ${script(r, depth + 1)}`] : Array.from({ length: r.below(3) }, value);
      return `${value()}.${method}(${args.join(', ')})`;
    }
  }
}

/** Loops and built-ins that only the sandbox runs. */
function program(r: Random): string {
  const text = r.pick(['"a".repeat(1e5)', '"ab".repeat(5e5)', '"\\u00e9".repeat(1e6)', 'getText()']);
  const list = r.pick([
    'Array(1e6).fill(1)',
    'Array.from({ length: 1e5 }, (_, i) => [i])',
    '[..."a".repeat(1e5)]',
    'getList()',
  ]);
  const once = r.pick([
    `s.match(/${r.pick(['(a+)+b', '(a|a)*b', 'a*a*a*b', '(.*)*\\1', '(?:a?){30}a{30}', '(?<=a*)b'])}/)`,
    's.split("").reverse().join("")',
    's.indexOf(s.slice(1) + "b")',
    's.replace(/a/g, s.slice(0, 999))',
    'l.sort()',
    'l.map(String).join()',
    'l.concat(l, l, l)',
    'JSON.parse(JSON.stringify(l))',
    'structuredClone?.(l)',
    '[...new Set(l)]',
    'l.flat(9).indexOf(-1)',
    'toJson(l)',
    'setVariable("V", l)',
    'new Uint8Array(s.length).fill(1)',
    'BigInt("9".repeat(1e4)) ** 99n',
    'DateTime.Now.ToString(s.slice(0, 400))',
    'newGuid()',
    'getOrder().lines.map((o) => o.name).sort()',
    'Object.fromEntries(l.map((x, i) => [x + i, i]))',
  ]);
  const body = r.pick([
    `r = ${once}`,
    `for (let i = 0; i < ${r.pick(['3', '1000', '1e9'])}; i++) r = ${once}`,
    `r = l.map(() => ${once})`,
  ]);
  return `let r; const s = ${text}, l = ${list}; try { ${body} } catch (e) { r = e.message } ${r.pick(['r', '1', 's', '[r, l]', '`${r}`'])}`;
}

/** The inputs of a seed, each of which can be made again alone. */
export function randomInput(type: HostileInput['type'], seed: number): HostileInput {
  const r = new Random(seed);
  if (type === 'Liquid') return { type, source: template(r) };
  return {
    type,
    source: r.below(2) ? `const t = getMid(), p = getPart(), l = getList(); return ${script(r)}` : program(r),
  };
}
