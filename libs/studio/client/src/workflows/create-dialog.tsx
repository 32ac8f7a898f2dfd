import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../parts/dialog.js';
import { ErrorPanel } from '../parts/states.js';
import { shellTexts } from '../texts/shell.js';
import { workflowTexts } from '../texts/workflows.js';
import { definitionIdFor } from './definition-ids.js';
import { type TemplateName, templateNames } from './templates.js';
import { templateIcons } from './templates-gallery.js';
import { useCreateWorkflow } from './use-create-workflow.js';
import css from './templates.module.css';
import form from '../parts/confirm.module.css';

const texts = workflowTexts.create;

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [id, setId] = useState<string>();
  const [template, setTemplate] = useState<TemplateName>('empty');
  const create = useCreateWorkflow(
    // In the place of the dialog: Back leads to the list, not to a second workflow.
    (definitionId) => void navigate({ to: '/workflows/$definitionId', params: { definitionId }, replace: true }),
  );
  const definitionId = id ?? definitionIdFor(name);
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form
        className={form.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ name: name.trim(), definitionId, template });
        }}
      >
        <TextInput
          data-autofocus
          required
          withAsterisk={false}
          label={texts.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={texts.id}
          description={texts.idHint}
          value={definitionId}
          maxLength={60}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <fieldset className={css.choices}>
          <legend>{texts.template}</legend>
          {templateNames.map((value) => {
            const Icon = templateIcons[value];
            const { name: title, about } = texts.templates[value];
            return (
              <label key={value} className={css.card} data-checked={template === value || undefined}>
                <input
                  type="radio"
                  name="template"
                  value={value}
                  checked={template === value}
                  onChange={() => setTemplate(value)}
                />
                <Icon size={18} aria-hidden />
                <strong>{title}</strong>
                <span>{about}</span>
              </label>
            );
          })}
        </fieldset>
        {create.isError && <ErrorPanel error={create.error} />}
        <div className={form.actions}>
          <Button variant="default" onClick={onClose}>
            {shellTexts.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {texts.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
