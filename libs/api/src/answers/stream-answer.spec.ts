import { once } from 'node:events';
import { unzipSync, strFromU8 } from 'fflate';
import { arrayStream, listStream, zipAnswer } from './stream-answer.js';
import { type NamedText, zipped } from './zipped.js';

/** Files that note how many were asked for, and whether the end was noticed. */
function counted(files: readonly NamedText[]) {
  const source = { asked: 0, isEnded: false, files: read() };
  async function* read() {
    try {
      for (const file of files) {
        source.asked++;
        yield file;
      }
    } finally {
      source.isEnded = true;
    }
  }
  return source;
}
const bytesOf = async (chunks: AsyncIterable<Uint8Array | string>) => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(Buffer.from(chunk));
  return Buffer.concat(all);
};
/** Text that does not become shorter. */
const noise = (length: number) => {
  let [text, seed] = ['', 7];
  while (text.length < length) text += (seed = (seed * 48_271) % 2_147_483_647).toString(36);
  return text;
};

describe('archives that are made while they are sent', () => {
  it('archives that are made while they are sent contain the given files under unique names', async () => {
    const long = noise(300_000);
    const files = [
      { name: '../a.json', text: 'first' },
      { name: 'a.json', text: '' },
      { name: '__proto__', text: 'x' },
      { name: 'long.json', text: long },
      { name: 'é', text: 'ü' },
    ];
    const archive = await zipAnswer('all.zip', counted(files).files);
    expect(archive.getHeaders().disposition).toContain('filename=all.zip');
    const bytes = await bytesOf(archive.getStream());
    // Read by its directory: `unzipSync` would lose the entry named as a prototype.
    const read = Object.fromEntries(
      Object.entries(unzipSync(bytes, { filter: ({ name }) => name !== '__proto__' })).map(([name, data]) => [
        name,
        strFromU8(data),
      ]),
    );
    expect(read).toEqual({ 'a.json': 'first', 'a-2.json': '', 'long.json': long, é: 'ü' });
    expect(bytes.includes('__proto__')).toBe(true);
    expect(unzipSync(await bytesOf(zipped(counted([]).files)))).toEqual({});
  });

  it('request only files that are read, and none after the client has disconnected', async () => {
    const files = Array.from({ length: 50 }, (_, n) => ({ name: `${n}`, text: noise(200_000) }));
    const source = counted(files);
    const stream = (await zipAnswer('all.zip', source.files)).getStream();
    expect(source.asked).toBe(1);
    await once(stream, 'readable');
    stream.read(1000);
    expect(source.asked).toBeLessThan(5);
    stream.destroy();
    await once(stream, 'close');
    expect([source.asked < 5, source.isEnded]).toEqual([true, true]);
  });

  it('archives that are made while they are sent are refused at once when the first file cannot be made, and end early when a later one cannot', async () => {
    async function* failing(after: number) {
      for (let n = 0; n < after; n++) yield { name: `${n}`, text: noise(100_000) };
      throw new Error('gone');
    }
    await expect(zipAnswer('all.zip', failing(0))).rejects.toThrow('gone');
    const stream = (await zipAnswer('all.zip', failing(3))).getStream();
    await expect(bytesOf(stream)).rejects.toThrow('gone');
  });

  it('archives that are made while they are sent end at the limit of the format', async () => {
    const files = [1, 2, 3].map((n) => ({ name: `${n}`, text: noise(10_000) }));
    await expect(bytesOf(zipped(counted(files).files, 15_000))).rejects.toThrow('4 GB');
  });
});

describe('lists that are made while they are sent', () => {
  const textOf = async (answer: ReturnType<typeof arrayStream>) =>
    (await bytesOf((await answer).getStream())).toString('utf8');
  async function* parts(...some: readonly (readonly unknown[])[]) {
    yield* some;
  }

  it('lists that are made while they are sent have the same JSON as other answers', async () => {
    expect(JSON.parse(await textOf(arrayStream(parts([], [1, { a: undefined }], [], ['"']))))).toEqual([1, {}, '"']);
    expect(await textOf(arrayStream(parts()))).toBe('[]');
    const at = new Date(0);
    expect(await textOf(listStream('ids', parts(['a'], ['b']), { at, n: 1 }))).toBe(
      '{"at":"1970-01-01T00:00:00+00:00","n":1,"ids":["a","b"]}',
    );
    expect(await textOf(listStream('ids', parts()))).toBe('{"ids":[]}');
  });

  it('lists that are made while they are sent are refused at once when the first part cannot be made', async () => {
    // oxlint-disable-next-line require-yield -- it fails before
    async function* failing(): AsyncGenerator<unknown[], void> {
      throw new Error('gone');
    }
    await expect(listStream('ids', failing())).rejects.toThrow('gone');
    await expect(arrayStream(failing())).rejects.toThrow('gone');
  });
});
