/** Transport of one connection. */
export interface HubWire {
  /** Bytes that are buffered until the client reads them. */
  readonly waiting: number;
  /** Ends the connection when more than `liveBufferBytes` would be buffered. */
  send(text: string): void;
  /**
   * Sends a last message, then closes.
   * @param isAbrupt true: reads nothing more, and does not wait for the close handshake of the client
   */
  end(text: string, isAbrupt: boolean): void;
  /** Closes without a message. */
  cut(): void;
  /** Called every few seconds. */
  beat?(now: number): void;
}
