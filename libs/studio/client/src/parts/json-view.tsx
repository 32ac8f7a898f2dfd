import { useState } from 'react';
import { valueTexts as texts } from '../texts/values.js';
import css from './json-view.module.css';

/** Beyond that a value is cut until the user wants all of it. */
const SHOWN_CHARACTERS = 2_000;

/** Any value of the API, to be read. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label?: string }) {
  const [isWhole, setWhole] = useState(false);
  if (value === undefined) return <span className={css.none}>{texts.none}</span>;
  if (isPlain(value)) return <span className={css.plain}>{String(value)}</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  const isCut = !isWhole && text.length > SHOWN_CHARACTERS;
  return (
    <div className={css.box}>
      {/* A long text scrolls, also by keyboard. */}
      <pre className={css.text} tabIndex={0} role="group" aria-label={label ?? texts.value}>
        {isCut ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}
      </pre>
      {isCut && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          {texts.showAll(text.length)}
        </button>
      )}
    </div>
  );
}

const isPlain = (value: unknown): boolean =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length < 80 && !value.includes('\n'));
