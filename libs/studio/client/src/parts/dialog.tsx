import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { shellTexts } from '../texts/shell.js';
import { useReturnedFocus } from './use-returned-focus.js';

interface DialogProps {
  readonly title: string;
  readonly size?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog over the page. Escape and the cross close it; the focus goes back to where it came from. A click beside it closes it as well, until
 * something was typed in it: the text would be gone.
 */
export function Dialog({ title, size = 'md', onClose, children }: DialogProps) {
  useReturnedFocus();
  const [isTyped, setTyped] = useState(false);
  return (
    <Modal.Root opened onClose={onClose} size={size} closeOnClickOutside={!isTyped}>
      <Modal.Overlay />
      <Modal.Content>
        {/* It would be a second banner of the page. */}
        <Modal.Header role="presentation">
          <Modal.Title fw={600}>{title}</Modal.Title>
          <Modal.CloseButton aria-label={shellTexts.close} />
        </Modal.Header>
        <Modal.Body onInput={() => setTyped(true)}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
