import { zipSync } from 'fflate';
import { anonymousRequest, apiRequest, type HostileRequest } from './hostile-request.js';
import { chancesOf, type Chances } from './seeded.js';

const BOUNDARIES = ['x', '--', 'a b', "'()+_,-./:=?", '='.repeat(70), '\\r\\n', '0', 'x'.repeat(200)];
const FIELDS = ['files', 'a', '__proto__', 'constructor', '', 'a[b]', 'a'.repeat(3000), 'ü', '\0', 'x"; filename="y'];
const FILENAMES = [
  'a.json',
  'a.zip',
  '../../a.json',
  '..\\a.json',
  '__proto__',
  'C:\\a',
  '/etc/passwd',
  '\0.json',
  '',
  '.',
  'a'.repeat(9000),
  '\r\nX-Injected: y',
  '%00',
  'ﬀ.zip',
];
const TYPES = [
  'application/json',
  'application/zip',
  'text/plain; charset=utf-7',
  '',
  '/',
  'multipart/mixed; boundary=x',
];
const HEADS = [
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: x',
  'Content-Disposition: inline',
  ': a',
  'a',
];
const ENDS = ['--\r\n', '--\r\n', '--\r\n', '--', '\r\n', '', '-'];

/** A multipart body with odd boundaries, parts, names and ends, to endpoints and to imports. */
export function randomForm(seed: number): HostileRequest {
  const chances = chancesOf(seed);
  const { next, pick } = chances;
  const boundary = pick(BOUNDARIES);
  const body = formOf(chances, boundary);
  const cut = next(4) ? body : body.subarray(0, next(body.length + 1));
  const announced = next(8) ? boundary : pick(BOUNDARIES);
  const type = { 'Content-Type': `multipart/form-data; boundary=${next(2) ? announced : `"${announced}"`}` };
  const toApi = pick(['/workflow-definitions/import-files', '/bulk-actions/import/workflow-instances']);
  return next(2)
    ? anonymousRequest(`form ${seed}`, pick(['/workflows/echo', '/workflows/keep']), () => cut, type)
    : apiRequest(`form ${seed}`, toApi, () => cut, { type });
}

function formOf(chances: Chances, boundary: string): Buffer {
  const { next, pick, some } = chances;
  const count = next(20) ? next(6) : pick([999, 1001, 3000]);
  const pieces = Array.from({ length: count }, () => {
    const filename = next(3) ? `; filename="${pick(FILENAMES)}"` : pick(['', "; filename*=UTF-8''%ff%", '; filename=']);
    const name = next(8) ? `; name="${pick(FIELDS)}"` : pick(['', '; name', "; name*=UTF-8''%ff%", '; name=']);
    const more = some(3, () => `\r\n${pick(HEADS)}`).join('');
    const disposition = `form-data${next(4) ? name + filename : filename + name}`;
    const head = `Content-Disposition: ${disposition}\r\nContent-Type: ${pick(TYPES)}${more}`;
    return Buffer.concat([
      Buffer.from(`--${boundary}\r\n${head}${pick(['\r\n\r\n', '\r\n\r\n', '\r\n\r\n', '\r\n', '\n\n'])}`),
      contentOf(chances, boundary, count > 10),
      Buffer.from(pick(['\r\n', '\r\n', '\r\n', '\n', ''])),
    ]);
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}${pick(ENDS)}`)]);
}

function contentOf(chances: Chances, boundary: string, isShort: boolean): Buffer {
  const { next, pick } = chances;
  switch (isShort ? 0 : next(6)) {
    case 1:
      return randomZip(chances);
    case 2:
      // Nearly the boundary, many times.
      return Buffer.from(`\r\n--${boundary.slice(0, -1)}`.repeat(next(20_000)));
    case 3:
      return Buffer.from(`--${boundary}\r\n`.repeat(next(200)));
    case 4:
      return Buffer.alloc(next(200_000), next(256));
    default:
      return Buffer.from(
        pick(['{}', '[]', '{"root":{"type":"Elsa.Sequence"}}', '', '{', '\ufeff{}', 'null', '[null]']),
      );
  }
}

/** An archive, as often as not with a few bytes of it changed. */
export function randomZip({ next, pick, some }: Chances): Buffer {
  // The library cannot write one name, so it is put there afterwards.
  const names = some(5, () => pick(FILENAMES.filter((name) => name !== '')).replace('__proto__', '__prot0__'));
  const files = Object.fromEntries(names.map((name) => [name, new Uint8Array(next(3000)).fill(next(256))]));
  const zip = Buffer.from(zipSync(files, { level: pick([0, 9]) }));
  for (let at = zip.indexOf('__prot0__'); at >= 0; at = zip.indexOf('__prot0__')) zip.write('__proto__', at);
  if (next(2)) for (let times = next(8); times > 0; times--) zip[next(zip.length)] = next(256);
  return next(4) ? zip : zip.subarray(0, next(zip.length));
}
