import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/nestjs';

/** Stands for the accounts, in a database of your own. */
@Injectable()
export class Accounts {
  private readonly bookings = new Map<string, { number: number; invoice: string; cents: number }>();

  /** By the key of the step, so that one which is executed again after a crash finds its booking. */
  book(key: string, invoice: string, cents: number): number {
    const known = this.bookings.get(key);
    if (known) return known.number;
    const number = this.bookings.size + 1;
    this.bookings.set(key, { number, invoice, cents });
    return number;
  }

  paid(invoice: string): number {
    return [...this.bookings.values()]
      .filter((booking) => booking.invoice === invoice)
      .reduce((sum, { cents }) => sum + cents, 0);
  }
}

@Activity({ category: 'Payments', description: 'Books a payment on an invoice.' })
export class BookPayment extends ActivityBase {
  @Input() invoice!: string;
  @Input() cents!: number;
  @Output({ type: 'Int32' }) booking?: number;

  constructor(private readonly accounts: Accounts) {
    super();
  }

  execute(ctx: ActivityExecutionContext): void {
    this.booking = this.accounts.book(ctx.idempotencyKey, this.invoice, this.cents);
  }
}
