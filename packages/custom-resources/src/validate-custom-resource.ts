import {
  type GroupVersionKind,
  isObject,
  type JsonObject,
  member,
  type Status,
} from '@kubeadmit/apimachinery';
import { invalidStatus, memberObject, textOf } from '@kubeadmit/apimachinery/internal';
import { parseVersion } from '@kubeadmit/engine';
import { requireArgument } from '@kubeadmit/go/internal';
import type { Schemas } from '@kubeadmit/schemas';
import { findDefinition, requireSchemas, type StructuralSchema } from '@kubeadmit/schemas/internal';
import { type Finding, findingText, toFieldError } from './finding.ts';
import type { ObserveRule } from './rules/run-rule.ts';
import {
  type CustomResourceValidator,
  customResourceValidator,
  validateCreated,
  validateUpdated,
} from './validate-object.ts';

/** A custom resource that is to be stored. */
export interface CustomResource {
  /** The kind in the version of the request. */
  readonly kind: GroupVersionKind;
  /** The object as the server holds it: decoded, with its defaults. */
  readonly object: unknown;
  /** What the object was before an update, decoded; absent for one that is created. */
  readonly oldObject?: unknown;
  /** `status` for what is sent to the subresource; default the whole object. */
  readonly subresource?: string;
  /** Is told of every evaluation of a rule, which then takes longer. */
  readonly observe?: ObserveRule | undefined;
  /** Is told what kube-apiserver warns of: rules that an update breaks where nothing changed. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** What becomes of a custom resource before validating admission sees it. */
export interface StoredCustomResource {
  /** The object as it would be stored. */
  readonly object: JsonObject;
  /** Why it is not; absent when it is. */
  readonly refusal?: Status;
}

const validators = new WeakMap<StructuralSchema, CustomResourceValidator>();

/**
 * Prepares a custom resource for storage and holds it against its definition, as kube-apiserver does between mutating
 * and validating admission (apiextensions, `registry/customresource`).
 *
 * Where the definition has the subresource `status`, only that can change it. What the server counts and chooses
 * itself, such as `metadata.generation`, is left as it is; a name that is to be generated ends in `xxxxx`.
 *
 * @returns undefined for kinds without a definition or a schema, and for what is no object.
 * @throws TypeError when the kind or the schemas are something else.
 */
export function storeCustomResource(
  resource: CustomResource,
  schemas: Schemas,
): StoredCustomResource | undefined {
  requireArgument('storeCustomResource', resource, { what: 'a custom resource with its `kind`' });
  const { kind, object, oldObject, subresource = '', observe, warn } = resource;
  requireArgument('storeCustomResource: `kind`', kind, { what: '{ group, version, kind }' });
  requireSchemas('storeCustomResource', schemas);
  const found = findDefinition(schemas, kind);
  const schema = found?.version?.schema;
  if (!found?.version || !schema || !isObject(object)) return undefined;
  const old = isObject(oldObject) ? oldObject : undefined;
  const prepared = preparedObject(object, old, subresource, found.version.hasStatus);
  const stored = old === undefined ? withName(prepared) : prepared;
  const known = validators.get(schema);
  const validator =
    known ??
    customResourceValidator(schema, found.definition.namespaced, {
      schemas,
      minor: parseVersion(schemas.version),
      scale: found.version.scale,
    });
  if (!known) validators.set(schema, validator);
  const listeners = {
    observe,
    forgive: warn && ((finding: Finding) => warn(findingText(finding))),
  };
  const findings =
    old === undefined
      ? validateCreated(validator, stored, listeners)
      : validateUpdated(validator, stored, old, listeners);
  if (findings.length === 0) return { object: stored };
  const name = member(memberObject(stored, 'metadata'), 'name');
  const subject = { group: kind.group, name: kind.kind };
  const errors = findings.map(toFieldError);
  const refusal = invalidStatus(subject, textOf(name), errors);
  return { object: stored, refusal };
}

function preparedObject(
  object: JsonObject,
  old: JsonObject | undefined,
  subresource: string,
  hasStatus: boolean,
): JsonObject {
  if (subresource === 'status') return old === undefined ? object : withStatusOf(old, object);
  return hasStatus ? withStatusOf(object, old ?? {}) : object;
}

function withStatusOf(object: JsonObject, source: JsonObject): JsonObject {
  const { status: _, ...rest } = object;
  if (Object.hasOwn(source, 'status')) return { ...rest, status: source['status'] };
  return Object.hasOwn(object, 'status') ? rest : object;
}

function withName(object: JsonObject): JsonObject {
  const metadata = memberObject(object, 'metadata');
  const prefix = member(metadata, 'generateName');
  if ((member(metadata, 'name') ?? '') !== '' || typeof prefix !== 'string' || prefix === '') {
    return object;
  }
  return { ...object, metadata: { ...metadata, name: `${prefix}xxxxx` } };
}
