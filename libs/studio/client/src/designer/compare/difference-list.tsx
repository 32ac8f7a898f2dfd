import { CircleMinus, CirclePlus, Move, Pencil } from 'lucide-react';
import type { ActivityJson } from '../../api/definitions.js';
import { compareTexts as texts } from '../../texts/compare.js';
import { typeName } from '../canvas/names.js';
import type { DifferenceKind, Differences, PropertyDifference } from './diff.js';
import { asTransition, titleOf } from './machine-parts.js';
import css from './compare.module.css';

const ICONS = { added: CirclePlus, removed: CircleMinus, changed: Pencil, moved: Move };

export function KindMark({ kind }: { readonly kind: DifferenceKind }) {
  const Icon = ICONS[kind];
  return (
    <span className={css.mark} data-kind={kind}>
      <Icon size={12} aria-hidden />
      {texts.kinds[kind]}
    </span>
  );
}

interface DifferenceListProps {
  readonly differences: Differences;
  readonly selected?: string | undefined;
  readonly onSelect?: (key: string, parent: string) => void;
}

/** In words what is different. */
export function DifferenceList({ differences, selected, onSelect }: DifferenceListProps) {
  const { activities, connections, settings, isSame } = differences;
  if (isSame) return <p className={css.none}>{texts.same}</p>;
  return (
    <div className={css.list}>
      {activities.map(({ key, parent, trail, kind, activity, properties }) => (
        <section key={key} className={css.entry} data-selected={key === selected || undefined}>
          <h2 className={css.name}>
            {onSelect ? (
              <button type="button" onClick={() => onSelect(key, parent)}>
                {titleOf(activity)}
              </button>
            ) : (
              titleOf(activity)
            )}
            <small>{whatItIs(activity)}</small>
            <KindMark kind={kind} />
          </h2>
          {trail.length > 0 && <p className={css.trail}>{texts.within(trail)}</p>}
          {kind === 'changed' && <Properties properties={properties} />}
        </section>
      ))}
      {connections.length > 0 && (
        <section className={css.entry}>
          <h2 className={css.name}>{texts.connections}</h2>
          <ul className={css.connections}>
            {connections.map(({ kind, source, port, target }, index) => (
              <li key={index}>
                <KindMark kind={kind} /> {texts.connection(source, port, target)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {settings.length > 0 && (
        <section className={css.entry}>
          <h2 className={css.name}>{texts.settings}</h2>
          <Properties properties={settings} />
        </section>
      )}
    </div>
  );
}

function whatItIs(activity: ActivityJson): string {
  const transition = asTransition(activity);
  return transition ? texts.transition(transition.from ?? '', transition.to ?? '') : typeName(activity.type, undefined);
}

function Properties({ properties }: { readonly properties: readonly PropertyDifference[] }) {
  return (
    <dl className={css.properties}>
      {properties.map(({ name, from, to }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value label={texts.before} value={from} kind="removed" />
            <Value label={texts.after} value={to} kind="added" />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({
  label,
  value,
  kind,
}: {
  readonly label: string;
  readonly value: unknown;
  readonly kind: DifferenceKind;
}) {
  return (
    <div className={css.value} data-kind={kind}>
      <span className={css.hidden}>{label}</span>
      <code>{shown(value)}</code>
    </div>
  );
}

/** An expression by its text, with its language; other values as JSON. */
function shown(value: unknown): string {
  if (value === undefined) return texts.nothing;
  const { expression } = (value ?? {}) as { expression?: { type?: string; value?: unknown } };
  if (expression) {
    const text = typeof expression.value === 'string' ? expression.value : JSON.stringify(expression.value);
    return expression.type === 'Literal' ? text : `${expression.type}: ${text}`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
}
