/** Made by `vite.config.ts`. */
declare module 'virtual:script-libraries' {
  const libraries: Readonly<Record<string, string>>;
  export default libraries;
}
