/** The options of what is set up beside `WorkflowModule`, by what they are given to: names that are likely to be given here. */
const OTHERS: Readonly<Record<string, string>> = {
  'TypeOrmPersistence.fromUrl(url, { … })':
    'tablePrefix migrate synchronous preparedStatements statementTimeoutMs connectTimeoutMs migrationTimeoutMs maxStateBytes ' +
    'journalValueBytes maxJournalBytes',
  'WorkflowApiModule.forRoot({ … })':
    'authentication allowAnonymous readOnly urlTokenKey publicUrl synchronousBulkLimit features variableTypes packageVersion ' +
    'journalAnswerBytes journalExportBytes definitionBytes importBytes importValues importFiles liveClients liveClientsPerUser ' +
    'liveBufferBytes hub audit routePrefix',
  'WorkflowApiModule.forRoot({ authentication: { … } })':
    'users apiKeys applicationPermissions signingKey issuer audience accessTokenLifetimeMs refreshTokenLifetimeMs loginLimits',
  'StudioModule.forRoot({ … })': 'apiPath loginUrl docsUrl',
};

const OF_A_DATABASE = 'database databaseUrl db url uri connection dataSource datasource typeorm store storage host';

/** Which setup an option belongs to that `WorkflowModule` does not have, as a sentence; undefined for an unknown name. */
export function adviceOnOthers(name: string): string | undefined {
  // As many modules of Nest have it: its place in a list of forty other options would say less.
  if (name === 'isGlobal' || name === 'global') return 'Leave it out: the module is always global.';
  if (OF_A_DATABASE.split(' ').includes(name))
    return "Give the database as 'persistence': TypeOrmPersistence.fromUrl('sqlite:data/app.db').";
  const [place] = Object.entries(OTHERS).find(([, names]) => names.split(' ').includes(name)) ?? [];
  return place && `It is an option of ${place}.`;
}
