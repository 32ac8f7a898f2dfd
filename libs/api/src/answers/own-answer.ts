const ANSWER = Symbol('waymark.api.answer');

type Answering = { [ANSWER]?: { readonly answer: unknown } };

/** What is sent, whatever interceptors of the application make of it: they wrap around those of the API. */
export function keepAnswer(response: object, answer: unknown): void {
  (response as Answering)[ANSWER] = { answer };
}

/** An error came after the answer: it is what is sent. */
export function dropAnswer(response: object): void {
  delete (response as Answering)[ANSWER];
}

interface Replying {
  reply(response: object, body: unknown, status?: number): unknown;
}

/** Has the adapter send the answers of the API as they were kept. */
export function protectAnswers(adapter: object): void {
  const replying = adapter as Replying;
  const { reply } = replying;
  replying.reply = (response, body, status) => {
    const kept = (response as Answering | undefined)?.[ANSWER];
    return reply.call(adapter, response, kept ? kept.answer : body, status);
  };
}
