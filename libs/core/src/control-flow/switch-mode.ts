import type { InputOptions } from '../activities/decorators.js';

/** The `Mode` input that Switch and FlowSwitch share. */
export const switchModeInput: InputOptions = {
  type: 'UnregisteredClrType:Elsa.Workflows.SwitchMode, Elsa.Workflows.Core',
  description: 'MatchFirst follows the first case whose condition is true, MatchAny each of them.',
  uiHint: 'dropdown',
  uiSpecifications: {
    dropdown: {
      selectList: {
        items: [
          { text: 'MatchFirst', value: 'MatchFirst' },
          { text: 'MatchAny', value: 'MatchAny' },
        ],
      },
    },
  },
};
