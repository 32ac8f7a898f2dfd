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

  it('names of outgoing requests take turns by their domain', () => {
    ask('a.slow.example');
    ask('b.slow.example');
    for (let n = 0; n < 500; n++) ask(`${n}.slow.example`);
    for (const hostname of ['api.partner.test', 'api.other.test', 'www.partner.test']) ask(hostname);
    now += 500;
    answer(0);
    answer(0);
    expect(asked()).toEqual(['0.slow.example', 'api.partner.test']);
    answer(0);
    answer(0);
    expect(asked()).toEqual(['api.other.test', '1.slow.example']);
  });

  it('names of outgoing requests wait for all others where a name of their domain has taken long, for half a minute', () => {
    const wait = () => {
      for (let n = 0; n < 3; n++) ask(`${n}.${now}.slow.example`);
      for (let n = 0; n < 3; n++) ask(`${n}.${now}.partner.test`);
    };
    ask('first.slow.example');
    ask('other.slow.example');
    wait();
    now += 9000;
    for (let n = 0; n < 4; n++) answer(0);
    expect(asked()).toEqual(['2.0.partner.test', '0.0.slow.example']);
    while (underWay.length > 0) answer(0);
    now += 30_000;
    ask('a.slow.example');
    ask('b.slow.example');
    wait();
    answer(0);
    answer(0);
    expect(asked()).toEqual(['0.39000.slow.example', '0.39000.partner.test']);
  });

  it('names of outgoing requests leave places to other domains, however many names of one wait', () => {
    for (let n = 0; n < 1002; n++) ask(`${n}.slow.example`);
    expect(answers).toEqual([]);
    ask('api.partner.test');
    expect(answers).toEqual(['1001.slow.example EAI_AGAIN']);
    ask('more.slow.example');
    expect(answers).toEqual(['1001.slow.example EAI_AGAIN', 'more.slow.example EAI_AGAIN']);
    answer(0);
    answer(0);
    expect(asked()).toEqual(['2.slow.example', 'api.partner.test']);
  });

  it('names of outgoing requests wait in a limited number', () => {
    for (let n = 0; n < 2000; n++) ask(`host-${n}`);
    expect(underWay).toHaveLength(2);
    expect(answers).toHaveLength(998);
    expect(answers[0]).toBe('host-1002 EAI_AGAIN');
  });
});
