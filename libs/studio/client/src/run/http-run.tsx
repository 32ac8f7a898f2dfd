import { Button, CopyButton, Select, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Copy, Send } from 'lucide-react';
import { useState } from 'react';
import { instancesKey } from '../api/instances.js';
import { endpointBaseQuery } from '../api/runtime.js';
import { distinct, distinctTexts } from '../parts/distinct.js';
import { JsonView } from '../parts/json-view.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { duration } from '../parts/times.js';
import { runTexts as texts } from '../texts/operations.js';
import {
  curlLine,
  type Endpoint,
  endpointBase,
  type EndpointRequest,
  hasBody,
  keyOfEndpoint,
  parametersOf,
  urlOf,
} from './http-request.js';
import { type EndpointAnswer, sendRequest } from './send-request.js';
import css from './run.module.css';

const JSON_TYPE = 'application/json';
const TYPES = [JSON_TYPE, 'application/x-www-form-urlencoded', 'text/plain', 'application/xml'];

/** Builds a request to an endpoint, shows it as a line for a terminal, sends it, and shows the answer. */
export function HttpRun({ endpoints }: { readonly endpoints: readonly Endpoint[] }) {
  const base = useQuery(endpointBaseQuery());
  const [endpointId, setEndpointId] = useState(keyOfEndpoint(endpoints[0]!));
  const endpoint = endpoints.find((each) => keyOfEndpoint(each) === endpointId) ?? endpoints[0]!;
  if (failureOf(base)) return <ErrorPanel error={base.error} onRetry={() => void base.refetch()} />;
  if (base.data === undefined) return <Loading />;
  return (
    <>
      {endpoints.length > 1 && (
        <Select
          mb="sm"
          label={texts.endpoint}
          allowDeselect={false}
          data={distinct(endpoints.map((each) => ({ value: keyOfEndpoint(each), label: `${each.path} (${each.id})` })))}
          value={endpointId}
          onChange={(id) => setEndpointId(id ?? endpointId)}
        />
      )}
      <Builder
        key={keyOfEndpoint(endpoint)}
        endpoint={endpoint}
        base={endpointBase(base.data, window.location.origin)}
      />
    </>
  );
}

function Builder({ endpoint, base }: { readonly endpoint: Endpoint; readonly base: string }) {
  const { path, methods } = endpoint;
  const [request, setRequest] = useState<EndpointRequest>({
    method: methods[0]!.toUpperCase(),
    parameters: {},
    query: '',
    contentType: JSON_TYPE,
    body: '',
  });
  const change = (next: Partial<EndpointRequest>) => setRequest({ ...request, ...next });
  const url = urlOf(base, path, request);
  const { origin } = window.location;
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => sendRequest(url, request),
    onSettled: () => client.invalidateQueries({ queryKey: instancesKey }),
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <div className={css.line}>
        <Select
          label={texts.method}
          w={110}
          allowDeselect={false}
          data={distinctTexts(methods.map((method) => method.toUpperCase()))}
          value={request.method}
          onChange={(method) => change({ method: method ?? request.method })}
        />
        <TextInput className={css.wide} label={texts.url} readOnly value={url} />
      </div>
      {parametersOf(path).map((name) => (
        <TextInput
          key={name}
          label={name}
          value={request.parameters[name] ?? ''}
          onChange={(event) => change({ parameters: { ...request.parameters, [name]: event.currentTarget.value } })}
        />
      ))}
      <TextInput
        label={texts.query}
        value={request.query}
        onChange={(event) => change({ query: event.currentTarget.value })}
      />
      {hasBody(request.method) && (
        <>
          <Select
            label={texts.contentType}
            allowDeselect={false}
            data={TYPES}
            value={request.contentType}
            onChange={(type) => change({ contentType: type ?? request.contentType })}
          />
          <Textarea
            label={texts.body}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={request.body}
            onChange={(event) => change({ body: event.currentTarget.value })}
          />
        </>
      )}
      <CurlLine text={curlLine(url, request)} />
      <div className={css.actions}>
        <Button type="submit" leftSection={<Send size={14} aria-hidden />} loading={send.isPending}>
          {texts.send}
        </Button>
        {new URL(url, origin).origin !== origin && <span className={css.soft}>{texts.sentTo(origin)}</span>}
      </div>
      {send.isError && (
        <p className={css.failure} role="alert">
          {texts.notSent}
        </p>
      )}
      {send.data && <Answer answer={send.data} />}
    </form>
  );
}

function CurlLine({ text }: { readonly text: string }) {
  return (
    <section aria-label={texts.curl}>
      <div className={css.curlHead}>
        <h3 className={css.heading}>{texts.curl}</h3>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
              onClick={copy}
            >
              {copied ? texts.copied : texts.copy}
            </Button>
          )}
        </CopyButton>
      </div>
      <pre className={css.curl} tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

/** Below a long form it would appear where it is not seen. */
const show = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

function Answer({ answer }: { readonly answer: EndpointAnswer }) {
  const { status, isOk, took, contentType, text } = answer;
  return (
    <section ref={show} className={css.result} aria-label={texts.answer} aria-live="polite">
      <div className={css.resultLine}>
        <strong className={isOk ? css.ok : css.failure}>{texts.answered(status, duration(took))}</strong>
        <span className={css.soft}>{contentType}</span>
      </div>
      {text === undefined ? (
        <p className={css.soft}>{texts.binary(contentType)}</p>
      ) : text === '' ? (
        <p className={css.soft}>{texts.emptyBody}</p>
      ) : (
        <JsonView value={text} label={texts.answer} />
      )}
    </section>
  );
}
