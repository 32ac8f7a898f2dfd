import { Inject } from '@nestjs/common';
import {
  type ActivityBuilder,
  activity,
  catchError,
  type CaughtError,
  compensable,
  correlate,
  inline,
  sequence,
  setOutput,
  trigger,
  tryCatch,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import { Event, Workflow, type WorkflowBuilder } from '@waymark/runtime';
import { HOST_SETTINGS, type HostSettings } from '../settings/host-settings.js';
import { BookReservation, CancelReservation } from './reservation.activities.js';
import { NothingAvailableError, TripInputError } from './travel-errors.js';
import type { Reservable } from './travel-providers.js';
import { readTripRequest, type TripRequest } from './trip-input.js';

/**
 * A trip is a flight, a hotel and a car, or nothing: where one of them cannot be had, those that are booked are cancelled, the
 * last one first. The hotel confirms a cancellation when it likes, which may be days later.
 */
@Workflow({ id: 'travel-booking', name: 'Travel booking' })
export class TravelBooking implements WorkflowBuilder {
  constructor(@Inject(HOST_SETTINGS) private readonly settings: HostSettings) {}

  build(w: WorkflowDefinitionBuilder): void {
    const request = w.variable<unknown>('Request');
    const refusal = w.variable<CaughtError | null>('Refusal');
    const destination = w.variable<string>('Destination', { type: 'String' });
    const bookingId = w.variable<string>('BookingId', { type: 'String' });
    const reservation = w.variable<string>('Reservation', { type: 'String' });
    const outcome = w.output<string>('Outcome', { type: 'String' });

    const received = trigger(
      HttpEndpoint,
      { path: 'travel-bookings', supportedMethods: ['POST'], authorize: this.settings.users.length > 0 },
      { id: 'Received', outputs: { parsedContent: request } },
    );
    const accept = inline((ctx) => {
      const trip: TripRequest = readTripRequest(request.get(ctx));
      destination.set(ctx, trip.destination);
      bookingId.set(ctx, ctx.workflow.id);
    });
    const accepted = activity(
      WriteHttpResponse,
      { statusCode: 'Accepted', content: (scope) => ({ bookingId: bookingId.get(scope) }) },
      { id: 'Accepted' },
    );
    const book = (what: Reservable): ActivityBuilder =>
      activity(BookReservation, { what, destination }, { id: `Book-${what}`, outputs: { reservation } });
    // Each undo sees the variables as they were when its own step was done.
    const cancel = (what: Reservable): ActivityBuilder =>
      activity(CancelReservation, { reservation }, { id: `Cancel-${what}` });
    const hotelConfirms = activity(
      Event,
      { eventName: (scope) => `hotel-cancelled:${bookingId.get(scope)}` },
      { id: 'Hotel-confirms' },
    );

    const trip = tryCatch(
      [
        compensable(book('flight'), { id: 'Flight', undo: cancel('flight') }),
        compensable(book('hotel'), { id: 'Hotel', undo: [cancel('hotel'), hotelConfirms] }),
        compensable(book('car'), { id: 'Car', undo: cancel('car') }),
        setOutput(outcome, 'booked'),
      ],
      {
        id: 'Trip',
        catches: [
          catchError(NothingAvailableError, (error) =>
            setOutput(outcome, (scope) => `not booked: ${error.get(scope).message}`),
          ),
        ],
      },
    );
    const refuse = activity(
      WriteHttpResponse,
      { statusCode: 'BadRequest', content: (scope) => ({ message: refusal.get(scope)?.message }) },
      { id: 'Refused' },
    );
    w.description('Books a flight, a hotel and a car, or none of them.').root(
      tryCatch(sequence([received, accept, correlate(bookingId), accepted, trip]), {
        id: 'Request',
        outputs: { error: refusal },
        catches: [catchError(TripInputError, refuse)],
      }),
    );
  }
}
