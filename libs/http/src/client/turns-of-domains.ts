/** A domain that has kept a thread for long waits for all others until then; so many are remembered. */
const SLOW_FOR_MS = 30_000;
const MOST_SLOW = 1000;

interface Waiting {
  readonly begin: () => void;
  readonly refuse: () => void;
}

/**
 * Names that wait to be resolved, with a turn for each domain: a stranger who makes a workflow call a thousand names of one domain keeps
 * names of the others waiting for a single one. A domain is never refused altogether, since the last two labels of a name, by which they
 * are told apart, may be what many owners share, such as `co.uk`.
 */
export class TurnsOfDomains {
  /** In the order of their turns; none is empty. */
  private readonly lanes = new Map<string, Waiting[]>();
  private readonly slow = new Map<string, number>();
  private size = 0;

  constructor(
    private readonly most: number,
    private readonly now: () => number,
  ) {}

  /** Refuses the latest of the domain that has most, if there are too many: that may be this one. */
  add(hostname: string, waiting: Waiting): void {
    const domain = domainOf(hostname);
    const lane = this.lanes.get(domain);
    if (this.size >= this.most) {
      const [longest, latest] = this.longest();
      if (!latest || latest.length <= (lane?.length ?? 0) + 1) return waiting.refuse();
      this.size--;
      latest.pop()!.refuse();
      if (latest.length === 0) this.lanes.delete(longest);
    }
    this.size++;
    if (lane) lane.push(waiting);
    else this.lanes.set(domain, [waiting]);
  }

  /** Begins with the next one, if there is one. */
  next(): void {
    const domain = this.nextDomain();
    const lane = domain === undefined ? undefined : this.lanes.get(domain);
    if (!lane) return;
    const { begin } = lane.shift()!;
    this.size--;
    this.lanes.delete(domain!);
    if (lane.length > 0) this.lanes.set(domain!, lane);
    begin();
  }

  /** A name of this domain has kept a thread from others. */
  noteSlow(hostname: string): void {
    const domain = domainOf(hostname);
    this.slow.delete(domain);
    this.slow.set(domain, this.now() + SLOW_FOR_MS);
    if (this.slow.size > MOST_SLOW) this.slow.delete(this.slow.keys().next().value!);
  }

  private nextDomain(): string | undefined {
    let first: string | undefined;
    for (const domain of this.lanes.keys()) {
      if ((this.slow.get(domain) ?? 0) <= this.now()) return domain;
      first ??= domain;
    }
    return first;
  }

  private longest(): [string, Waiting[] | undefined] {
    let found: [string, Waiting[] | undefined] = ['', undefined];
    for (const lane of this.lanes) if (lane[1].length > (found[1]?.length ?? 0)) found = lane;
    return found;
  }
}

const domainOf = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '').split('.').slice(-2).join('.');
