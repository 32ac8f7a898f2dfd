/** What every form that is made from a schema says. */
export const formTexts = {
  value: 'Value',
  addByEnter: 'Type, then press Enter',
  asJson: (label: string) => `${label} (JSON)`,
  notJson: 'This is not valid JSON.',
  notObject: 'This is not a JSON object, such as {"name": "value"}.',
  notExact: 'This number cannot be kept exactly.',
} as const;
