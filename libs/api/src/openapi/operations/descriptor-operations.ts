import { anything, bag, date, listed, listOf, object, ref } from '../schemas/words.js';
import { answers, file, type RouteGroup } from './route-description.js';

const strategies = listed(ref('StrategyDescriptor'));
const commits = listed(ref('CommitStrategy'));

export const DESCRIPTOR_OPERATIONS: RouteGroup = {
  tag: 'Descriptors',
  description: 'What editors may offer.',
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
      'What an editor may offer for an input',
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
      'Types that variables may have',
      object({ items: listOf(ref('VariableType')) }),
    ),
    'GET descriptors/storage-drivers': answers(
      'listStorageDrivers',
      'Where values of variables may be kept',
      object({ items: listOf(ref('StorageDriver')) }),
    ),
    'GET descriptors/incident-strategies': answers('listIncidentStrategies', 'What a fault may lead to', strategies),
    'GET descriptors/workflow-activation-strategies': answers(
      'listActivationStrategies',
      'When a workflow may be started',
      strategies,
    ),
    'GET descriptors/log-persistence-strategies': answers(
      'listLogPersistenceStrategies',
      'What of the values the journal may keep',
      strategies,
    ),
    'GET descriptors/commit-strategies/workflows': answers(
      'listWorkflowCommitStrategies',
      'When workflows may be stored',
      commits,
    ),
    'GET descriptors/commit-strategies/activities': answers(
      'listActivityCommitStrategies',
      'When activities may be stored',
      commits,
    ),
    'GET descriptors/output-converters': answers(
      'listOutputConverters',
      'Converters of outputs; there are none',
      listed(anything),
    ),
    'POST scripting/javascript/type-definitions/:definitionId': file(
      'getTypeDefinitions',
      'What scripts of a definition can use, for an editor',
      ['application/x-typescript'],
    ),
  },
};
