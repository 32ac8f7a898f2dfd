import { Injectable } from '@nestjs/common';

/** Asking again does not help: the order is undone. */
export class CannotBeFulfilledError extends Error {
  override readonly name = 'CannotBeFulfilledError';
}

/**
 * Stand for the systems of a warehouse, a bank and a carrier. Like those they recognise a repeated request by its key: a step that is
 * executed again after a crash gets the answer that there is.
 */
abstract class RemoteSystem {
  /** What is held, by number. */
  readonly held = new Map<string, string>();
  /** What was done and undone, in order. */
  readonly log: string[] = [];

  protected take(kind: string, key: string, what: string): string {
    const id = `${kind}-${key}`;
    if (!this.held.has(id)) {
      this.held.set(id, what);
      this.log.push(`took ${what}`);
    }
    return id;
  }

  giveBack(id: string): void {
    const what = this.held.get(id);
    if (what === undefined) return;
    this.held.delete(id);
    this.log.push(`gave back ${what}`);
  }
}

@Injectable()
export class Warehouse extends RemoteSystem {
  private readonly stock = new Map([
    ['tea', 100],
    ['anvil', 1],
  ]);

  reserve(item: string, count: number, key: string): string {
    if ((this.stock.get(item) ?? 0) < count) throw new CannotBeFulfilledError(`there are not ${count} of ${item}`);
    return this.take('reservation', key, `${count} ${item}`);
  }
}

@Injectable()
export class Bank extends RemoteSystem {
  charge(card: string, cents: number, key: string): string {
    if (card.endsWith('0000')) throw new CannotBeFulfilledError('the card is declined');
    return this.take('payment', key, `${cents} cents`);
  }
}

@Injectable()
export class Carrier extends RemoteSystem {
  ship(item: string, key: string): string {
    if (item === 'anvil') throw new CannotBeFulfilledError('no carrier takes an anvil');
    return this.take('parcel', key, item);
  }
}
