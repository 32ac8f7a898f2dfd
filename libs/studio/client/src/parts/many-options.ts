/** More that are drawn when a field is opened would keep the page from answering. */
const MOST = 200;

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The choices of a `Select`. Of many, those are drawn that match what is typed, as far as there is room. */
export const manyOptions = (data: readonly Option[]) =>
  data.length > MOST ? { data: [...data], searchable: true, limit: MOST } : { data: [...data] };
