import { HeadStart } from './head-start.js';

let now = 0;
const headStart = () => new HeadStart({ monotonic: () => now });

describe('HeadStart', () => {
  beforeEach(() => void (now = 0));

  it('is five seconds as long as the store answers in time', () => {
    const start = headStart();
    expect(start.ms).toBe(5_000);
    start.note(900);
    expect(start.ms).toBe(5_000);
  });

  it('follows the slowest answer of the last minute, up to the time of a claim', () => {
    const start = headStart();
    start.note(4_000);
    start.note(100);
    expect(start.ms).toBe(12_000);
    now = 30_000;
    start.note(6_000);
    expect(start.ms).toBe(18_000);
    now = 90_000;
    expect(start.ms).toBe(18_000);
    now = 90_001;
    expect(start.ms).toBe(5_000);
    start.note(100);
    expect(start.ms).toBe(5_000);
    start.note(3_600_000);
    expect(start.ms).toBe(30_000);
  });
});
