import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { lazyPart } from '../parts/lazy-part.js';
import { DifferencesContext } from '../parts/saved-meanwhile.js';
import { Toasts } from '../parts/toasts.js';
import { styleNonce } from './config.js';
import { Gate } from './gate.js';
import { queryClient } from './query-client.js';
import { router } from './router.js';
import { theme } from './theme.js';

// Seldom wanted: most questions are answered before another person saves.
const SavedDifferences = lazyPart(() =>
  import('../designer/compare/saved-differences.js').then(({ SavedDifferences: loaded }) => loaded),
);

export function App() {
  return (
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
        <QueryClientProvider client={queryClient}>
          <Gate>
            <DifferencesContext value={SavedDifferences}>
              <RouterProvider router={router} />
            </DifferencesContext>
          </Gate>
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}
