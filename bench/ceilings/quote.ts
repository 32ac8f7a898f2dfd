import type { QUOTE_ANSWER } from '../workflows/quote.js';

export interface QuoteQuery {
  readonly customer: string;
  readonly amount: string;
}

/** The quote workflow as a function: what a developer writes who needs no workflow. */
export function quote({ customer, amount }: QuoteQuery): typeof QUOTE_ANSWER {
  const total = Number(amount) * 1.21;
  const size = total > 100 ? 'large' : 'small';
  return { message: `Dear ${customer}, your ${size} order costs ${total}.`, total };
}
