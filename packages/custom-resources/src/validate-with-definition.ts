import {
  formatFieldError,
  isObject,
  type JsonObject,
  member,
  memberObject,
  memberText,
  metadataString,
  objectOf,
  textOf,
} from '@kubeadmit/apimachinery';
import { type OptionKind, requireOptions } from '@kubeadmit/base';
import { newestMinor, parseVersion } from '@kubeadmit/engine';
import { decode, type Schemas, withDefinitions } from '@kubeadmit/schemas';
import {
  decodeDefinition,
  pruned,
  readStructural,
  SchemaProblem,
  type StructuralSchema,
} from '@kubeadmit/schemas/definitions';
import { metadataError, requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { validateDefinition } from './definition/validate-definition.ts';
import { findingText } from './schema/finding.ts';
import { customResourceValidator, validateCreated, validateUpdated } from './validate-object.ts';
import { sortedJson } from './values/go-value-text.ts';
import { jsonKind } from './values/json-value.ts';

/** A CustomResourceDefinition and an object of it that is created or updated. */
export interface DefinitionInput {
  /** A CustomResourceDefinition. */
  readonly definition: unknown;
  /** An object of it; without one the definition alone is validated. */
  readonly object?: unknown;
  /** The object before an update. */
  readonly oldObject?: unknown;
  /** The server's version, which decides the language features of new rules (default: the newest known). */
  readonly kubernetesVersion?: string | undefined;
}

/** The field errors of a {@link DefinitionInput}, in kube-apiserver's words. */
export interface DefinitionAnswer {
  /** Errors of the definition; empty if it is valid. */
  readonly definition: readonly string[];
  /** Errors of the object; empty if it is valid. */
  readonly object: readonly string[];
  /** Why there is no answer. */
  readonly failure?: string;
}

const inputMembers: Readonly<Record<keyof DefinitionInput, OptionKind>> = {
  definition: 'any',
  object: 'any',
  oldObject: 'any',
  kubernetesVersion: 'string',
};

/**
 * Validates a definition as at its creation, and an object against it as kube-apiserver does before it stores the
 * object.
 *
 * @throws UnknownVersionError for an unknown version.
 * @throws TypeError for an invalid input or invalid schemas.
 */
export function validateWithDefinition(input: DefinitionInput, schemas: Schemas): DefinitionAnswer {
  requireOptions('validateWithDefinition', input, inputMembers);
  requireSchemas('validateWithDefinition', schemas);
  if (input.definition === undefined)
    throw new TypeError('validateWithDefinition: `definition` is undefined');
  const decoded = decodeDefinition(schemas, input.definition);
  if ('error' in decoded) return { definition: [], object: [], failure: decoded.error };
  const definition = decoded.object;
  const { kubernetesVersion } = input;
  const minor = kubernetesVersion === undefined ? newestMinor : parseVersion(kubernetesVersion);
  const findings = validateDefinition(definition, { schemas, minor }).map(formatFieldError);
  const answer = { definition: findings, object: [] };
  const spec = memberObject(definition, 'spec');
  const versions =
    memberText(definition, 'kind') === 'CustomResourceDefinition' ? versionsOf(spec) : [];
  for (const version of versions) {
    const schema = schemaOf(version);
    const read = schema && readStructural(schema);
    if (!(read instanceof SchemaProblem)) continue;
    if (findings.length > 0) return answer;
    const failure = `CustomResourceDefinition ${metadataString(definition, 'name')}: ${read.message}`;
    return { ...answer, failure };
  }
  const { object, oldObject } = input;
  if (object === undefined || memberText(definition, 'kind') !== 'CustomResourceDefinition')
    return answer;
  const unreadable = objectProblem(object);
  if (unreadable !== undefined || !isObject(object))
    return { ...answer, failure: unreadable ?? '' };
  const known = withDefinitions(schemas, [definition]);
  const kind = memberText(object, 'kind');
  const { group, version } = groupVersionOf(object);
  const named = versions.filter((each) => member(each, 'name') === version);
  const schema = named.map(schemaOf).findLast((each) => each !== undefined);
  const isOfKind =
    group === memberText(spec, 'group') && kind === memberText(memberObject(spec, 'names'), 'kind');
  if (!schema || !isOfKind) {
    const text = `${group}/${version}, Kind=${kind}`;
    return { ...answer, failure: `the definition has no schema for ${text}` };
  }
  const oldProblem = oldObject === undefined ? undefined : objectProblem(oldObject);
  if (oldProblem !== undefined) return { ...answer, failure: oldProblem };
  const structural = readStructural(schema);
  if (structural instanceof SchemaProblem) return answer;
  const validator = customResourceValidator(structural, member(spec, 'scope') === 'Namespaced', {
    schemas: known,
    minor,
  });
  const held = heldObject(known, structural, object);
  const errors = isObject(oldObject)
    ? validateUpdated(validator, held, heldObject(known, structural, oldObject))
    : validateCreated(validator, held);
  return { definition: findings, object: errors.map(findingText) };
}

/** Returns the reason why a value is not a Kubernetes object (apimachinery, `Unstructured.UnmarshalJSON`). */
function objectProblem(value: unknown): string | undefined {
  if (value !== null && !isObject(value)) {
    return `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
  }
  const isKind = value !== null && memberText(value, 'kind') !== '';
  const hasVersion = value !== null && memberText(value, 'apiVersion').split('/').length <= 2;
  if (isKind && hasVersion) return undefined;
  return `Object 'Kind' is missing in '${sortedJson(value)}'`;
}

/** The object as the server holds it; where it cannot be read, as far as it can be. */
function heldObject(schemas: Schemas, schema: StructuralSchema, object: JsonObject): JsonObject {
  const decoded = decode(schemas, object);
  if (isObject(decoded.object)) return decoded.object;
  const metadata = member(object, 'metadata');
  const isReadable = metadata === undefined || metadataError(schemas, metadata) === undefined;
  return isReadable ? pruned(object, schema) : object;
}

function versionsOf(spec: JsonObject): readonly JsonObject[] {
  const versions = member(spec, 'versions');
  return Array.isArray(versions) ? versions.map(objectOf) : [];
}

function schemaOf(version: JsonObject): JsonObject | undefined {
  const schema = member(memberObject(version, 'schema'), 'openAPIV3Schema');
  return isObject(schema) ? schema : undefined;
}

function groupVersionOf(object: JsonObject): { readonly group: string; readonly version: string } {
  const text = member(object, 'apiVersion');
  const parts = textOf(text).split('/');
  const version = parts.pop() ?? '';
  return { group: parts.join('/'), version };
}
