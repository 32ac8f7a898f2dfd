import { Injectable } from '@nestjs/common';
import type { ValueCipher } from '@waymark/core/adapter';

/**
 * Encrypts what a property of an instance holds with the current key.
 * @param value of the property @returns the same value where nothing in it has another key
 * @throws WaymarkError `WM3044`, `WM3045`: it cannot be read
 */
export type RenewProperty = (value: unknown, instanceId: string, cipher: ValueCipher) => unknown;

/**
 * Properties of instances in which a library keeps values that it encrypts itself. The engine does not know their places, which
 * an encrypted value is bound to: when a key is replaced, their owners write them anew.
 */
@Injectable()
export class SealedProperties {
  private readonly owners = new Map<string, RenewProperty>();

  /** Says who rewrites a property. @param property name of the property; each has one owner */
  add(property: string, renew: RenewProperty): void {
    this.owners.set(property, renew);
  }

  /** Renews what is in the properties, in place. @throws what the owners throw */
  renew(properties: Record<string, unknown>, instanceId: string, cipher: ValueCipher | undefined): void {
    if (!cipher) return;
    for (const [property, renew] of this.owners)
      if (Object.hasOwn(properties, property)) properties[property] = renew(properties[property], instanceId, cipher);
  }
}
