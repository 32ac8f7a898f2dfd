import { anything, bag, date, listed, listOf, object, ref } from '../schemas/words.js';
import { answers, file, type RouteGroup } from './route-description.js';

const strategies = listed(ref('StrategyDescriptor'));
const commits = listed(ref('CommitStrategy'));

export const DESCRIPTOR_OPERATIONS: RouteGroup = {
  tag: 'Descriptors',
  description: 'Descriptors for editors.',
  routes: {
    'GET descriptors/activities': answers(
      'listActivityDescriptors',
      'All types of activities',
      listed(ref('ActivityDescriptor')),
    ),
    'GET descriptors/activities/:typeName': answers(
      'getActivityDescriptor',
      'One type of activity',
      ref('ActivityDescriptor'),
    ),
    'POST descriptors/activities/:typeName/options/:propertyName': answers(
      'getInputOptions',
      'Options that an editor may offer for an input',
      object({ 'items?': { ...bag, nullable: true } }),
    ),
    'POST descriptors/activities/:typeName/due-times': answers(
      'getDueTimes',
      'When a trigger with that payload would start workflows next',
      object({ times: listOf(date) }),
    ),
    'GET descriptors/expression-descriptors': answers(
      'listExpressionDescriptors',
      'Syntaxes of expressions',
      listed(ref('ExpressionDescriptor')),
    ),
    'GET descriptors/variables': answers(
      'listVariableTypes',
      'Types of variables',
      object({ items: listOf(ref('VariableType')) }),
    ),
    'GET descriptors/storage-drivers': answers(
      'listStorageDrivers',
      'Storage drivers of variables',
      object({ items: listOf(ref('StorageDriver')) }),
    ),
    'GET descriptors/incident-strategies': answers('listIncidentStrategies', 'Incident strategies', strategies),
    'GET descriptors/workflow-activation-strategies': answers(
      'listActivationStrategies',
      'Activation strategies',
      strategies,
    ),
    'GET descriptors/log-persistence-strategies': answers(
      'listLogPersistenceStrategies',
      'Log persistence strategies',
      strategies,
    ),
    'GET descriptors/commit-strategies/workflows': answers(
      'listWorkflowCommitStrategies',
      'Commit strategies of workflows',
      commits,
    ),
    'GET descriptors/commit-strategies/activities': answers(
      'listActivityCommitStrategies',
      'Commit strategies of activities',
      commits,
    ),
    'GET descriptors/output-converters': answers(
      'listOutputConverters',
      'Converters of outputs; the list is empty',
      listed(anything),
    ),
    'POST scripting/javascript/type-definitions/:definitionId': file(
      'getTypeDefinitions',
      'What scripts of a definition can use, for an editor',
      ['application/x-typescript'],
    ),
  },
};
