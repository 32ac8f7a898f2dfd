import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { licences } from './scripts/licences.js';
import { scriptLibraries } from './scripts/script-libraries.js';

const { pages, workers } = licences();

export default defineConfig({
  root: import.meta.dirname,
  // Wherever the application mounts Studio: files find each other by their own addresses.
  base: './',
  plugins: [react(), scriptLibraries(), pages],
  // TypeScript, which checks scripts while they are written. It has plugins of its own.
  worker: { format: 'es', plugins: () => [scriptLibraries(), workers] },
  server: { proxy: { '/elsa/api': process.env.WAYMARK_URL ?? 'http://127.0.0.1:3000' } },
  build: {
    outDir: '../assets',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Styles and scripts by their addresses only: the content policy takes no inline ones.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // Says which files the first view loads: the budget is measured by it.
    manifest: true,
    // elkjs is one file of 1.4 MB, TypeScript one of 3.5 MB: workers that are loaded when they have something to do.
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
