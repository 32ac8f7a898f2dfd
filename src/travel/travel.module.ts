import { Module } from '@nestjs/common';
import { BookReservation, CancelReservation } from './reservation.activities.js';
import { TravelBooking } from './travel-booking.workflow.js';
import { TravelProviders } from './travel-providers.js';

/** The sample saga: steps that are undone when a later one fails. */
@Module({ providers: [TravelProviders, BookReservation, CancelReservation, TravelBooking] })
export class TravelModule {}
