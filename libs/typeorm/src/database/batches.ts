import { clearTimeout, setTimeout } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** When it is better to wait for more: a batch costs about as much as some ten items, and two lanes halve the batches. */
export interface Gathering {
  /** Items of a large batch, which others wait for. */
  readonly large: number;
  /** Waiting items that do not wait any longer. */
  readonly enough: number;
  /** Milliseconds after which they do not either: the batch under way may wait for the disk. */
  readonly longestMs: number;
}

export interface BatchOptions<Item, Answer> {
  /** Batches under way at the same time. While all are, what comes in gathers for the next one. */
  readonly lanes: number;
  /** While a large batch is under way, a further lane is taken by a large one only. Default: every lane is taken at once. */
  readonly gathering?: Gathering;
  /** Items of one batch at most. */
  readonly maxItems: number;
  /** Sum of the weights in one batch at most; a heavier item is a batch of its own. Default: items weigh nothing. */
  readonly maxWeight?: number;
  readonly weigh?: (item: Item) => number;
  /** Answers in the order of the items; an answer that is a promise is not held against the lanes. When it fails, nothing has happened, unless `isFinal` says otherwise. */
  readonly together: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>;
  /** What is done with each when `together` failed. It may wait for others: it is not held against the lanes. */
  readonly alone: (item: Item) => Promise<Answer>;
  /** True for an error that all members of the group receive, because a repetition could do the work twice. Default: none. */
  readonly isFinal?: (error: unknown) => boolean;
  /**
   * An error that those who wait would meet as well, such as that of a server which has answered nothing for as long as it is waited for: they
   * receive it now, or the last of them would after as many batches as there are. Default: none is.
   */
  readonly isOfAll?: (error: unknown) => boolean;
  /**
   * An error of few among many, for which `alone` would wait: the batch is done again in halves, so that the others go
   * through together. Default: none is.
   */
  readonly isOfFew?: (error: unknown) => boolean;
}

interface Entry<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer | PromiseLike<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does together what is asked for at the same time. No request waits for others: the first goes at the end of this turn of
 * the event loop, and batches form of what comes while others are under way. Each item fails alone: a batch that fails is
 * done again item by item.
 */
export class Batches<Item, Answer> {
  private readonly waiting: Entry<Item, Answer>[] = [];
  private readonly running = new Set<Promise<void>>();
  /** Large batches under way. */
  private large = 0;
  private gatheringEnds: NodeJS.Timeout | undefined;
  private hasGathered = false;
  private scheduled = false;

  constructor(private readonly options: BatchOptions<Item, Answer>) {}

  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  /** Those who were just answered get to ask again before the next batch is made up. */
  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0 || this.running.size >= this.options.lanes) return;
    if (this.gathersMore()) return;
    this.scheduled = true;
    void nextTurn().then(() => this.start());
  }

  private start(): void {
    this.scheduled = false;
    this.endGathering();
    const entries = this.take();
    const isLarge = entries.length >= (this.options.gathering?.large ?? Infinity);
    if (isLarge) this.large++;
    const batch: Promise<void> = this.run(entries).finally(() => {
      this.running.delete(batch);
      if (isLarge) this.large--;
      this.schedule();
    });
    this.running.add(batch);
    this.schedule();
  }

  private gathersMore(): boolean {
    const { gathering } = this.options;
    if (!gathering || this.large === 0 || this.hasGathered || this.waiting.length >= gathering.enough) return false;
    this.gatheringEnds ??= setTimeout(() => {
      this.hasGathered = true;
      this.schedule();
    }, gathering.longestMs);
    return true;
  }

  private endGathering(): void {
    clearTimeout(this.gatheringEnds);
    this.gatheringEnds = undefined;
    this.hasGathered = false;
  }

  private take(): Entry<Item, Answer>[] {
    const { maxItems, maxWeight = Infinity, weigh } = this.options;
    if (!weigh) return this.waiting.splice(0, maxItems);
    let [count, weight] = [0, 0];
    for (const { item } of this.waiting) {
      weight += weigh(item);
      if (count > 0 && (weight > maxWeight || count >= maxItems)) break;
      count++;
    }
    return this.waiting.splice(0, count);
  }

  private async run(entries: readonly Entry<Item, Answer>[]): Promise<void> {
    const { together, alone, isFinal, isOfAll, isOfFew } = this.options;
    try {
      const answers = await together(entries.map(({ item }) => item));
      for (const [index, { resolve }] of entries.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (isOfAll?.(error) === true) for (const { reject } of this.waiting.splice(0)) reject(error);
      const everybodys = isFinal?.(error) === true;
      if (!everybodys && entries.length > 1 && isOfFew?.(error) === true) {
        const half = entries.length >> 1;
        await this.run(entries.slice(0, half));
        return this.run(entries.slice(half));
      }
      for (const { item, resolve, reject } of entries) {
        if (everybodys) reject(error);
        else resolve(alone(item));
      }
    }
  }
}
