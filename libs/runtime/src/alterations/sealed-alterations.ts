import { REDACTED } from '@waymark/core/adapter';
import type { AesCipher } from '../secrets/aes-cipher.js';
import { openMembers, sealMembers } from '../secrets/sealed-members.js';
import type { AlterationPlan } from '../persistence/alteration-store.js';
import type { Alteration } from '../persistence/alteration.js';

const placeOf = (planId: string, index: number): string => `value ${index} of alteration plan ${planId}`;

/**
 * Alterations to store, with the values of variables encrypted where the host has keys: which variables want it is known only
 * instance by instance.
 * @param submitted as they were given; they are stored to be shown
 */
export function sealAlterations(
  cipher: AesCipher | undefined,
  planId: string,
  alterations: readonly Alteration[],
  submitted: readonly object[] = alterations,
): Pick<AlterationPlan, 'alterations' | 'submitted'> {
  if (!cipher) return { alterations, submitted };
  return {
    alterations: alterations.map((alteration, index) =>
      alteration.type === 'ModifyVariable'
        ? { ...alteration, value: sealMembers(cipher, { value: alteration.value }, placeOf(planId, index)) }
        : alteration,
    ),
    submitted: submitted.map((given) => ('value' in given ? { ...given, value: REDACTED } : given)),
  };
}

/** @throws EncryptionKeyNotFoundError, DecryptionFailedError */
export function openAlterations(
  cipher: AesCipher | undefined,
  planId: string,
  alterations: readonly Alteration[],
): readonly Alteration[] {
  return alterations.map((alteration, index) => {
    if (alteration.type !== 'ModifyVariable') return alteration;
    const { value } = alteration;
    if (typeof value !== 'object' || value === null) return alteration;
    const opened = openMembers(cipher, value as Record<string, unknown>, placeOf(planId, index));
    return opened === value ? alteration : { ...alteration, value: opened.value };
  });
}
