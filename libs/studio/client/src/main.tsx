import '@mantine/core/styles.css';
import './app/tokens.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { styleNonce } from './app/config.js';

// For the library that locks scrolling behind dialogs: it knows no other way.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce;

// A page that was open while the server got another version asks for files that are gone.
window.addEventListener('vite:preloadError', (event) => {
  const last = sessionStorage.getItem('waymark-studio:reloaded');
  if (last === location.href) return;
  event.preventDefault();
  sessionStorage.setItem('waymark-studio:reloaded', location.href);
  location.reload();
});

createRoot(document.getElementById('root')!).render(<App />);
