import {
  Checkbox,
  Fieldset,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { distinctTexts } from './distinct.js';
import { momentIn } from './local-moment.js';
import { useTyped } from './use-typed.js';
import { errorOfJson } from './error-of-json.js';
import { formTexts as texts } from '../texts/forms.js';
import {
  choicesOf,
  fieldKind,
  type FormSchema,
  labelOf,
  localText,
  mayBeNull,
  membersOf,
  readJson,
  readNumber,
  typeOf,
  UnreadableJson,
  withMember,
} from './form-values.js';

/** Sentences by the path of the field that they are about, such as `address.city`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

interface FormProps {
  readonly schema: FormSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly errors?: FieldErrors;
  readonly isDisabled?: boolean;
  /** Of the object that the fields belong to. */
  readonly path?: string;
}

/** Fields for the members of a JSON Schema; one field for a schema without members. */
export function SchemaForm({ schema, value, onChange, errors = {}, isDisabled = false, path = '' }: FormProps) {
  if (fieldKind(schema) !== 'object')
    return (
      <Field
        schema={schema}
        value={value}
        onChange={onChange}
        errors={errors}
        isDisabled={isDisabled}
        path={path}
        label={schema.title ?? texts.value}
        isRequired={false}
      />
    );
  const required = schema.required ?? [];
  return (
    <Stack gap="sm">
      {Object.entries(schema.properties ?? {}).map(([name, field]) => (
        <Field
          key={name}
          schema={field}
          value={membersOf(value)[name]}
          onChange={(member) => onChange(withMember(value, name, member))}
          errors={errors}
          isDisabled={isDisabled || field.readOnly === true}
          path={path === '' ? name : `${path}.${name}`}
          label={labelOf(name, field)}
          isRequired={required.includes(name)}
        />
      ))}
    </Stack>
  );
}

interface FieldProps extends FormProps {
  readonly errors: FieldErrors;
  readonly isDisabled: boolean;
  readonly path: string;
  readonly label: string;
  readonly isRequired: boolean;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function Field({ schema, value, onChange, errors, isDisabled, path, label, isRequired }: FieldProps) {
  const problem = errors[path]?.join(' ');
  const common = {
    label,
    description: schema.description,
    disabled: isDisabled,
    error: problem,
    // The server says what is missing: the browser's own bubble would be in another language and place.
    withAsterisk: isRequired,
    'aria-required': isRequired,
  };
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value || undefined);
  switch (fieldKind(schema)) {
    case 'object':
      return (
        <Fieldset legend={label} disabled={isDisabled}>
          <SchemaForm {...{ schema, value, onChange, errors, isDisabled, path }} />
        </Fieldset>
      );
    case 'choice':
      return (
        <Select
          {...common}
          clearable={!isRequired || mayBeNull(schema)}
          data={distinctTexts(choicesOf(schema).map(String))}
          value={value === undefined || value === null ? null : String(value as string | number | boolean)}
          onChange={(text) =>
            onChange(
              text === null ? (isRequired ? null : undefined) : choicesOf(schema).find((each) => String(each) === text),
            )
          }
        />
      );
    case 'flag':
      return (
        <Checkbox
          label={label}
          description={schema.description}
          disabled={isDisabled}
          error={problem}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return <NumberField {...common} allowDecimal={typeOf(schema) !== 'integer'} value={value} onChange={onChange} />;
    case 'long-text':
      return <Textarea {...common} autosize minRows={2} maxRows={10} value={textOf(value)} onChange={onText} />;
    case 'password':
      return <PasswordInput {...common} autoComplete="off" value={textOf(value)} onChange={onText} />;
    case 'date':
    case 'email':
    case 'text':
      return <TextInput {...common} type={typeOfInput(schema)} value={textOf(value)} onChange={onText} />;
    case 'time':
      return <TextInput {...common} type="time" step={1} value={textOf(value)} onChange={onText} />;
    case 'date-time':
      return <MomentField {...common} value={value} onChange={onChange} />;
    case 'texts':
      return (
        <TagsInput
          {...common}
          placeholder={texts.addByEnter}
          // "Graz, Austria" is one.
          splitChars={[]}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={(items) => onChange(items.length > 0 ? items : undefined)}
        />
      );
    case 'json':
      return <JsonField {...common} value={value} onChange={onChange} />;
  }
}

const typeOfInput = ({ format }: FormSchema): string => (format === 'date' || format === 'email' ? format : 'text');

interface OwnFieldProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly disabled: boolean;
  readonly error: string | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Mantine's field gives texts for what is not finished, such as `12.`, and for long numbers: they stay in the field as they are typed. */
function NumberField({ value, onChange, error, ...props }: OwnFieldProps & { readonly allowDecimal: boolean }) {
  const isUnreadable = value instanceof UnreadableJson;
  const field = useTyped(value, (other) =>
    typeof other === 'number' ? String(other) : other instanceof UnreadableJson ? other.text : '',
  );
  return (
    <NumberInput
      {...props}
      error={isUnreadable ? texts.notExact : error}
      value={field.text}
      // It would round what is too long.
      clampBehavior="none"
      trimLeadingZeroesOnBlur={false}
      onChange={(typed) => {
        const text = String(typed);
        const next = readNumber(text);
        field.type(text, next);
        onChange(next);
      }}
    />
  );
}

function MomentField({ value, onChange, ...props }: OwnFieldProps) {
  const field = useTyped(value, localText);
  return (
    <TextInput
      {...props}
      type="datetime-local"
      value={field.text}
      onChange={({ currentTarget: { value: text } }) => {
        const next = momentIn(text)?.toISOString();
        field.type(text, next);
        onChange(next);
      }}
    />
  );
}

function JsonField({ value, onChange, error, label, ...props }: OwnFieldProps) {
  const isUnreadable = value instanceof UnreadableJson;
  const text = isUnreadable ? value.text : value === undefined ? '' : JSON.stringify(value, undefined, 2);
  return (
    <Textarea
      {...props}
      label={texts.asJson(label)}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      error={errorOfJson(value) ?? error}
      // What is read is written in its own way at once, but for the place where one types: that would move the caret.
      defaultValue={text}
      onChange={(event) => onChange(readJson(event.currentTarget.value))}
    />
  );
}
