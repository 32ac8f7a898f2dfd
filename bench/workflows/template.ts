interface TemplateCase {
  readonly source: string;
  readonly text: string;
  /** Renderings between two looks at the clock: one takes microseconds. */
  readonly batch: number;
}

export const VARIABLES: Readonly<Record<string, unknown>> = {
  Customer: { name: 'Ada' },
  Total: 302.5,
  Lines: Array.from({ length: 10 }, (_, i) => ({ name: `Item ${i}`, price: i })),
};

/** By what they ask of the template engine. */
export const TEMPLATES = {
  direct: {
    source: 'Dear {{ Variables.Customer.name }}, your large order costs {{ Variables.Total }}.',
    text: 'Dear Ada, your large order costs 302.5.',
    batch: 1000,
  },
  filters: {
    source:
      "Dear {{ Variables.Customer.name | upcase | append: '!' }}, it costs {{ Variables.Total | times: 2 | round }}.",
    text: 'Dear ADA!, it costs 605.',
    batch: 200,
  },
  loop: {
    source:
      '{% for line in Variables.Lines %}{{ line.name }}: {{ line.price }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
    text: Array.from({ length: 10 }, (_, i) => `Item ${i}: ${i}`).join(', '),
    batch: 50,
  },
} as const satisfies Readonly<Record<string, TemplateCase>>;
