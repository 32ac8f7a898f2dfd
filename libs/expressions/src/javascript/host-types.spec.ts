import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { JavaScriptEvaluator } from './javascript-evaluator.js';
import { failureOf, testScope, type TestScopeParts } from './test-scope.spec.js';

// The clock of these tests: 2024-02-29 12:34:56.789 UTC.
const NOW = Date.UTC(2024, 1, 29, 12, 34, 56, 789);
let evaluator: JavaScriptEvaluator;
beforeAll(async () => {
  evaluator = await JavaScriptEvaluator.create({ clock: { now: () => NOW } });
});
const run = (source: string, parts?: TestScopeParts): unknown => evaluator.compile(source)(testScope(parts));
const gives = (cases: readonly (readonly [source: string, expected: unknown])[]): void => {
  test.each(cases)('%s', (source, expected) => expect(run(source)).toEqual(expected));
};

describe('TimeSpan', () => {
  gives([
    ['TimeSpan.FromMinutes(5)', '00:05:00'],
    ['TimeSpan.FromDays(1.5).ToString()', '1.12:00:00'],
    ['`${TimeSpan.FromSeconds(90)}` + TimeSpan.FromTicks(1)', '00:01:3000:00:00.0000001'],
    ['({ in: [TimeSpan.FromHours(2)] })', { in: ['02:00:00'] }],
    ['JSON.stringify({ t: TimeSpan.Zero })', '{"t":"00:00:00"}'],
    ['new TimeSpan(1, 2, 3)', '01:02:03'],
    ['new TimeSpan(1, 2, 3, 4, 5)', '1.02:03:04.0050000'],
    ['new TimeSpan(10000000)', '00:00:01'],
    ['new TimeSpan()', '00:00:00'],
    ['TimeSpan.Parse("1.02:03:04.5").TotalSeconds', 93784.5],
    ['TimeSpan.Parse(" 00:00:10 ").Seconds', 10],
    [
      'const t = new TimeSpan(-1, -2, -3, -4, -5); [t.Days, t.Hours, t.Minutes, t.Seconds, t.Milliseconds]',
      [-1, -2, -3, -4, -5],
    ],
    [
      'const t = TimeSpan.FromMilliseconds(90061001); [t.Days, t.Hours, t.Minutes, t.Seconds, t.Milliseconds, t.Ticks]',
      [1, 1, 1, 1, 1, 900610010000],
    ],
    [
      'const t = TimeSpan.FromDays(1); [t.TotalDays, t.TotalHours, t.TotalMinutes, t.TotalSeconds, t.TotalMilliseconds]',
      [1, 24, 1440, 86400, 86400000],
    ],
    ['TimeSpan.FromHours(1).Add(TimeSpan.FromMinutes(1)).Subtract(TimeSpan.FromSeconds(1))', '01:00:59'],
    ['TimeSpan.FromHours(1).Add("00:00:01")', '01:00:01'],
    [
      '[TimeSpan.FromHours(1).Negate(), TimeSpan.FromHours(-1).Duration(), TimeSpan.FromHours(1).Multiply(1.5), TimeSpan.FromHours(1).Divide(4)]',
      ['-01:00:00', '01:00:00', '01:30:00', '00:15:00'],
    ],
    ['TimeSpan.FromHours(1).Divide(TimeSpan.FromMinutes(15))', 4],
    ['TimeSpan.FromHours(1) > TimeSpan.FromMinutes(59)', true],
    ['TimeSpan.FromHours(1) - TimeSpan.FromMinutes(59)', 60000],
    ['TimeSpan.FromHours(1).Equals(TimeSpan.FromMinutes(60)) && TimeSpan.FromHours(1) == "01:00:00"', true],
    ['[TimeSpan.FromHours(1).CompareTo(TimeSpan.Zero), TimeSpan.Compare(TimeSpan.Zero, TimeSpan.MaxValue)]', [1, -1]],
    ['TimeSpan.FromMinutes(61.5).ToString("hh\\\\:mm\\\\:ss")', '01:01:30'],
    ["TimeSpan.FromDays(1.25).ToString(\"d' days 'hh' hours'\")", '1 days 06 hours'],
    [
      '[TimeSpan.FromMilliseconds(90061500).ToString("g"), TimeSpan.FromMilliseconds(1500).ToString("G")]',
      ['1:1:01:01.5', '0:00:00:01.5000000'],
    ],
    ['[TimeSpan.MaxValue, TimeSpan.MinValue].map(t => String(t).split(".")[0])', ['10675199', '-10675199']],
    ['TimeSpan.fromMinutes(5).totalSeconds', 300],
    ['TimeSpan.TicksPerSecond', 10000000],
    ['TimeSpan.FromMinutes(1, 30)', '00:01:30'],
  ]);
});

describe('DateTime', () => {
  gives([
    ['DateTime.UtcNow', new Date(NOW)],
    ['DateTime.Now.getTime()', NOW],
    ['DateTime.UtcNow.toISOString()', '2024-02-29T12:34:56.789Z'],
    ['({ at: [DateTime.UtcNow.AddDays(1)] })', { at: [new Date(NOW + 86_400_000)] }],
    ['JSON.stringify(DateTime.UtcNow)', '"2024-02-29T12:34:56.789Z"'],
    ['toJson({ at: DateTime.UtcNow })', '{"at":"2024-02-29T12:34:56.789+00:00"}'],
    ['DateTime.UtcNow instanceof Date', true],
    [
      'const d = DateTime.UtcNow; [d.Year, d.Month, d.Day, d.Hour, d.Minute, d.Second, d.Millisecond]',
      [2024, 2, 29, 12, 34, 56, 789],
    ],
    [
      'const d = DateTime.UtcNow; [d.DayOfWeek, d.DayOfYear, d.Kind, d.Date, d.TimeOfDay]',
      ['Thursday', 60, 'Utc', new Date(Date.UTC(2024, 1, 29)), '12:34:56.7890000'],
    ],
    ['DateTime.UnixEpoch.Ticks', 621355968000000000],
    ['new DateTime(621355968000000000)', new Date(0)],
    ['new DateTime(2024, 1, 2)', new Date(Date.UTC(2024, 0, 2))],
    ['new DateTime(2024, 1, 2, 3, 4, 5, 6)', new Date(Date.UTC(2024, 0, 2, 3, 4, 5, 6))],
    ['new DateTime(2024, 1, 2, 3, 4, 5, "Utc").Kind', 'Utc'],
    ['new DateTime(2024, 1, 2, 3, 4, 5, 6, "Local").Hour', 3],
    ['new DateTime().Year', 1],
    [
      'const d = DateTime.UtcNow; d.AddYears(1).AddMonths(-1).AddHours(1).AddMinutes(1).AddSeconds(1).AddMilliseconds(1).ToString("o")',
      '2025-01-28T13:35:57.7900000Z',
    ],
    ['new DateTime(2024, 1, 31).AddMonths(1).Day', 29],
    ['new DateTime(2024, 12, 31).AddMonths(-13).ToString("yyyy-MM-dd")', '2023-11-30'],
    ['DateTime.UtcNow.AddDays(0.5).Hour', 0],
    ['DateTime.UtcNow.Add(TimeSpan.FromDays(1)).Subtract("12:00:00").Day', 1],
    ['DateTime.UtcNow.Subtract(DateTime.UnixEpoch).TotalMilliseconds', NOW],
    ['DateTime.UtcNow.Subtract(new Date(0)).TotalMilliseconds', NOW],
    ['DateTime.UtcNow - DateTime.UnixEpoch', NOW],
    ['DateTime.UtcNow.AddDays(3) > DateTime.UtcNow && DateTime.UtcNow < new Date(9e12)', true],
    [
      '[DateTime.Compare(DateTime.MinValue, DateTime.MaxValue), DateTime.UtcNow.CompareTo(DateTime.UnixEpoch), DateTime.UtcNow.Equals(DateTime.UtcNow)]',
      [-1, 1, true],
    ],
    ['[DateTime.IsLeapYear(2024), DateTime.IsLeapYear(1900), DateTime.DaysInMonth(2023, 2)]', [true, false, 28]],
    ['[DateTime.MinValue, DateTime.MaxValue].map(d => d.ToString())', ['01/01/0001 00:00:00', '12/31/9999 23:59:59']],
    ['DateTime.Today.Kind + DateTime.Today.Hour', 'Local0'],
    ['DateTime.Parse("2024-01-02")', new Date(Date.UTC(2024, 0, 2))],
    ['[DateTime.Parse("2024-01-02 03:04").Kind, DateTime.Parse("2024-01-02T03:04Z").Kind]', ['Unspecified', 'Local']],
    ['DateTime.Parse("2024-01-02T03:04:05.6789+02:00")', new Date('2024-01-02T01:04:05.678Z')],
    [
      '["1/2/2024 3:04 PM", "Tue, 02 Jan 2024 15:04:00 GMT", "2 January 2024 15:04", "Jan 2, 2024 15:04"].map(t => DateTime.Parse(t).ToUniversalTime().ToString("s"))',
      Array(4).fill('2024-01-02T15:04:00'),
    ],
    ['DateTime.ParseExact("20240102-0304", "yyyyMMdd-HHmm", null)', new Date(Date.UTC(2024, 0, 2, 3, 4))],
    ['DateTime.ParseExact("02 Jan 24 3PM", "dd MMM yy htt").Hour', 15],
    ['DateTime.SpecifyKind(new DateTime(2024, 1, 2, 3, 0, 0), "Utc").ToString("o")', '2024-01-02T03:00:00.0000000Z'],
    ['DateTime.UtcNow.ToShortDateString() + "|" + DateTime.UtcNow.ToLongTimeString()', '02/29/2024|12:34:56'],
    ['DateTime.utcNow.addDays(1).day', 1],
    ['DateTime.UtcNow.ToUniversalTime().Kind + DateTime.UtcNow.ToLocalTime().Kind', 'UtcLocal'],
    ['DateTime.UtcNow.ToLocalTime().getTime() === DateTime.UtcNow.getTime()', true],
    ['DateTime.UtcNow.ToString("yyyy-MM-dd")', '2024-02-29'],
    ['DateTime.UtcNow.ToString("D", "de-DE")', 'Donnerstag, 29. Februar 2024'],
  ]);
});

describe('DateTimeOffset', () => {
  gives([
    ['DateTimeOffset.UtcNow', new Date(NOW)],
    ['DateTimeOffset.Now.getTime()', NOW],
    ['new DateTimeOffset(2024, 1, 2, 3, 4, 5, TimeSpan.FromHours(2)).ToString()', '01/02/2024 03:04:05 +02:00'],
    ['new DateTimeOffset(2024, 1, 2, 3, 4, 5, TimeSpan.FromHours(2))', new Date('2024-01-02T01:04:05Z')],
    [
      'new DateTimeOffset(new DateTime(2024, 1, 2, 3, 4, 5), TimeSpan.FromHours(-5)).ToString("o")',
      '2024-01-02T03:04:05.0000000-05:00',
    ],
    ['new DateTimeOffset(DateTime.UtcNow).Offset', '00:00:00'],
    ['new DateTimeOffset(new Date(0)).ToUnixTimeSeconds()', 0],
    ['DateTimeOffset.UtcNow.ToOffset(TimeSpan.FromHours(3)).Hour', 15],
    ['DateTimeOffset.UtcNow.ToOffset("03:00:00").AddDays(1).ToString("zzz d")', '+03:00 1'],
    ['DateTimeOffset.Parse("2024-01-02T03:04:05+02:00").ToString("u")', '2024-01-02 01:04:05Z'],
    ['DateTimeOffset.FromUnixTimeSeconds(60).Minute', 1],
    ['DateTimeOffset.FromUnixTimeMilliseconds(1500).ToUnixTimeMilliseconds()', 1500],
    ['DateTimeOffset.Parse("2024-01-02T03:00+02:00").UtcDateTime.Hour', 1],
    ['DateTimeOffset.Parse("2024-01-02T03:00+02:00").DateTime.Hour', 3],
    ['DateTimeOffset.Parse("2024-01-02T03:00+02:00").Equals(DateTimeOffset.Parse("2024-01-02T01:00Z"))', true],
    ['DateTimeOffset.UtcNow.Subtract(DateTimeOffset.UnixEpoch).TotalMilliseconds', NOW],
  ]);
});

describe('Guid', () => {
  const id = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
  gives([
    [`new Guid("${id.toUpperCase()}")`, id],
    [`({ id: Guid.Parse("{${id}}") })`, { id }],
    [
      `["N", "D", "B", "P"].map(f => Guid.Parse("${id.replaceAll('-', '')}").ToString(f))`,
      [id.replaceAll('-', ''), id, `{${id}}`, `(${id})`],
    ],
    ['Guid.Empty', '00000000-0000-0000-0000-000000000000'],
    ['"x" + Guid.Empty === "x" + new Guid()', true],
    [`new Guid("${id}") == "${id}" && new Guid("${id}").Equals("${id}") && !Guid.Empty.Equals(Guid.NewGuid())`, true],
    [`new Guid(new Guid("${id}").ToByteArray())`, id],
    [`Array.from(new Guid("${id}").ToByteArray()).slice(0, 4)`, [0xe0, 0x04, 0x25, 0x3f]],
    ['Guid.NewGuid().ToString("N").length', 32],
    ['new Set([1, 2, 3].map(() => Guid.NewGuid().ToString())).size', 3],
    ['JSON.stringify([Guid.Empty])', '["00000000-0000-0000-0000-000000000000"]'],
    ['Guid.newGuid().toString().length', 36],
  ]);
});

describe('types of JSON', () => {
  gives([
    ['const o = new ExpandoObject(); o.Name = "Ann"; o.List = [1]; o', { Name: 'Ann', List: [1] }],
    ['const o = new JsonObject(); o["a"] = { b: null }; JSON.stringify(o)', '{"a":{"b":null}}'],
    ['JsonNode.Parse("[1, {}]")', [1, {}]],
    ['JsonObject.Parse(\'{"a":1}\').a + JsonElement.parse("2")', 3],
    ['[ExpandoObject, JsonElement, JsonNode, JsonObject].map(t => typeof t).join()', Array(4).fill('function').join()],
    ['const o = new ExpandoObject(); o.a = 1; [Object.keys(o).join(), o.constructor === Object]', ['a', true]],
  ]);

  it('texts that are no JSON fail', async () => {
    expect(await failureOf(() => run('JsonNode.Parse("{")'))).toMatchObject({
      code: 'WM4003',
      errorName: 'SyntaxError',
    });
  });
});

describe('Random', () => {
  gives([
    // The numbers that .NET gives for these seeds.
    ['const r = new Random(0); [r.Next(), r.Next(), r.Next()]', [1559595546, 1755192844, 1649316166]],
    ['new Random(42).Next()', 1434747710],
    ['const r = new Random(0); [r.Next(100), r.Next(1, 10), r.Next(-5, -4)]', [72, 8, -5]],
    ['new Random(0).NextDouble().toFixed(10)', '0.7262432700'],
    [
      'const r = new Random(); [...Array(500)].every(() => { const n = r.Next(1, 10); return n >= 1 && n < 10 && n % 1 === 0 })',
      true,
    ],
    ['const n = new Random().Next(-2000000000, 2000000000); n >= -2000000000 && n < 2000000000', true],
    ['Random.Shared.NextInt64(5, 6) + Random.Shared.Next(1)', 5],
    ['const b = new Uint8Array(4); new Random(1).NextBytes(b); b.some(x => x > 0)', true],
    ['const l = [1, 2, 3]; new Random(3).Shuffle(l); l.sort().join()', '1,2,3'],
    ['new Random(5).Next() === new Random(5).Next() && new Random().Next() !== new Random().Next()', true],
  ]);
});

describe('types that describe data', () => {
  gives([
    [
      '[LogPersistenceMode.Include, LogPersistenceMode.Exclude, LogPersistenceMode.Inherit]',
      ['Include', 'Exclude', 'Inherit'],
    ],
    ['const h = new HttpHeaders(); h.Add("X-A", ["1"]); h["X-B"] = "2"; h', { 'X-A': ['1'], 'X-B': '2' }],
    [
      'const h = new HttpHeaders({ "content-type": ["text/plain"] }); [h.ContentType, h.Count, h.ContainsKey("Content-Type"), h.Remove("CONTENT-TYPE"), h.Count]',
      ['text/plain', 1, true, true, 0],
    ],
    [
      'new Downloadable("https://host/a.pdf", "b.pdf")',
      { content: 'https://host/a.pdf', filename: 'b.pdf', contentType: null, eTag: null },
    ],
    [
      'const s = new HttpResilienceStrategy(); s.Id = "mine"; s.MaxRetryAttempts = 5; s.Delay = TimeSpan.FromSeconds(2); s',
      {
        id: 'mine',
        displayName: '',
        maxRetryAttempts: 5,
        delay: '00:00:02',
        backoffType: 'Exponential',
        useJitter: true,
      },
    ],
  ]);
});

describe('in a workflow', () => {
  it('spans and dates go into variables and out of them', () => {
    const scope = testScope({ variables: { Wait: '00:05:00', When: new Date(0) } });
    evaluator.compile(
      'setVariable("Wait", TimeSpan.FromHours(1)); variables.Until = DateTime.UnixEpoch.Add(getWait())',
    )(scope);
    expect(scope.variables).toEqual({ Wait: '01:00:00', When: new Date(0), Until: new Date(3_600_000) });
    expect(
      run('DateTime.UtcNow > getWhen() && new DateTimeOffset(getWhen()).Year', { variables: { When: new Date(0) } }),
    ).toBe(1970);
  });

  it('values of types of .NET are arguments of functions of the host', () => {
    const seen: unknown[] = [];
    const scope = testScope();
    evaluator.compile('note(TimeSpan.FromMinutes(5), DateTime.UnixEpoch, Guid.Empty)')(scope, {
      note: (...args: unknown[]) => void seen.push(...args),
    });
    expect(seen).toEqual(['00:05:00', new Date(0), '00000000-0000-0000-0000-000000000000']);
  });

  it('a function of the host with such a name takes its place, and so does a declaration of the script', async () => {
    const own = await JavaScriptEvaluator.create({ globals: [{ name: 'Guid', invoke: () => 'mine' }] });
    expect(own.compile('Guid() + typeof TimeSpan')(testScope())).toBe('minefunction');
    expect(run('const Random = 5; Random')).toBe(5);
    expect(run('class Guid { a = 1 }; new Guid().a')).toBe(1);
    expect(run('TimeSpan = 4; TimeSpan')).toBe(4);
    expect(run('[typeof DateTime, typeof globalThis.DateTime, typeof Nothing]')).toEqual([
      'function',
      'undefined',
      'undefined',
    ]);
  });

  it('what .NET refuses is an error of the script, with the name that it has there', async () => {
    for (const [source, name] of [
      ['DateTime.Parse("soon")', 'FormatException'],
      ['TimeSpan.Parse("soon")', 'FormatException'],
      ['Guid.Parse("soon")', 'FormatException'],
      ['DateTime.UtcNow.ToString("Q")', 'FormatException'],
      ['new DateTime(2024, 2, 30)', 'ArgumentOutOfRangeException'],
      ['DateTime.MaxValue.AddDays(1)', 'ArgumentOutOfRangeException'],
      ['TimeSpan.FromDays(1e9)', 'OverflowException'],
      ['new Random().Next(5, 1)', 'ArgumentOutOfRangeException'],
      ['DateTime.UtcNow.Add(5)', 'TypeError'],
      ['TimeSpan.FromMinutes("x")', 'TypeError'],
    ] as const)
      expect(await failureOf(() => run(source))).toMatchObject({ code: 'WM4003', errorName: name });
    expect(run('try { DateTime.Parse("soon") } catch (e) { e.name + e.message }')).toContain(
      "FormatExceptionString 'soon'",
    );
  });
});

it('a script that has no time to load them times out, and the next one runs as usual', async () => {
  const hasty = await JavaScriptEvaluator.create({ timeoutMs: 1 });
  for (const source of ['DateTime.UnixEpoch', 'DateTime.UnixEpoch.Date', 'TimeSpan.Zero && DateTime.UnixEpoch']) {
    const outcome = await Promise.resolve()
      .then(() => hasty.compile(source)(testScope()))
      .catch((error: { code?: string }) => error.code);
    expect(['WM4001', new Date(0)]).toContainEqual(outcome);
  }
});

describe('nothing of one script reaches the next', () => {
  test.each([
    'DateTime.UtcNow.constructor.mine = 1; DateTime.mine',
    'TimeSpan.Zero.mine = 1; TimeSpan.Zero.mine',
    'Object.getPrototypeOf(TimeSpan.Zero).mine = 1; TimeSpan.Zero.mine',
    'TimeSpan.FromMinutes.mine = 1; TimeSpan.FromMinutes.mine',
    'LogPersistenceMode.mine = 1; LogPersistenceMode.mine',
    'DateTime.MinValue.setTime(0); DateTime.MinValue.mine',
    'Random.Shared.mine = 1; Random.Shared.mine',
    'DateTime.UtcNow.AddDays.mine = 1; DateTime.UtcNow.AddDays.mine',
    'const get = () => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(TimeSpan.Zero), "Days").get; get().mine = 1; get().mine',
  ])('%s', (source) => expect(run(source)).toBeNull());

  it('a script cannot see another time than that of the clock', () => {
    expect(run('Object.getPrototypeOf(DateTime).now()')).toBe(NOW);
    expect(run('[Date.now(), new Date().getTime(), DateTime.UtcNow.constructor.UtcNow.getTime()]')).toEqual([
      NOW,
      NOW,
      NOW,
    ]);
  });

  it('each context has its own types', () => {
    const source = 'Date.prototype.mine = () => 5; DateTime.UtcNow.mine() + DateTime.UtcNow.Day';
    expect([run(source), run(source)]).toEqual([34, 34]);
    expect(run('typeof DateTime.UtcNow.mine')).toBe('undefined');
  });

  test.each([
    'TimeSpan',
    'DateTime',
    'TimeSpan.Zero',
    'DateTime.UtcNow.AddDays',
    'Guid.NewGuid',
    'new Random()',
    'LogPersistenceMode',
  ])('the constructor of %s makes functions of the sandbox', (value) =>
    expect(run(`(${value}).constructor.constructor("return typeof process")()`)).toBe('undefined'),
  );
});

describe('variables of types of .NET', () => {
  const GID = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
  const parts: TestScopeParts = {
    variables: { Span: '01:30:00', Text: '01:30:00', Id: GID, Broken: 'soon' },
    types: { Span: 'TimeSpan', Text: 'String', Id: 'Guid', Broken: 'TimeSpan' },
  };
  test.each<[string, unknown]>([
    ['getSpan().TotalMinutes', 90],
    ['getSpan().totalMinutes', 90],
    ['getVariable("Span").Hours', 1],
    ['variables.Span.Minutes', 30],
    ['getSpan().Add(TimeSpan.FromMinutes(1)).ToString("c")', '01:31:00'],
    ['getSpan() > TimeSpan.FromMinutes(3) && TimeSpan.FromHours(2) > getSpan()', true],
    ['DateTime.UtcNow.Subtract(DateTime.UtcNow.AddHours(-2)) > getSpan()', true],
    ['getSpan() == "01:30:00" && getSpan().Ticks > 0', true],
    ['getSpan().TotalMinutes && getSpan()', '01:30:00'],
    ['getId().ToString("N")', GID.replaceAll('-', '')],
    ['variables.Id.ToString("B")', `{${GID}}`],
    ['newGuid().ToString().length', 36],
    ['newGuid().ToString("N").length', 32],
    [`parseGuid("${GID.toUpperCase()}").Equals(getId())`, true],
    // Also where the script asks whether it has them.
    ['typeof getSpan === "function" && getSpan().TotalMinutes', 90],
    ['typeof getNone === "undefined" && typeof newGuid === "function" && newGuid().ToString("N").length', 32],
    // As in Elsa, and as long as they were texts.
    ['getSpan() == TimeSpan.FromMinutes(90) && getSpan() === variables.Span && getSpan() !== TimeSpan.Zero', true],
    [`getId() === parseGuid("${GID.toUpperCase()}") && getId() == new Guid(getId()) && getId() !== Guid.Empty`, true],
    [
      'const seen = new Map([[getId(), getId().ToString("N").length]]); [seen.get(variables.Id), [getSpan()].includes(getSpan().Add(TimeSpan.Zero))]',
      [32, true],
    ],
    ['switch (getSpan()) { case TimeSpan.FromHours(1): "1"; break; case TimeSpan.FromHours(1.5): "1.5" }', '1.5'],
    // What is not declared as one stays a text, and so does what cannot be read.
    ['typeof getText() + getText().TotalMinutes', 'stringundefined'],
    ['getBroken().TotalMinutes', undefined],
    // Methods of texts still work.
    [
      '[getSpan().TotalHours, getSpan().split(":")[0], newGuid().ToString() && newGuid().replaceAll("-", "").length]',
      [1.5, '01', 32],
    ],
    ['[newGuid().Equals(1), newGuid().length, getId().startsWith("6f"), getSpan().length]', [false, 36, true, 8]],
    // Members of other values are not touched.
    ['[{ Days: 3, TotalHours: 4 }].map((o) => o.Days + o.TotalHours)', [7]],
  ])('%s', (source, expected) => expect(run(source, parts)).toEqual(expected ?? null));

  it('variables of types of .NET take nothing from one script to another, although equal ones are the same object', () => {
    run('const span = getSpan(); span.mark = span.TotalHours; TimeSpan.Zero.mark = 1', parts);
    expect(run('[getSpan().mark, TimeSpan.Zero.mark, getSpan().TotalHours]', parts)).toEqual([
      undefined,
      undefined,
      1.5,
    ]);
    // A script that makes many does not fill the memory of those after it.
    expect(run('let sum = 0; for (let i = 1; i <= 5000; i++) sum += TimeSpan.FromSeconds(i).Seconds; sum')).toBe(
      147_120,
    );
    expect(run('getSpan() === TimeSpan.FromMinutes(90)', parts)).toBe(true);
  });

  it('variables of types of .NET are assigned and written back as text, and only when they have changed', () => {
    const scope = testScope(parts);
    const written: unknown[] = [];
    const setVariable = (name: string, value: unknown): unknown => written.push([name, value]);
    evaluator.compile('variables.Span.TotalHours')({ ...scope, setVariable });
    expect(written).toEqual([]);
    evaluator.compile('setSpan(TimeSpan.FromDays(2)); variables.Span = variables.Span.Add(TimeSpan.FromHours(1))')({
      ...scope,
      setVariable,
    });
    expect(written).toEqual([
      ['Span', '2.00:00:00'],
      ['Span', '02:30:00'],
    ]);
  });
});
