import { config } from '../app/config.js';
import { ofBrowser, ofTab } from './browser-shelf.js';

/** How this browser shows who it is. */
export type Credentials =
  | { readonly kind: 'user'; readonly name: string; readonly access: string; readonly refresh: string }
  | { readonly kind: 'key'; readonly key: string };

const NAME = `waymark-studio:${config.base}`;
/** Written when a person logs out, and removed at once: other tabs do the same. */
const LEAVING = `${NAME}:leaving`;

/**
 * Tokens end within hours, and are shared by all tabs; a key does not end, so it is kept for this tab only. Without either,
 * requests carry what the browser sends by itself: the application's own session.
 */
class Session {
  private credentials = read();
  private before: Credentials | undefined;
  private asked = false;
  private people = 0;
  private hasShown = false;
  private own: string | undefined;
  private readonly listeners = new Set<() => void>();

  get current(): Credentials | undefined {
    return this.credentials;
  }

  /** If true, the API wants credentials, and has none that are good. */
  get isAsked(): boolean {
    return this.asked;
  }

  /** Whose login has expired: what this person has written is still on the page. */
  get expired(): Credentials | undefined {
    return this.before;
  }

  /** If true, the API has answered in this tab: what is on the page must not vanish unasked. */
  get isShown(): boolean {
    return this.hasShown;
  }

  /** Another number for each person who uses this tab: what one of them has seen and written is not for the next. */
  get person(): number {
    return this.people;
  }

  /** Whose the application's own session is, where requests carry that and the API has told; undefined: not known. */
  get ownPerson(): string | undefined {
    return this.credentials || this.before ? undefined : this.own;
  }

  get authorization(): string | undefined {
    return headerOf(this.credentials);
  }

  /** The same of a login that has expired: what it allowed stays on the page. */
  get lastAuthorization(): string | undefined {
    return headerOf(this.credentials ?? this.before);
  }

  begin(credentials: Credentials): void {
    this.store(credentials);
    this.set(credentials, false);
  }

  /** By the server, in the middle of something. */
  expire(): void {
    const { credentials } = this;
    this.before ??= credentials;
    // A key is of this tab: others may have a login.
    if (credentials?.kind === 'key') ofTab.removeItem(NAME);
    else this.store(undefined);
    this.set(undefined, true);
  }

  /** By the person. */
  end(): void {
    ofBrowser.setItem(LEAVING, '1');
    ofBrowser.removeItem(LEAVING);
    this.store(undefined);
    this.leave();
  }

  /** The API has answered. */
  answered(): void {
    this.hasShown = true;
  }

  /**
   * The application's own session is there, or there again, such as after a login in another tab.
   * @param who has it, where the API tells. Another one than before is another person, also where nothing has expired between
   */
  resume(who?: string): void {
    if (this.credentials || this.before) return;
    const isOther = this.own !== undefined && who !== undefined && this.own !== who;
    if (isOther) this.people++;
    this.own = who ?? this.own;
    if (this.asked || isOther) this.set(undefined, false);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** For another tab's login or logout. */
  follow(): void {
    window.addEventListener('storage', ({ key, newValue }) => {
      if (key === LEAVING && newValue !== null) this.leave();
      if (key !== NAME) return;
      const credentials = read();
      if (credentials === undefined) this.before ??= this.credentials;
      this.set(credentials, credentials === undefined && this.asked);
    });
  }

  private leave(): void {
    this.before = undefined;
    this.own = undefined;
    this.people++;
    this.set(undefined, true);
  }

  private set(credentials: Credentials | undefined, asked: boolean): void {
    if (credentials) {
      const last = this.credentials ?? this.before;
      if (!last || !isSamePerson(last, credentials)) this.people++;
      this.before = undefined;
    }
    this.credentials = credentials;
    this.asked = asked;
    for (const listener of this.listeners) listener();
  }

  private store(credentials: Credentials | undefined): void {
    // Written before anything is removed: another tab would see a moment without a login.
    const place = credentials && (credentials.kind === 'user' ? ofBrowser : ofTab);
    // Without room, such as beside long drafts that could not be saved, this tab has them in memory, and can save those now.
    place?.setItem(NAME, JSON.stringify(credentials));
    for (const each of [ofBrowser, ofTab]) if (each !== place) each.removeItem(NAME);
  }
}

function read(): Credentials | undefined {
  const text = ofTab.getItem(NAME) ?? ofBrowser.getItem(NAME);
  try {
    return text === null ? undefined : (JSON.parse(text) as Credentials);
  } catch {
    // Damaged: it asks for a login.
    return undefined;
  }
}

function headerOf(credentials: Credentials | undefined): string | undefined {
  if (credentials === undefined) return undefined;
  return credentials.kind === 'user' ? `Bearer ${credentials.access}` : `ApiKey ${credentials.key}`;
}

function isSamePerson(one: Credentials, other: Credentials): boolean {
  if (one.kind === 'user') return other.kind === 'user' && one.name === other.name;
  return other.kind === 'key' && one.key === other.key;
}

export const session = new Session();
