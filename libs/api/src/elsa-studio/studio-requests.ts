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

  // Where a component cannot handle a refusal, WebAssembly shows a bar that names no reason: it is kept there for a while.
  const REASON_MS = 5000;
  const UNKNOWN = 'An unhandled error has occurred.';
  let clearing;
  const keepReason = (reason) => {
    const shown = document.querySelector('#blazor-error-ui .reason');
    shown.textContent = reason;
    clearTimeout(clearing);
    // A bar that is shown keeps its text.
    clearing = setTimeout(() => { if (!shown.checkVisibility()) shown.textContent = UNKNOWN; }, REASON_MS);
  };
  const reasonOf = async (answer) => {
    const refusal = await answer.json().catch(() => ({}));
    const reasons = [refusal?.errors ?? []].flatMap(Object.values).flat();
    const text = [...reasons, refusal?.message].find((one) => typeof one === 'string' && one);
    return 'The server refused a request: ' + (text ?? 'status ' + answer.status);
  };
  // Components ask for features that need not be there.
  const isExpected = ({ status, url }) => status === 401 || (status === 404 && url.startsWith(api + '/features/'));

  // "All running workflow instances of this workflow definition": the list names its latest version, a draft while the next one is
  // edited, and what runs is of those before.
  const ofAllVersions = async (options) => {
    const { ids, definitionVersionId, definitionId } = JSON.parse(bodyOf(options) ?? '{}');
    if (!definitionVersionId || definitionId || ids?.length) return options;
    const url = api + '/workflow-definitions?versionOptions=AllVersions&ids=' + encodeURIComponent(definitionVersionId);
    const { headers, signal } = options;
    const found = await ownFetch(url, { headers, signal }).then((answer) => (answer.ok ? answer.json() : undefined));
    const [named] = found?.items ?? [];
    if (!named) return options;
    return { ...options, body: JSON.stringify({ definitionId: named.definitionId, versionOptions: 'AllVersions' }) };
  };

  const send = async (resource, options) => {
    const url = new URL(resource, document.baseURI);
    const isRead = (options.method ?? 'GET') === 'GET';
    if (!isRead && url.href.startsWith(api + '/descriptors/activities/') && url.pathname.includes('/options/'))
      return askOnce(url.href, options);
    if (url.href === api + '/bulk-actions/cancel/workflow-instances') return ownFetch(resource, await ofAllVersions(options));
    // The answer to an import is what the editor shows next.
    const isShown = url.href.startsWith(api + '/workflow-definitions/') && (isRead || url.pathname.endsWith('/import'));
    return ownFetch(isShown ? laidOut(url) : resource, options);
  };
  // A viewer reads by timers whose errors nothing handles: a server that restarts would end all of WebAssembly. Reads wait for it.
  const READS = /\\/(workflow-instances|journal|activity-executions\\/report)$/;
  const isRead = (resource, { method = 'GET' }) => {
    const url = new URL(resource, document.baseURI);
    return url.href.startsWith(api + '/') && (method === 'GET' || (method === 'POST' && READS.test(url.pathname)));
  };
  const AWAY = [502, 503, 504];
  const LONGEST_MS = 10000;
  const WAITING = 'The server cannot be reached. It is asked again and again.';
  const pause = (ms, signal) => new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
  const sendUntilThere = async (resource, options) => {
    const notice = document.querySelector('.notice');
    for (let waitMs = 1000; ; waitMs = Math.min(2 * waitMs, LONGEST_MS)) {
      const answer = await send(resource, options).catch((error) => {
        if (options.signal?.aborted) throw error;
      });
      if (answer && !AWAY.includes(answer.status)) {
        if (notice.textContent === WAITING) notice.textContent = '';
        return answer;
      }
      notice.textContent ||= WAITING;
      await pause(waitMs, options.signal);
    }
  };

  window.fetch = async (resource, options = {}) => {
    if (resource instanceof Request) return ownFetch(resource, options);
    try {
      const answer = await (isRead(resource, options) ? sendUntilThere : send)(resource, options);
      if (!answer.ok && answer.url.startsWith(api + '/') && !isExpected(answer)) reasonOf(answer.clone()).then(keepReason);
      return answer;
    } catch (error) {
      if (error?.name !== 'AbortError') keepReason('The server cannot be reached. Try again in a moment.');
      throw error;
    }
  };
})();
`;
