import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { NothingAvailableError } from './travel-errors.js';

export type Reservable = 'flight' | 'hotel' | 'car';

const NO_CARS = ['venice', 'zermatt'];

/**
 * Stands for the systems of an airline, a hotel and a car rental. Like those it recognises a repeated request by its key: who
 * asks again gets the reservation that there is.
 */
@Injectable()
export class TravelProviders {
  private readonly logger = new WorkflowLogger('Travel');

  /** @returns the number of the reservation @throws NothingAvailableError */
  book(what: Reservable, destination: string, key: string): string {
    if (what === 'car' && NO_CARS.includes(destination.toLowerCase()))
      throw new NothingAvailableError(`There are no cars in ${destination}.`);
    const reservation = `${what}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
    this.logger.log(`Booked ${reservation} for ${destination}`);
    return reservation;
  }

  cancel(reservation: string): void {
    this.logger.log(`Cancelled ${reservation}`);
  }
}
