/** How messages get to the client. */
export interface HubWire {
  /** Bytes that wait for the client to read them. */
  readonly waiting: number;
  /** A client that reads too slowly is cut off. */
  send(text: string): void;
  /**
   * Sends a last message, then closes.
   * @param isAbrupt true: what the client still sends is not read, and its own farewell is not awaited
   */
  end(text: string, isAbrupt: boolean): void;
  /** Without a word. */
  cut(): void;
  /** Called every few seconds, by wires that have to be looked after. */
  beat?(now: number): void;
}
