import { ActionIcon, Popover } from '@mantine/core';
import { CircleHelp, ExternalLink } from 'lucide-react';
import { config } from '../app/config.js';
import { type HelpTopic, helpTexts as texts } from '../texts/help.js';
import css from './help.module.css';

/** What the room is for, and the way to its documentation, where the server says where that is. */
export function Help({ topic, title }: { readonly topic: HelpTopic; readonly title: string }) {
  const { text, page } = texts.topics[topic];
  const label = texts.open(title);
  return (
    <Popover width={320} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label} title={label}>
          <CircleHelp size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} tabIndex={-1}>
        <p className={css.text}>{text}</p>
        {config.docs !== undefined && (
          <a href={`${config.docs}/${page}`} target="_blank" rel="noreferrer" className={css.more}>
            {texts.more} <ExternalLink size={13} aria-hidden />
          </a>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
