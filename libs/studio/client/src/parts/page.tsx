import { type ReactNode, useEffect } from 'react';
import type { HelpTopic } from '../texts/help.js';
import { shellTexts } from '../texts/shell.js';
import { Help } from './help.js';
import css from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  /** Above the title: where this page belongs. */
  readonly trail?: ReactNode;
  /** Behind the title, such as a status. */
  readonly badge?: ReactNode;
  /** What is said of the room when a person asks. */
  readonly help?: HelpTopic;
  /** If true, the content fills the height and scrolls by itself. */
  readonly fills?: boolean;
  readonly children: ReactNode;
}

/** The frame of a room: one heading, its actions, the content. */
export function Page({ title, actions, trail, badge, help, fills, children }: PageProps) {
  useEffect(() => {
    document.title = shellTexts.pageTitle(title);
  }, [title]);
  return (
    <div className={css.page} data-fills={fills || undefined}>
      <header className={css.header}>
        <div className={css.heading}>
          {trail && <div className={css.trail}>{trail}</div>}
          <div className={css.titleLine}>
            <h1 className={css.title} title={title} dir="auto">
              {title}
            </h1>
            {badge}
            {help && <Help topic={help} title={title} />}
          </div>
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
