export const valueTexts = {
  none: 'not set',
  value: 'Value',
  showAll: (characters: number) => `Show all ${characters.toLocaleString('en')} characters`,
} as const;
