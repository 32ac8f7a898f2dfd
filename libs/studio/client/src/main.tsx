import '@mantine/core/styles.css';
import './app/tokens.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { styleNonce } from './app/config.js';
import { isFileFailure } from './parts/load-file.js';

// For the library that locks scrolling behind dialogs: it knows no other way.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce;

createRoot(document.getElementById('root')!, {
  // What pages show in words is no defect of theirs.
  onCaughtError: (error) => isFileFailure(error) || reportError(error),
}).render(<App />);
