/** So many pieces are made one: few enough for the next collection, which is quick, to take them away. */
const PIECES = 1024;

/**
 * A text that is made of many pieces. Added to one text, each piece is an object of its own until the text is read: those of a million
 * notes took the collector longer than all else took to write them.
 */
export class LongText {
  private pieces: string[] = [];
  private readonly written: string[] = [];

  add(piece: string): void {
    if (this.pieces.push(piece) < PIECES) return;
    this.written.push(this.pieces.join(''));
    this.pieces = [];
  }

  /** All of it, once. */
  take(): string {
    this.written.push(this.pieces.join(''));
    this.pieces = [];
    return this.written.length === 1 ? this.written[0]! : this.written.join('');
  }
}
