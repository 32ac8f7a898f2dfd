export const USAGE = `\
npm create waymark@latest [directory] -- [options]

Creates a NestJS application with workflows in the directory, or adds them to the NestJS application that is there.

  --database sqlite|mysql|postgres   database of the workflows (sqlite)
  --adapter express|fastify          HTTP adapter of a new application (express)
  --studio, --no-studio              with the management API and its pages, or without (with)
  --package-manager npm|pnpm|yarn    which one installs (the one that runs this)
  --skip-install                     writes files only
  --yes                              asks nothing and uses defaults
  --tarballs <folder>                installs the packages of Waymark from tarballs in that folder
  --help, --version
`;
