import { config } from '../app/config.js';

/** How this browser shows who it is. */
export type Credentials =
  | { readonly kind: 'user'; readonly name: string; readonly access: string; readonly refresh: string }
  | { readonly kind: 'key'; readonly key: string };

const NAME = `waymark-studio:${config.base}`;

/**
 * Tokens end within hours, and are shared by all tabs; a key does not end, so it is kept for this tab only. Without either,
 * requests carry what the browser sends by itself: the application's own session.
 */
class Session {
  private credentials = read();
  private asked = false;
  private readonly listeners = new Set<() => void>();

  get current(): Credentials | undefined {
    return this.credentials;
  }

  /** If true, the API wants credentials, and has none that are good. */
  get isAsked(): boolean {
    return this.asked;
  }

  get authorization(): string | undefined {
    if (this.credentials === undefined) return undefined;
    return this.credentials.kind === 'user' ? `Bearer ${this.credentials.access}` : `ApiKey ${this.credentials.key}`;
  }

  begin(credentials: Credentials): void {
    this.store(credentials);
    this.set(credentials, false);
  }

  end(): void {
    this.store(undefined);
    this.set(undefined, true);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** For another tab's login or logout. */
  follow(): void {
    window.addEventListener('storage', ({ key }) => {
      if (key !== NAME) return;
      const credentials = read();
      this.set(credentials, credentials === undefined && this.asked);
    });
  }

  private set(credentials: Credentials | undefined, asked: boolean): void {
    this.credentials = credentials;
    this.asked = asked;
    for (const listener of this.listeners) listener();
  }

  private store(credentials: Credentials | undefined): void {
    const text = credentials && JSON.stringify(credentials);
    localStorage.removeItem(NAME);
    sessionStorage.removeItem(NAME);
    if (text) (credentials.kind === 'user' ? localStorage : sessionStorage).setItem(NAME, text);
  }
}

function read(): Credentials | undefined {
  const text = sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
  return text === null ? undefined : (JSON.parse(text) as Credentials);
}

export const session = new Session();
