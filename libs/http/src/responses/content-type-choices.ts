const CONTENT_TYPES = [
  '',
  'application/json',
  'application/soap+xml',
  'application/x-www-form-urlencoded',
  'application/xml',
  'text/html',
  'text/json',
  'text/plain',
  'text/richtext',
  'text/xml',
];

/** Editor facts of an input, shared by several activities. */
export const dropdown = (values: readonly string[]) => ({
  uiHint: 'dropdown',
  uiSpecifications: { dropdown: { selectList: { items: values.map((value) => ({ text: value, value })) } } },
});

export const CONTENT_TYPE_DROPDOWN = dropdown(CONTENT_TYPES);

export const HEADERS_EDITOR = { uiHint: 'json-editor', uiSpecifications: { 'code-editor': { language: 'json' } } };
