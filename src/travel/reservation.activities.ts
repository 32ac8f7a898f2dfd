import { Activity, ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/core';
import { type Reservable, TravelProviders } from './travel-providers.js';

/** A provider that does not answer is asked again; one that has nothing left is not. */
const PATIENT = { retryPolicy: { maxAttempts: 5, delay: '00:00:05', errors: ['ProviderUnavailableError'] } };

@Activity({ category: 'Travel', description: 'Books a flight, a hotel or a car.', customProperties: PATIENT })
export class BookReservation extends ActivityBase {
  @Input({ description: 'What to book: flight, hotel or car.' })
  what!: Reservable;

  @Input({ description: 'Where to.' })
  destination!: string;

  @Output({ type: 'String', description: 'Number of the reservation.' })
  reservation?: string;

  constructor(private readonly providers: TravelProviders) {
    super();
  }

  execute(ctx: ActivityExecutionContext): void {
    this.reservation = this.providers.book(this.what, this.destination, ctx.idempotencyKey);
  }
}

@Activity({ category: 'Travel', description: 'Cancels a reservation.', customProperties: PATIENT })
export class CancelReservation extends ActivityBase {
  @Input({ description: 'Number of the reservation.' })
  reservation!: string;

  constructor(private readonly providers: TravelProviders) {
    super();
  }

  execute(): void {
    this.providers.cancel(this.reservation);
  }
}
