import { defineConfig, type DefaultTheme, type MarkdownEnv, type MarkdownRenderer } from 'vitepress';

/** Files of the repository's top level that are pages of the site, by the address that documents link them with. */
const TOP_LEVEL_PAGES: Readonly<Record<string, string>> = {
  'CONTEXT.md': '/glossary',
  'SECURITY.md': '/reporting',
  'CHANGELOG.md': '/changelog',
  'CONTRIBUTING.md': '/contributing',
};

/** Where a long name in a table may break, so that the table fits beside the outline: after `_`, `.` and `/`, and before a capital. */
const PARTS = /[a-z0-9](?=[A-Z])|(?<=\w)[_./](?=\w)/g;
const BREAK = '\u200b';
/** The beginning of a flag in the HTML of a code span: browsers break lines after its hyphens. */
const FLAG = /(?<=>|\s)--?[a-z]\w*/gi;

/**
 * `../CONTEXT.md#x` → `/glossary#x`, and `docs/x.md`, as files of the top level write it, → `/x`. Every other link stays as it
 * is, and the build checks that it leads somewhere.
 */
function toSiteLink(href: string): string {
  const [, file, anchor = ''] = /^(?:\.\.?\/)*([\w/-]+\.md)(#.*)?$/.exec(href) ?? [];
  if (file && TOP_LEVEL_PAGES[file]) return `${TOP_LEVEL_PAGES[file]}${anchor}`;
  return file?.startsWith('docs/') ? `/${file.slice('docs/'.length, -'.md'.length)}${anchor}` : href;
}

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start',
    items: [page('Overview', '/guide'), page('Getting started', '/getting-started'), page('Concepts', '/concepts')],
  },
  {
    text: 'Write workflows',
    items: [
      page('Workflows in code', '/code-first'),
      page('Versions of workflows in code', '/versions'),
      page('Workflows in files', '/definition-files'),
      page('Values and types', '/values'),
      page('Errors and compensation', '/errors-and-compensation'),
      page('Tasks for people', '/user-tasks'),
      page('Custom activities', '/custom-activities'),
      page('Expressions', '/expressions'),
      page('Secrets', '/secrets'),
      page('Testing', '/testing'),
    ],
  },
  {
    text: 'Activities',
    items: [
      page('Control flow', '/activities/control-flow'),
      page('Flowcharts', '/activities/flowchart'),
      page('Loops', '/activities/loops'),
      page('Events and tasks', '/activities/events-and-tasks'),
      page('Child workflows', '/activities/child-workflows'),
      page('Composition', '/activities/composition'),
      page('Scheduling', '/activities/scheduling'),
      page('HTTP', '/activities/http'),
      page('Scripting', '/activities/scripting'),
    ],
  },
  {
    text: 'Run',
    items: [
      page('Options', '/options'),
      page('Services to inject', '/services'),
      page('Recipes', '/recipes'),
      page('Deploying', '/deploying'),
      page('Persistence', '/persistence'),
      page('How it grows', '/growth'),
      page('Operations', '/operations'),
      page('Migrating running instances', '/migration'),
      page('Upgrading Waymark', '/upgrading'),
      page('Security', '/security'),
      page('Studio', '/studio'),
      page('Management API', '/api'),
      page('OpenAPI', '/openapi'),
    ],
  },
  {
    text: 'Look up',
    items: [
      // Made by TypeDoc, with pages and a search of its own; see scripts/docs/typedoc.json.
      { text: 'API reference', link: '/reference/index.html', target: '_self' },
      page('Activities', '/activities/reference'),
      page('Errors', '/errors'),
      page('Glossary', '/glossary'),
      page('Changelog', '/changelog'),
    ],
  },
  {
    text: 'Compare',
    items: [
      page('With other engines', '/comparison'),
      page('Coming from Elsa .NET', '/coming-from-elsa'),
      page('Coming from Temporal', '/coming-from-temporal'),
      page('Weak points of Elsa', '/weak-points'),
    ],
  },
  {
    text: 'How it works',
    collapsed: true,
    items: [
      page('Architecture', '/architecture'),
      page('Decisions', '/adr/'),
      page('Contributing', '/contributing'),
      page('Report a vulnerability', '/reporting'),
    ],
  },
];

const searched = new Map<string, string>();

/**
 * What the search finds a page by. The two halves of a build ask for it, each for all pages, and take the words alone: without colours,
 * and once, it is a seventh of the work less.
 */
function toSearch(text: string, env: MarkdownEnv, md: MarkdownRenderer): string {
  const { path = '' } = env as { path?: string };
  const known = searched.get(path);
  if (known !== undefined) return known;
  const { highlight } = md.options;
  md.options.highlight = null;
  const html = md.render(text, env);
  md.options.highlight = highlight;
  const found = env.frontmatter?.search === false ? '' : html;
  // While pages are written, they change.
  if (process.env.NODE_ENV === 'production') searched.set(path, found);
  return found;
}

export default defineConfig({
  title: 'Waymark',
  lang: 'en',
  description: 'Durable, trigger-driven workflows for NestJS.',
  cleanUrls: true,
  rewrites: { 'README.md': 'guide.md', 'adr/README.md': 'adr/index.md' },
  markdown: {
    config(md) {
      // Templates of Liquid stand in the text; they are no templates of the site.
      for (const name of ['text', 'code_inline', 'code_block'] as const) {
        const rule = md.renderer.rules[name]!;
        md.renderer.rules[name] = (...args) =>
          rule(...args)
            .replaceAll('{{', '&#123;&#123;')
            .replaceAll(BREAK, '<wbr>');
      }
      const codeSpan = md.renderer.rules.code_inline!;
      md.renderer.rules.code_inline = (...args) => codeSpan(...args).replace(FLAG, '<span class="flag">$&</span>');
      md.core.ruler.push('names-in-tables', ({ tokens }) => {
        let isInTable = false;
        for (const { type, children } of tokens) {
          if (type === 'table_open' || type === 'table_close') isInTable = type === 'table_open';
          if (!isInTable) continue;
          for (const token of children ?? [])
            if (token.type === 'code_inline') token.content = token.content.replace(PARTS, `$&${BREAK}`);
        }
      });
      md.core.ruler.push('top-level-pages', ({ tokens }) => {
        for (const { children } of tokens)
          for (const token of children ?? [])
            if (token.type === 'link_open') token.attrSet('href', toSiteLink(String(token.attrGet('href'))));
      });
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        _render: toSearch,
        miniSearch: {
          searchOptions: {
            // Guides first. Decisions and the changelog use the same words more often, and each entry of the reference is
            // called like an activity. It runs in the browser by itself: nothing of this file is there.
            boostDocument: (id: string) =>
              /\/(adr\/|changelog|weak-points|contributing)/.test(id)
                ? 0.1
                : id.includes('/activities/reference')
                  ? 0.4
                  : 1,
            // Words of questions, which are on each page: "how do I …" found the pages with most of them.
            processTerm: (term: string) =>
              /^(how|to|do|does|i|a|an|the|is|are|in|of|for|with|can|my|what|and|or|on|it)$/i.test(term)
                ? null
                : term.toLowerCase(),
          },
        },
      },
    },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Activities', link: '/activities/control-flow', activeMatch: '^/activities/' },
      { text: 'API reference', link: '/reference/index.html', target: '_self' },
      { text: 'Errors', link: '/errors' },
    ],
  },
});
