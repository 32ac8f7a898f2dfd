import { Inject, Injectable } from '@nestjs/common';
import { sha256 } from '../engine/identity.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';

/** So many turns lie below 0 in an integer column. */
const TURNS = 2 ** 31 - 1;
const HEX_DIGITS = 12;

interface Places {
  readonly limit: number;
  taken: number;
  /** Kept for a claim that is under way. */
  reserved: number;
}

/** The turn at which dispatched starts of a definition wait for a place: below 0, and the same on each node. */
export function waitingTurnOf(definitionId: string): number {
  return -1 - (Number.parseInt(sha256(definitionId).slice(0, HEX_DIGITS), 16) % TURNS);
}

/** The turn at which work waits for a node that has the code of that version. */
export const codeTurnOf = (definitionVersionId: string): number => waitingTurnOf(`code of ${definitionVersionId}`);

/**
 * How many dispatched instances of each definition run on this node, where the host limits them. Places are kept by turn:
 * should two limited definitions have the same one, by a chance of one in two thousand million, they share the smaller limit.
 */
@Injectable()
export class DispatchLimits {
  private readonly turns = new Map<string, number>();
  private readonly places = new Map<number, Places>();
  /** By the id of the message that has a place. */
  private readonly holders = new Map<string, Places>();

  constructor(@Inject(RUNTIME_OPTIONS) { dispatchLimits }: ResolvedRuntimeOptions) {
    for (const [definitionId, given] of Object.entries(dispatchLimits)) {
      const turn = waitingTurnOf(definitionId);
      const limit = Math.min(given, this.places.get(turn)?.limit ?? given);
      this.turns.set(definitionId, turn);
      this.places.set(turn, { limit, taken: 0, reserved: 0 });
    }
  }

  get areSet(): boolean {
    return this.turns.size > 0;
  }

  /** Undefined: this node does not limit it. */
  turnOf(definitionId: string): number | undefined {
    return this.turns.get(definitionId);
  }

  /** Places that are neither taken nor reserved; without a limit of this node there is always one. */
  free(turn: number): number {
    const places = this.places.get(turn);
    return places ? Math.max(0, places.limit - places.taken - places.reserved) : Infinity;
  }

  /** @returns whether the message has a place, also if it had it before */
  take(turn: number, messageId: string): boolean {
    const places = this.places.get(turn);
    if (!places || this.holders.has(messageId)) return true;
    if (this.free(turn) === 0) return false;
    places.taken++;
    this.holders.set(messageId, places);
    return true;
  }

  giveBack(messageId: string): void {
    const places = this.holders.get(messageId);
    if (!places) return;
    places.taken--;
    this.holders.delete(messageId);
  }

  /** Keeps places for what a claim may bring; a negative number gives them back. */
  reserve(turn: number, count: number): void {
    const places = this.places.get(turn);
    if (places) places.reserved += count;
  }
}
