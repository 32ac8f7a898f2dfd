import { useId } from 'react';
import type { ActivityJson } from '../../api/definitions.js';
import type { InputDescriptor } from '../../api/descriptors.js';
import { inspectorTexts as texts } from '../../texts/inspector.js';
import { useDesign } from '../designer-context.js';
import { CodeField } from './editors/code-field.js';
import { PlainEditor } from './editors/plain-editor.js';
import { InputSelect, VariableSelect } from './editors/pickers.js';
import { expressionOf, inLanguage, isPlain, plainType, withExpression, type Expression } from './input-value.js';
import { LanguageSelect } from './language-select.js';
import css from './inspector.module.css';

interface ExpressionFieldProps {
  /** It belongs to. */
  readonly activity: ActivityJson;
  readonly input: InputDescriptor;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A value in the editor of its hint, or an expression in a language. */
export function ExpressionField({ activity, input, value, onChange }: ExpressionFieldProps) {
  const id = useId();
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const expression = expressionOf(value, input);
  const label = input.displayName || input.name;
  const change = (next: Expression) => onChange(withExpression(value, input, next));
  const isScript = !isPlain(expression.type);
  return (
    <div className={css.field}>
      <div className={css.labelLine}>
        <label id={`${id}-label`} htmlFor={id} className={css.label}>
          {label}
        </label>
        {input.isWrapped && (
          <LanguageSelect
            label={texts.language(label)}
            plain={plainType(input)}
            value={expression.type}
            isDisabled={isReadonly}
            onChange={(type) => change(inLanguage(expression, type))}
          />
        )}
      </div>
      {!isScript ? (
        <PlainEditor
          id={id}
          label={label}
          activity={activity}
          input={input}
          value={expression.value}
          isReadonly={isReadonly}
          onChange={(next) => change({ type: isScript ? plainType(input) : expression.type, value: next })}
        />
      ) : expression.type === 'Variable' ? (
        <VariableSelect
          id={id}
          value={expression.value}
          isReadonly={isReadonly}
          onChange={(variable) => change({ type: 'Variable', value: variable })}
        />
      ) : expression.type === 'Input' ? (
        <InputSelect
          id={id}
          value={expression.value}
          isReadonly={isReadonly}
          onChange={(argument) => change({ type: 'Input', value: argument })}
        />
      ) : (
        <CodeField
          id={id}
          labelledBy={`${id}-label`}
          language={expression.type}
          activityType={activity.type}
          value={typeof expression.value === 'string' ? expression.value : ''}
          isReadonly={isReadonly}
          onChange={(text) => change({ ...expression, value: text })}
        />
      )}
      {input.description && <p className={css.hint}>{input.description}</p>}
    </div>
  );
}
