import { localOf } from '../../parts/local-moment.js';
import { momentOf, offsetText } from './moments.js';

describe('a moment in a field', () => {
  it.each([
    ['2026-12-24T18:00:00+01:00', '2026-12-24T17:00:00.000Z'],
    ['2026-12-24T18:00:00', '2026-12-24T18:00:00.000Z'],
    ['2026-12-24 18:00', '2026-12-24T18:00:00.000Z'],
    ['2026-12-24', '2026-12-24T00:00:00.000Z'],
    // As .NET writes it.
    ['2026-12-24T18:00:00.1234567Z', '2026-12-24T18:00:00.123Z'],
    ['2026-12-24 18:00:00 +01:00', '2026-12-24T17:00:00.000Z'],
  ])('reads %s as the engine does', (text, moment) => {
    expect(momentOf(text)?.toISOString()).toBe(moment);
  });

  it.each(['', 'tomorrow', '24.12.2026', '2026-13-45T00:00:00Z', '2026'])('treats "%s" as none', (text) => {
    expect(momentOf(text)).toBeUndefined();
  });

  it('is the same moment when it was picked', () => {
    const moment = new Date('2026-07-01T09:30:00Z');
    expect(momentOf(offsetText(moment))).toEqual(moment);
    expect(new Date(localOf(moment))).toEqual(moment);
  });

  it('has a year of four digits from the first key on', () => {
    const typed = '0002-11-30T10:00';
    expect(localOf(new Date(typed))).toBe(typed);
    expect(momentOf(offsetText(new Date(typed)))).toBeDefined();
  });
});
