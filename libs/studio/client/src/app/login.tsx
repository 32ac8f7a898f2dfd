import { Alert, Button, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApiError, toApiError } from '../api/api-error.js';
import { logIn, logInByKey, resumeSession } from '../api/identity.js';
import { loginTexts as texts, shellTexts } from '../texts/shell.js';
import { Mark } from './mark.js';
import css from './login.module.css';

type Way = 'user' | 'key';

/** In the place of everything. */
export function Login() {
  return (
    <main className={css.page}>
      <LoginForm lead={texts.lead} />
    </main>
  );
}

/** On top of the page, which can be used again after it. @param user who was logged in */
export function LoginOnTop({ user }: { readonly user: string | undefined }) {
  return (
    <OnTop title={texts.title}>
      <LoginForm lead={texts.expired} before={user === undefined ? { way: 'key' } : { way: 'user', user }} />
    </OnTop>
  );
}

/** The same where the application logs people in: on a page of its own, in another tab, so that nothing on this one is lost. */
export function LoginElsewhere({ url }: { readonly url: string }) {
  useEffect(() => {
    const ask = () => void resumeSession();
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, []);
  return (
    <OnTop title={texts.ended}>
      <div className={css.card}>
        <div className={css.brand}>
          <Mark size={28} />
          {shellTexts.product}
        </div>
        <h1 className={css.title}>{texts.ended}</h1>
        <p className={css.lead}>{texts.endedLead}</p>
        <Button component="a" href={url} target="_blank" rel="noopener" data-autofocus>
          {texts.inNewTab}
        </Button>
        <Button variant="default" onClick={() => location.assign(url)}>
          {texts.here}
        </Button>
      </div>
    </OnTop>
  );
}

function OnTop({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    // Above the dialogs of the page, which nothing reaches meanwhile; and the focus returns to where it was.
    current?.showModal();
    current?.querySelector<HTMLElement>('input[type=password], [data-autofocus]')?.focus();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={dialog} className={css.top} aria-label={title} onCancel={(event) => event.preventDefault()}>
      {children}
    </dialog>
  );
}

interface Before {
  readonly way: Way;
  readonly user?: string;
}

function LoginForm({ lead, before = { way: 'user' } }: { readonly lead: string; readonly before?: Before }) {
  const [way, setWay] = useState<Way>(before.way);
  const [user, setUser] = useState(before.user ?? '');
  const [secret, setSecret] = useState('');
  const login = useMutation({
    mutationFn: async () => {
      const isIn = way === 'user' ? await logIn(user, secret) : await logInByKey(secret);
      if (!isIn) throw new Error(way === 'user' ? texts.wrongPassword : texts.wrongKey);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <form className={css.card} onSubmit={submit}>
      <div className={css.brand}>
        <Mark size={28} />
        {shellTexts.product}
      </div>
      <h1 className={css.title}>{texts.title}</h1>
      <p className={css.lead}>{lead}</p>
      <SegmentedControl
        fullWidth
        aria-label={texts.title}
        value={way}
        onChange={(value) => {
          setWay(value as Way);
          setSecret('');
          login.reset();
        }}
        data={[
          { value: 'user', label: texts.byUser },
          { value: 'key', label: texts.byKey },
        ]}
      />
      {way === 'user' && (
        <TextInput
          label={texts.user}
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        key={way}
        label={way === 'user' ? texts.password : texts.key}
        description={way === 'key' ? texts.keyHint : undefined}
        autoComplete={way === 'user' ? 'current-password' : 'off'}
        required
        withAsterisk={false}
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      {login.isError && (
        <Alert color="red" role="alert" title={sentenceOf(login.error, way)}>
          {login.error instanceof ApiError && login.error.status !== 404 ? login.error.wayOn : undefined}
        </Alert>
      )}
      <Button type="submit" loading={login.isPending}>
        {texts.submit}
      </Button>
    </form>
  );
}

function sentenceOf(error: Error, way: Way): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 404 && way === 'user') return texts.noUsers;
  return toApiError(error).title;
}
