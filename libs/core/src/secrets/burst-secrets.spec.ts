import { describe, expect, it } from '@jest/globals';
import { BurstSecrets } from './burst-secrets.js';

const SECRET = 'DE02120300000000202051';
const cookies = Array.from({ length: 400 }, (_, i) => `p${i}=AAAAAAAAAA${String(i).padStart(3, '0')}`).join('; ');

describe('what strangers send does not make a burst forget its secrets', () => {
  it.each<[string, (secrets: BurstSecrets) => void]>([
    ['a value that is stored encrypted', (secrets) => secrets.encrypt({ iban: SECRET })],
    ['a sensitive input', (secrets) => secrets.use(SECRET)],
    ['a secret of the host', (secrets) => secrets.name(SECRET, 'bank')],
  ])('%s is hidden after a long header was received', (_, note) => {
    const secrets = new BurstSecrets();
    note(secrets);
    secrets.receiveHeader('cookie', cookies);
    expect([secrets.mask(`to ${SECRET}`), secrets.maskError(`no account ${SECRET}`)]).toEqual([
      'to (redacted)',
      'no account (redacted)',
    ]);
    expect(secrets.mask('one AAAAAAAAAA399')).toBe('one (redacted)');
  });

  it('neither do many sensitive inputs make it forget a value that is stored encrypted', () => {
    const secrets = new BurstSecrets();
    secrets.encrypt(SECRET);
    for (let i = 0; i < 300; i++) secrets.use(`sensitive-${i}`);
    expect(secrets.mask(SECRET)).toBe('(redacted)');
  });

  it('another burst takes over both kinds', () => {
    const first = new BurstSecrets();
    first.encrypt(SECRET);
    first.receive(['received-1234', 'received-5678']);
    const second = new BurstSecrets();
    second.add(first);
    expect(second.mask(`${SECRET} and received-1234`)).toBe('(redacted) and (redacted)');
    expect([second.hasKnown, second.wasReceived('received-5678')]).toEqual([true, true]);
  });
});

it('credentials that came with a request are found in other texts, those of the workflow are not', () => {
  const secrets = new BurstSecrets();
  secrets.receiveHeader('Authorization', 'Bearer of-the-caller-1234');
  secrets.receive('pin');
  secrets.use('of-the-workflow-1234');
  const texts = ['Basic of-the-caller-1234', 'pin', 'a pin', 'of-the-workflow-1234', ''];
  expect(texts.map((text) => secrets.holdsReceived(text))).toEqual([true, true, false, false, false]);
});
