/** What the server says about this Studio, in a meta tag of the page. */
export interface StudioConfig {
  /** Path of the pages, without a slash at the end. */
  readonly base: string;
  /** Path of the management API, without a slash at the end. */
  readonly api: string;
  /** The application's own login page. */
  readonly loginUrl?: string;
  /** Where the documentation is, without a slash at the end. */
  readonly docs?: string;
}

const DEVELOPMENT: StudioConfig = { base: '', api: '/elsa/api' };

function readConfig(): StudioConfig {
  const text = document.querySelector<HTMLMetaElement>('meta[name="waymark-studio"]')?.content ?? '';
  // Vite's development server leaves the place holder as it is.
  return text.startsWith('{') ? (JSON.parse(text) as StudioConfig) : DEVELOPMENT;
}

export const config = readConfig();

/** Styles that libraries add while they run must carry it, or the content policy refuses them. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
