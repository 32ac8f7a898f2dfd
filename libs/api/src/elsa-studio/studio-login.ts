/**
 * Part of `STUDIO_SCRIPT`: the login of the person, its renewal, and the form that asks for a new one. The form lies over the component, which
 * stays: a person whose login ends while they edit continues there, and the request that was refused is sent again.
 */
export const STUDIO_LOGIN = `
  // Elsa Studio looks for the hub beside the API.
  const hub = new URL('hubs/workflow-instance', api).href;
  const isOfServer = (url) => url.startsWith(api + '/') || url.startsWith(hub);
  const stored = (name) => sessionStorage.getItem('waymark-studio-' + name) ?? '';
  let [token, refresh, user] = ['token', 'refresh', 'user'].map(stored);
  // Counted, since two tokens that are issued within one second are the same text.
  let logins = 0;
  const keep = (login) => {
    logins++;
    token = login.accessToken ?? '';
    refresh = login.refreshToken ?? '';
    sessionStorage.setItem('waymark-studio-token', token);
    sessionStorage.setItem('waymark-studio-refresh', refresh);
    leave.hidden = !token;
  };
  // What components have read of this person, and their tokens, end with the page.
  const leave = document.querySelector('nav .leave');
  leave.hidden = !token;
  leave.addEventListener('click', () => {
    keep({});
    location.reload();
  });

  // While the form is shown: resolves when the person has logged in.
  let asking;
  const ask = (text) => {
    asking ??= askUntilLogin(text).finally(() => { asking = undefined; });
    return asking;
  };
  const askUntilLogin = (text) => new Promise((resolve) => {
    const cover = Object.assign(document.createElement('div'), { className: 'login-cover' });
    const form = Object.assign(document.createElement('form'), { className: 'login' });
    const say = Object.assign(document.createElement('p'), { textContent: text });
    form.append(say);
    const field = (name, type, autocomplete) => {
      const input = Object.assign(document.createElement('input'), { name, type, autocomplete, required: true, placeholder: name });
      form.append(input);
      return input;
    };
    const username = field('username', 'text', 'username');
    username.value = user;
    const password = field('password', 'password', 'current-password');
    form.append(Object.assign(document.createElement('button'), { textContent: 'Log in' }));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const answer = await ownFetch(api + '/identity/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: username.value, password: password.value }),
      }).catch(() => undefined);
      const login = answer?.ok ? await answer.json() : {};
      if (!login.accessToken) {
        say.textContent = !answer ? 'The server cannot be reached.' : answer.ok ? 'Wrong user or password.' : 'The server answered ' + answer.status + '.';
        password.value = '';
        password.focus();
        return;
      }
      const isSomebodyElse = user !== '' && user !== username.value;
      user = username.value;
      sessionStorage.setItem('waymark-studio-user', user);
      keep(login);
      // What is behind the form was read, and perhaps changed, by the one before.
      if (isSomebodyElse && main.childElementCount > 0) return location.reload();
      cover.remove();
      main.inert = false;
      resolve();
    });
    cover.append(form);
    main.inert = true;
    main.after(cover);
    (user ? password : username).focus();
  });

  // Components know the token that they were made with, and nothing of the next: without this, each request fails after an hour.
  const ownFetch = window.fetch.bind(window);
  let renewing;
  const renew = async () => {
    if (!refresh) return false;
    const answer = await ownFetch(api + '/identity/refresh-token', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + refresh, 'content-type': 'application/json' },
      body: '{}',
    });
    // A server in trouble says nothing about the login.
    if (answer.status >= 500 || answer.status === 429) throw new Error('The server answered ' + answer.status + '.');
    const login = answer.ok ? await answer.json() : {};
    if (login.accessToken) keep(login);
    return Boolean(login.accessToken);
  };
  window.fetch = async (resource, options) => {
    const url = resource instanceof Request ? undefined : new URL(resource, document.baseURI).href;
    if (!url || !isOfServer(url) || url.startsWith(api + '/identity/')) return ownFetch(resource, options);
    await asking;
    if (!token) return ownFetch(resource, options);
    const send = () => {
      const headers = new Headers(options?.headers);
      headers.set('authorization', 'Bearer ' + token);
      return ownFetch(resource, { ...options, headers });
    };
    const used = logins;
    const answer = await send();
    if (answer.status !== 401) return answer;
    if (logins === used) {
      try {
        renewing ??= renew().finally(() => { renewing = undefined; });
        if (await renewing) return send();
      } catch {
        return answer;
      }
      if (logins === used) {
        keep({});
        ask('Your login has ended. What you have changed is still there.');
      }
    }
    await asking;
    return send();
  };
`;
