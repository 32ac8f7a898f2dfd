// The direction of dependencies: core <- runtime <- every other library <- nestjs <- the host.
// Cycles are found by the linter (`import/no-cycle`), which has read the imports anyway.
// Libraries between runtime and nestjs never import each other; what two of them share is a port in runtime.
// A specification may use any library (it is not shipped), so it is left out of the rules on direction.

const SPEC = '\\.(spec|e2e-spec)\\.ts$';
// Of the pages of Studio: each is a chunk that is loaded when it is entered.
const STUDIO_ROOMS = 'home|workflows|designer|instances|tasks|schedules|dead-letters|settings|standing|audit';
const LEAVES = 'expressions|http|scheduling|typeorm|bullmq|api|testing|studio';

// The rooms of a library from the ground up, a line for each layer: a room imports those before it, types included.
// docs/architecture.md says what each is for.
const ROOMS = {
  core: [
    ['errors', 'values', 'options'],
    ['expressions', 'activities', 'definitions'],
    ['state', 'journal', 'secrets'],
    ['graph', 'execution', 'migration'],
    ['control-flow', 'flowchart'],
    ['builder'],
  ],
  runtime: [
    [
      'files',
      'logging',
      'clock',
      'urls',
      'uploads',
      'bodies',
      'secrets',
      'commit-strategies',
      'event-loop',
      'connections',
      'openapi',
    ],
    ['persistence', 'services', 'options', 'events', 'outages', 'engine'],
    ['discovery', 'triggers', 'definitions', 'code-first'],
    ['patterns', 'bursts'],
    ['outbox'],
    ['bookmarks', 'stimuli'],
    [
      'instances',
      'background',
      'children',
      'dispatch',
      'audit',
      'bulk',
      'alterations',
      'transactions',
      'schedules',
      'user-tasks',
    ],
    ['activities', 'maintenance', 'module'],
  ],
};

// At most two, each with its reason.
const ALLOWED_UPWARDS = [
  // A node makes the activity object that an execution runs; only its type is named.
  '^libs/core/src/graph/activity-node\\.ts -> ^libs/core/src/execution/activity-base\\.ts',
];

/** One rule for each room: it imports nothing of those after it. */
function roomsLookDown([library, layers]) {
  const rooms = layers.flat();
  return rooms.slice(0, -1).map((room, index) => {
    const here = `^libs/${library}/src/${room}/`;
    const allowed = ALLOWED_UPWARDS.map((pair) => pair.split(' -> ')).filter(([from]) => from.startsWith(here));
    return {
      name: `${library}-${room}-looks-down`,
      comment: 'What a lower room needs of a higher one, it asks for by a port of its own, or by an event.',
      severity: 'error',
      from: { path: here, pathNot: [SPEC, '/testing/'] },
      to: {
        path: `^libs/${library}/src/(${rooms.slice(index + 1).join('|')})/`,
        pathNot: allowed.map(([, to]) => to),
      },
    };
  });
}

/** By an entry a room would reach all others. */
function roomsNameEachOther([library]) {
  return {
    name: `${library}-rooms-name-each-other`,
    severity: 'error',
    from: { path: `^libs/${library}/src/[^/]+/`, pathNot: SPEC },
    to: { path: `^libs/${library}/src/(index|adapter)\\.ts$` },
  };
}

/** A folder that is in no layer would be free of all rules. */
function everyRoomHasALayer([library, layers]) {
  return {
    name: `${library}-rooms-have-layers`,
    severity: 'error',
    from: { path: `^libs/${library}/src/(?!(${layers.flat().join('|')}|testing)/)[^/]+/` },
    to: {},
  };
}

module.exports = {
  forbidden: [
    {
      name: 'core-is-bottom',
      comment: 'The engine imports no other library and nothing of the host.',
      severity: 'error',
      from: { path: '^libs/core/', pathNot: SPEC },
      to: { path: '^(libs/(?!core/)|src/|test/|bench/)' },
    },
    {
      name: 'core-is-plain',
      comment: 'superjson is the only package the engine may use; no Node built-in, no Nest, no TypeORM.',
      severity: 'error',
      from: { path: '^libs/core/', pathNot: SPEC },
      to: {
        dependencyTypes: [
          'core',
          'npm',
          'npm-dev',
          'npm-peer',
          'npm-optional',
          'npm-bundled',
          'npm-no-pkg',
          'npm-unknown',
        ],
        pathNot: '(^|/)node_modules/superjson/|^libs/',
      },
    },
    {
      name: 'runtime-only-on-core',
      severity: 'error',
      from: { path: '^libs/runtime/', pathNot: SPEC },
      to: { path: '^libs/(?!core/|runtime/)' },
    },
    {
      name: 'leaves-do-not-meet',
      comment: 'What two libraries share belongs into a port of runtime.',
      severity: 'error',
      from: { path: `^libs/(${LEAVES})/`, pathNot: SPEC },
      to: { path: '^libs/', pathNot: '^libs/($1|core|runtime)/' },
    },
    {
      name: 'front-door-composes',
      comment: 'nestjs composes runtime, expressions, http and scheduling, and must not load an optional library.',
      severity: 'error',
      from: { path: '^libs/nestjs/', pathNot: SPEC },
      to: { path: '^libs/', pathNot: '^libs/(nestjs|core|runtime|expressions|http|scheduling)/' },
    },
    {
      name: 'tools-stand-alone',
      comment: 'What writes applications runs before any library of theirs is installed.',
      severity: 'error',
      from: { path: '^libs/(schematics|create-waymark)/', pathNot: SPEC },
      to: { path: '^libs/', pathNot: '^libs/($1|schematics)/' },
    },
    {
      name: 'libraries-know-no-tools',
      severity: 'error',
      from: { path: '^(libs|src)/', pathNot: `${SPEC}|^libs/(schematics|create-waymark)/` },
      to: { path: '^libs/(schematics|create-waymark)/' },
    },
    ...Object.entries(ROOMS).flatMap(roomsLookDown),
    ...Object.entries(ROOMS).map(everyRoomHasALayer),
    ...Object.entries(ROOMS).map(roomsNameEachOther),
    {
      name: 'libs-not-to-app',
      severity: 'error',
      from: { path: '^libs/', pathNot: SPEC },
      to: { path: '^(src|test|bench)/' },
    },
    {
      name: 'specs-of-libs-ask-for-the-depth-alone',
      comment:
        'What a specification needs of its library stands beside it; what part of the tests a run takes is one decision. Records that stand ' +
        'for an instance and its burst, and the clock of what tries a database again, are shared with the specifications of test/.',
      severity: 'error',
      from: { path: `^libs/.*${SPEC}` },
      to: { path: '^(src|test|bench)/', pathNot: '^test/support/(depth|pairs|impatient|a-burst|an-instance)\\.ts$' },
    },
    {
      name: 'no-deep-imports',
      comment: 'A library is imported through its two entries only.',
      severity: 'error',
      from: { path: '^(libs/([^/]+)|src|bench)/' },
      to: { path: '^libs/([^/]+)/(src/(?!(index|adapter)\\.ts)|dist/)', pathNot: '^libs/$2/src/' },
    },
    {
      name: 'no-deep-imports-in-tests',
      comment: 'Tests of the whole import libraries through their entries, and what the tests of a library share.',
      severity: 'error',
      from: { path: '^test/' },
      to: { path: '^libs/[^/]+/(src/(?!(index|adapter)\\.ts)|dist/)', pathNot: '/src/.+/testing/' },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'A shipped file may only use packages its own package.json names.',
      severity: 'error',
      // The pages of Studio are bundled: users install none of what they are made of.
      from: { path: '^(libs|src)/', pathNot: `${SPEC}|^libs/studio/client/` },
      // Asked the other way round because an optional peer also counts as "npm-no-pkg".
      to: { path: '(^|/)node_modules/', dependencyTypesNot: ['npm', 'npm-peer'] },
    },
    {
      name: 'class-validator-on-demand',
      comment: 'With what it brings it is 320 modules, a tenth of a start: load it where it is needed.',
      severity: 'error',
      from: { path: '^(libs|src)/', pathNot: SPEC },
      to: {
        path: '(^|/)node_modules/class-validator/',
        dependencyTypesNot: ['type-only', 'dynamic-import', 'require'],
      },
    },
    {
      name: 'studio-pages-stand-alone',
      comment: 'The pages run in browsers and know the management API only: no library, and nothing of Node.',
      severity: 'error',
      from: { path: '^libs/studio/client/src/', pathNot: SPEC },
      to: { path: '^(libs/(?!studio/client/)|src/|test/|bench/)' },
    },
    {
      name: 'studio-pages-are-plain',
      severity: 'error',
      from: { path: '^libs/studio/client/src/', pathNot: SPEC },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'studio-rooms-do-not-meet',
      comment: 'What two rooms of Studio share belongs into api, parts, graph, run or texts.',
      severity: 'error',
      from: { path: `^libs/studio/client/src/(${STUDIO_ROOMS})/`, pathNot: SPEC },
      to: { path: `^libs/studio/client/src/(?!$1/)(app/(?!search-params|config)|(${STUDIO_ROOMS})/)` },
    },
    {
      name: 'studio-parts-know-no-room',
      severity: 'error',
      from: { path: '^libs/studio/client/src/(api|parts|texts|graph|run)/', pathNot: SPEC },
      to: { path: `^libs/studio/client/src/(app/(?!config)|(${STUDIO_ROOMS})/)` },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      // Vite makes modules that are not files.
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    // Who depends on a module, and how stable it is, no rule asks.
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@waymark/source', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
