import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Wherever the application mounts Studio: files find each other by their own addresses.
  base: './',
  plugins: [react()],
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
    // elkjs is one file of 1.4 MB, which is loaded when a picture has to be laid out.
    chunkSizeWarningLimit: 1500,
  },
});
