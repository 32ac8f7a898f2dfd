import { OutgoingNames, type Resolve } from './outgoing-names.js';

type Callback = Parameters<Resolve>[2];

describe('names of outgoing requests', () => {
  let underWay: [string, Callback][];
  let answers: string[];
  let names: OutgoingNames;
  let now: number;

  const ask = (hostname: string): void =>
    names.lookup(hostname, {}, (error, address) => answers.push(`${hostname} ${error?.code ?? String(address)}`));
  const answer = (index: number): void => {
    const [[hostname, callback]] = underWay.splice(index, 1) as [[string, Callback]];
    if (hostname === 'gone') callback(Object.assign(new Error('gone'), { code: 'ENOTFOUND' }), []);
    else callback(null, [{ address: `of ${hostname}`, family: 4 }]);
  };
  const asked = () => underWay.map(([hostname]) => hostname);

  beforeEach(() => {
    underWay = [];
    answers = [];
    now = 0;
    names = new OutgoingNames(
      (hostname, _options, callback) => underWay.push([hostname, callback]),
      2,
      () => now,
    );
  });

  it('names of outgoing requests share a pending look-up of the same name, and are resolved again afterwards', () => {
    ask('a');
    ask('A');
    expect(asked()).toEqual(['a']);
    answer(0);
    expect(answers).toEqual(['a of a', 'A of a']);
    ask('a');
    expect(asked()).toEqual(['a']);
  });

  it('names of outgoing requests wait for slow look-ups, and continue when one of them has succeeded or failed', () => {
    for (const hostname of ['slow', 'gone', 'c', 'd']) ask(hostname);
    expect(asked()).toEqual(['slow', 'gone']);
    answer(1);
    expect([asked(), answers]).toEqual([['slow', 'c'], ['gone ENOTFOUND']]);
    answer(1);
    answer(1);
    expect(answers).toEqual(['gone ENOTFOUND', 'c of c', 'd of d']);
    expect(asked()).toEqual(['slow']);
  });

  it('names of outgoing requests fail at once for half a minute after a slow failure to resolve them', () => {
    ask('gone');
    now += 10_000;
    answer(0);
    now += 29_999;
    ask('gone');
    expect([asked(), answers]).toEqual([[], ['gone ENOTFOUND', 'gone ENOTFOUND']]);
    now += 1;
    ask('gone');
    expect(asked()).toEqual(['gone']);
    now += 999;
    answer(0);
    ask('gone');
    expect(asked()).toEqual(['gone']);
  });

  it('names of outgoing requests wait in a limited number', () => {
    for (let n = 0; n < 2000; n++) ask(`host-${n}`);
    expect(underWay).toHaveLength(2);
    expect(answers).toHaveLength(998);
    expect(answers[0]).toBe('host-1002 EAI_AGAIN');
  });
});
