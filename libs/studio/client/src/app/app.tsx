import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { Toasts } from '../parts/toasts.js';
import { styleNonce } from './config.js';
import { Gate } from './gate.js';
import { queryClient } from './query-client.js';
import { router } from './router.js';
import { theme } from './theme.js';

export function App() {
  return (
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
        <QueryClientProvider client={queryClient}>
          <Gate>
            <RouterProvider router={router} />
          </Gate>
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}
