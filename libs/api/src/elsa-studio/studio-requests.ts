/** Adapts what components of Elsa Studio ask the API for. Runs before `STUDIO_SCRIPT`, whose own `fetch` calls this one. */
export const STUDIO_REQUESTS = `(() => {
  const api = new URL(document.querySelector('meta[name=waymark-api]').content, location.href).href;
  const ownFetch = window.fetch.bind(window);

  // Definitions that were never drawn, such as imported ones: the editor would draw all of their activities at one point, and save
  // them so.
  const laidOut = (url) => {
    url.searchParams.set('layout', 'true');
    return url.href;
  };

  // The options of an input, for which the editor asks each time it renders the input: some forty times for one click, which a host
  // that limits requests refuses. Answers to equal requests are kept for some seconds.
  const KEPT_MS = 10000;
  const answers = new Map();
  const bodyOf = ({ body }) => (typeof body === 'string' ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined);
  const askOnce = async (url, options) => {
    const body = bodyOf(options);
    if (body === undefined) return ownFetch(url, options);
    const key = url + ' ' + body;
    // Not by the signal of the first who asks: the others want the answer as well.
    if (!answers.has(key)) answers.set(key, ownFetch(url, { ...options, signal: undefined }));
    const answer = answers.get(key);
    const forget = () => { if (answers.get(key) === answer) answers.delete(key); };
    setTimeout(forget, KEPT_MS);
    try {
      const { ok } = await answer;
      if (!ok) forget();
      return (await answer).clone();
    } catch (error) {
      forget();
      throw error;
    }
  };

  window.fetch = (resource, options = {}) => {
    if (resource instanceof Request) return ownFetch(resource, options);
    const url = new URL(resource, document.baseURI);
    const isRead = (options.method ?? 'GET') === 'GET';
    if (isRead && url.href.startsWith(api + '/workflow-definitions/')) return ownFetch(laidOut(url), options);
    if (!isRead && url.href.startsWith(api + '/descriptors/activities/') && url.pathname.includes('/options/'))
      return askOnce(url.href, options);
    return ownFetch(resource, options);
  };
})();
`;
