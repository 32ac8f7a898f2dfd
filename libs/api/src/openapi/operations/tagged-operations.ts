import { ref, text } from '../schemas/words.js';
import { type DescribedAnswer, json, type RouteDescription } from './route-description.js';

const ETAG = {
  ETag: { description: 'Names the version and its revision. `If-Match` takes it.', schema: text },
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of what is replaced, published, retracted or deleted, or `*` for any. Without it, whatever is there.',
  schema: text,
} as const;

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*`: the definition is to be new, and one of its id is not saved over. Others are ignored.',
  schema: text,
} as const;

const OVERTAKEN: DescribedAnswer = {
  status: 412,
  description:
    'The server has another revision, or none, or one where none was expected. Nothing was changed (`WM7043`).',
  content: json(ref('CodedError')),
};

/** A route whose answers of success have the tag of a definition. */
export const tagged = (route: RouteDescription): RouteDescription => ({
  ...route,
  answers: route.answers.map((answer) => (answer.status < 300 ? { ...answer, headers: ETAG } : answer)),
});

/** The same, of one that changes a definition only as it is expected. */
export const expecting = (route: RouteDescription): RouteDescription => expectingOnly(tagged(route));

/** The same, of one that can create it. */
export const creating = (route: RouteDescription): RouteDescription => {
  const { headers = [], ...rest } = expecting(route);
  return { ...rest, headers: [...headers, IF_NONE_MATCH] };
};

/** One that leaves no definition to be tagged. */
export const expectingOnly = ({ answers, ...rest }: RouteDescription): RouteDescription => ({
  ...rest,
  headers: [IF_MATCH],
  answers: [...answers, OVERTAKEN],
});
