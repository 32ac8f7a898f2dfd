import { afterEach, expect, it, jest, test } from '@jest/globals';
import { Liquid } from 'liquidjs';
import { failureOf, testScope } from '../javascript/test-scope.spec.js';
import { LiquidExpressionHandler } from './liquid-expression-handler.js';

const handler = new LiquidExpressionHandler();
const render = (value: string, variables = {}): unknown =>
  handler.compile({ type: 'Liquid', value })(testScope({ variables }));
const engine = new Liquid({ timezoneOffset: 0, locale: 'en-US' });

afterEach(() => {
  jest.restoreAllMocks();
});

it('dates ask the host neither for its language nor for its local time', () => {
  const localClock = [
    'getTimezoneOffset',
    'getHours',
    'getMinutes',
    'getDate',
    'getDay',
    'getMonth',
    'getFullYear',
  ] as const;
  for (const read of localClock)
    jest.spyOn(Date.prototype, read).mockImplementation(() => {
      throw new Error(`${read} depends on the host.`);
    });
  jest.spyOn(Intl, 'DateTimeFormat').mockImplementation(() => {
    throw new Error('Names of days depend on the host.');
  });
  // In Berlin, the clock had just been set.
  expect(render('{{ "2024-03-31T02:30:00Z" | date: "%H:%M %A %B %a %b %c" }}')).toBe(
    '02:30 Sunday March Sun Mar Sunday, 31 March 2024 02:30:00',
  );
  expect(render('{{ "2024-03-31T02:30:00Z" | date_to_long_string: "ordinal" }}')).toBe('31st March 2024');
});

// Those that stand for others, and `Z`, are .NET's.
test.each('aAbBCdeHhIjklLmMNnpPsSuUwWyYzt%E1'.split(''))('%%%s is written as the engine writes it', (letter) => {
  const dates = [
    '2024-02-29T00:03:05.007Z',
    '2023-12-31T23:59:59.999Z',
    '2024-01-01T12:00:00.120Z',
    '0099-07-04T13:00:00.000Z',
    '1969-05-05T05:05:05.050Z',
  ];
  for (const date of dates)
    for (const flags of ['', '-', '_', '0', '^', '#', ':', '^-', '-5', '5', '_12', '012', '3']) {
      const source = `{{ "${date}" | date: "[%${flags}${letter}]" }}`;
      expect([source, render(source)]).toEqual([source, engine.parseAndRenderSync(source)]);
    }
});

test.each([
  'date_to_xmlschema',
  'date_to_rfc822',
  'date_to_string',
  'date_to_long_string',
  'date_to_string: "ordinal"',
  'date_to_long_string: "ordinal", "US"',
  'date: "%H %d", 120',
  'date: "%H %z", "Asia/Tokyo"',
])('the filter %s writes what that of the engine writes', (filter) => {
  for (const date of ['2024-02-29T00:03:05.007Z', '2024-02-11T01:02:03Z', '2024-02-22T00:00:00Z', '2024-02-01']) {
    const source = `{{ "${date}" | ${filter} }}`;
    expect([source, render(source)]).toEqual([source, engine.parseAndRenderSync(source)]);
  }
});

test.each([
  ['{{ "x" | date_to_string }}{{ nil | date_to_string }}', 'x'],
  ['{{ "2024-02-09" | date: "%H", "Nowhere" }}', '00'],
  ['{% assign f = "%Y,%m" | split: "," %}{{ "2024-02-09" | date: f }}', '202402'],
  ['{{ "2024-02-09" | date: 5 }}', '5'],
])('%s', (source, expected) => expect(render(source)).toBe(expected));

test.each(['{{ 0 | date: Variables.Text }}', '{% assign f = Variables.Text | split: "," %}{{ 0 | date: f }}'])(
  'a format has at most 500 characters, as a list as well: %s',
  async (source) => {
    const error = await failureOf(() => render(source, { Text: '%A'.repeat(251) }));
    expect(error).toMatchObject({ code: 'WM4003', message: expect.stringContaining('500 characters') });
  },
);

it('a width of a directive counts before it is written', async () => {
  const error = await failureOf(() => render('{{ 0 | date: "%9999999d" }}'));
  expect(error).toMatchObject({ code: 'WM4002' });
});

it.each(['99999999999999999999999', '-841', '"No/Zone"', 'true', 'nil'])('a date in the zone %s is in UTC', (zone) => {
  expect(render(`{{ "2026-01-02T03:00:00Z" | date: "%Y-%m-%d %H %z", ${zone} }}`)).toBe('2026-01-02 03 +0000');
});
