import { SchematicRefusedError } from './schematic-error.js';

/** `ChargeCard`, `charge card` and `charge_card` are `charge-card`. */
export function kebabCase(text: string): string {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase();
}

/** `charge-card` is `ChargeCard`. */
export function pascalCase(text: string): string {
  return kebabCase(text)
    .split(/[-.]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** What is generated: the name of its files and of its class. */
export interface ElementName {
  /** Folders before the name, such as `payments` of `payments/charge-card`; empty for none. */
  readonly folder: string;
  readonly fileName: string;
  readonly className: string;
}

/**
 * Takes apart what the user gave as name.
 * @throws SchematicRefusedError for a name of which no class can be named, or that leads out of the source root
 */
export function parseElementName(given: string): ElementName {
  const parts = given.split(/[/\\]+/).filter((part) => part !== '' && part !== '.');
  const fileName = kebabCase(parts.at(-1) ?? '');
  const className = pascalCase(fileName);
  if (parts.includes('..') || !/^[A-Z][A-Za-z\d]*$/.test(className))
    throw new SchematicRefusedError(
      `"${given}" cannot be a name: write letters, digits and hyphens, beginning with a letter, such as payments/charge-card.`,
    );
  return { folder: parts.slice(0, -1).map(kebabCase).join('/'), fileName, className };
}
