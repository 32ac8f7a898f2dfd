import { ActionIcon, Kbd, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { LogOut, Menu, Moon, Search, Sun } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useIsLive } from '../api/live/live.js';
import { session } from '../api/session.js';
import { shellTexts as texts } from '../texts/shell.js';
import { Mark } from './mark.js';
import { Outage } from './outage.js';
import { useHotkey } from './use-hotkey.js';
import { useLiveUpdates } from './use-live-updates.js';
import { usePart } from '../parts/use-part.js';
import { useRooms } from './rooms.js';
import css from './shell.module.css';

const importPalette = () => import('./palette.js').then(({ Palette }) => Palette);

/** Navigation at the left, the room beside it. */
export function Shell() {
  const palette = usePart(importPalette);
  const rooms = useRooms();
  const [isOpen, setOpen] = useState(false);
  useHotkey('k', palette.open);
  useLiveUpdates();
  const content = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        // The link that led here went with its page: keys and screen readers go on from here, not from the start of the document.
        if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return (
    <div className={css.shell} data-open={isOpen || undefined}>
      <a className={css.skip} href="#content">
        {texts.skip}
      </a>
      <header className={css.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={css.burger}
          aria-label={texts.openNavigation}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Menu size={18} />
        </ActionIcon>
        <Link to="/" className={css.brand}>
          <Mark size={22} />
          <span>{texts.product}</span>
        </Link>
      </header>
      <nav className={css.navigation} aria-label={texts.mainNavigation} onClick={() => setOpen(false)}>
        <UnstyledButton className={css.search} onClick={palette.open}>
          <Search size={15} aria-hidden />
          <span className={css.searchText}>{texts.search}</span>
          <Kbd size="xs">{texts.searchKeys}</Kbd>
        </UnstyledButton>
        <ul className={css.rooms}>
          {rooms.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link to={to} className={css.room} activeOptions={{ exact: to === '/', includeSearch: false }}>
                <Icon size={17} aria-hidden />
                {label}
              </Link>
            </li>
          ))}
        </ul>
        <Foot />
      </nav>
      <main ref={content} id="content" className={css.content} tabIndex={-1}>
        <Outage />
        <Outlet />
      </main>
      {palette.Part && <palette.Part onClose={palette.close} />}
    </div>
  );
}

function Foot() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const who = useSyncExternalStore(session.subscribe, () => session.current);
  const label = isDark ? texts.toLight : texts.toDark;
  return (
    <div className={css.foot}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        title={label}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      >
        {isDark ? <Sun size={17} /> : <Moon size={17} />}
      </ActionIcon>
      <LiveSign />
      {who && (
        <>
          <span className={css.who} title={who.kind === 'user' ? texts.loggedInAs(who.name) : texts.byKey}>
            {who.kind === 'user' ? who.name : texts.byKey}
          </span>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={texts.logOut}
            title={texts.logOut}
            onClick={() => session.end()}
          >
            <LogOut size={17} />
          </ActionIcon>
        </>
      )}
    </div>
  );
}

/** Whether what is shown changes by itself at once. */
function LiveSign() {
  const isLive = useIsLive();
  return (
    <span className={css.live} data-on={isLive || undefined} title={isLive ? texts.liveHint : texts.notLiveHint}>
      {isLive ? texts.live : texts.notLive}
    </span>
  );
}
