import type { Culture } from './culture.js';

/** How a culture writes numbers. */
export interface NumberSymbols {
  readonly point: string;
  readonly separator: string;
  readonly minus: string;
  /** With `n` for the number. */
  readonly percent: string;
  readonly percentSign: string;
  readonly currency: { readonly digits: number; readonly positive: string; readonly negative: string };
  /** Whole digits with separators between their groups. */
  group(digits: string): string;
}

const invariant: NumberSymbols = {
  point: '.',
  separator: ',',
  minus: '-',
  percent: 'n %',
  percentSign: '%',
  currency: { digits: 2, positive: '¤n', negative: '(¤n)' },
  group: (digits) => digits.replace(/\B(?=(?:\d{3})+$)/g, ','),
};

const known = new Map<string, NumberSymbols>();
/** There are fewer languages, but a name may have any extension. */
const MOST_KNOWN = 1000;

export function numberSymbols({ locale }: Culture): NumberSymbols {
  if (locale === undefined) return invariant;
  let symbols = known.get(locale);
  if (symbols) return symbols;
  symbols = readSymbols(locale);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(locale, symbols);
  return symbols;
}

function readSymbols(locale: string): NumberSymbols {
  const plain = new Intl.NumberFormat(locale, { useGrouping: true, minimumFractionDigits: 1, numberingSystem: 'latn' });
  const part = (type: Intl.NumberFormatPartTypes, value = -1_234_567.5): string =>
    plain.formatToParts(value).find((p) => p.type === type)?.value ?? '';
  const separator = part('group');
  const percent = new Intl.NumberFormat(locale, { style: 'percent', numberingSystem: 'latn' });
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, numberingSystem: 'latn' });
  return {
    point: part('decimal') || '.',
    separator,
    minus: part('minusSign') || '-',
    percent: layoutOf(percent.formatToParts(1)),
    percentSign: percent.formatToParts(1).find((p) => p.type === 'percentSign')?.value ?? '%',
    currency: readCurrency(locale),
    group: (digits) => whole.format(BigInt(digits)),
  };
}

function readCurrency(locale: string): NumberSymbols['currency'] {
  const { region } = new Intl.Locale(locale).maximize();
  const currency = currencyOf(region);
  if (currency === undefined) return invariant.currency;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, numberingSystem: 'latn' });
  return {
    digits: format.resolvedOptions().maximumFractionDigits ?? 2,
    positive: layoutOf(format.formatToParts(1)),
    negative: layoutOf(format.formatToParts(-1)),
  };
}

/** The parts with `n` in place of the digits. */
function layoutOf(parts: readonly Intl.NumberFormatPart[]): string {
  const digits = new Set<string>(['integer', 'group', 'decimal', 'fraction']);
  return parts
    .map(({ type, value }) => (type === 'integer' ? 'n' : digits.has(type) ? '' : value.replaceAll('n', 'N')))
    .join('');
}

const EURO = 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK';
const currencies: Readonly<Record<string, string>> = {
  AE: 'AED',
  AR: 'ARS',
  AU: 'AUD',
  BG: 'BGN',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CL: 'CLP',
  CN: 'CNY',
  CO: 'COP',
  CZ: 'CZK',
  DK: 'DKK',
  EG: 'EGP',
  GB: 'GBP',
  HK: 'HKD',
  HU: 'HUF',
  ID: 'IDR',
  IL: 'ILS',
  IN: 'INR',
  IS: 'ISK',
  JP: 'JPY',
  KR: 'KRW',
  MX: 'MXN',
  MY: 'MYR',
  NG: 'NGN',
  NO: 'NOK',
  NZ: 'NZD',
  PE: 'PEN',
  PH: 'PHP',
  PK: 'PKR',
  PL: 'PLN',
  RO: 'RON',
  RS: 'RSD',
  RU: 'RUB',
  SA: 'SAR',
  SE: 'SEK',
  SG: 'SGD',
  TH: 'THB',
  TR: 'TRY',
  TW: 'TWD',
  UA: 'UAH',
  US: 'USD',
  VN: 'VND',
  ZA: 'ZAR',
};

/** `Intl` does not know which currency a country has. */
function currencyOf(region: string | undefined): string | undefined {
  if (region === undefined) return undefined;
  return EURO.split(' ').includes(region) ? 'EUR' : currencies[region];
}
