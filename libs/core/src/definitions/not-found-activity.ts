import type { ActivityRegistry } from '../activities/activity-registry.js';
import { parseJsonText } from '../values/json-text.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import { findDescriptor, NOT_FOUND_TYPE, textOf } from './activity-types.js';
import { assertDepth, integerMember, textMember, type JsonObject } from './json-members.js';
import { readEnvelope } from './node-envelope.js';
import { withoutTypeMarkers } from './type-markers.js';
import type { ActivityJson } from './workflow-definition.js';

const KIND = { typeName: NOT_FOUND_TYPE, version: 1, runAsynchronously: false };

/** Replaces a node of unknown type. Its JSON is kept word for word, so nothing is lost until the type is registered again. */
export function hideUnknown(json: JsonObject, type: string, at: string): ActivityJson {
  const { metadata, ...envelope } = readEnvelope(json, KIND, at);
  return {
    missingTypeName: type,
    // The reference writes 0 whatever the node says, and its clients have seen nothing else.
    missingTypeVersion: 0,
    originalActivityJson: JSON.stringify(json),
    ...envelope,
    metadata: {
      ...metadata,
      displayText: `Not Found: ${type}`,
      description: `Could not find activity type ${type} with version 0`,
    },
  };
}

/** A placeholder whose activity is still unknown. */
export function readPlaceholder(json: JsonObject, at: string): ActivityJson {
  return {
    missingTypeName: textMember(json, 'missingTypeName', at) ?? '',
    missingTypeVersion: integerMember(json, 'missingTypeVersion', at) ?? 0,
    originalActivityJson: textMember(json, 'originalActivityJson', at) ?? '',
    ...readEnvelope(json, KIND, at),
  };
}

/**
 * The original of a placeholder when its type is known by now, else `undefined`. The id and the place on the canvas are
 * those of the placeholder: it may have got an id only then, and may have been moved since.
 */
export function restoreOriginal(placeholder: JsonObject, registry: ActivityRegistry): JsonObject | undefined {
  const original = originalOf(placeholder);
  if (!original || !findDescriptor(original, registry)) return undefined;
  const id = textOf(prop(placeholder, 'id'));
  const designer = prop(prop(placeholder, 'metadata'), 'designer');
  const metadata = prop(original, 'metadata');
  return {
    ...original,
    ...(id === undefined ? {} : { id }),
    ...(isPlainObject(designer) && (metadata === undefined || isPlainObject(metadata))
      ? { metadata: { ...metadata, designer } }
      : {}),
  };
}

/** The activity that a placeholder stands for. */
export function originalOf(placeholder: object): JsonObject | undefined {
  const text = textOf(prop(placeholder, 'originalActivityJson'));
  if (text === undefined) return undefined;
  try {
    const json = parseJsonText(text);
    assertDepth(json);
    const original = withoutTypeMarkers(json, true);
    return isPlainObject(original) && prop(original, 'type') !== NOT_FOUND_TYPE ? original : undefined;
  } catch {
    return undefined;
  }
}
