import {
  type GroupVersionKind,
  isObject,
  type JsonObject,
  member,
  memberObject,
  type Status,
  textOf,
} from '@kubeadmit/apimachinery';
import { qualifiedNameProblems } from '@kubeadmit/apimachinery/names';
import { invalidStatus } from '@kubeadmit/apimachinery/status';
import { requireArgument } from '@kubeadmit/base';
import { parseVersion } from '@kubeadmit/engine';
import { compareText, deepEqual, quote } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { findDefinition, type StructuralSchema } from '@kubeadmit/schemas/definitions';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import type { ObserveRule } from './rules/run-rule.ts';
import { type Finding, findingText, toFieldError } from './schema/finding.ts';
import {
  type CustomResourceValidator,
  customResourceValidator,
  validateCommon,
  validateCreated,
  validateStatusUpdated,
  validateUpdated,
} from './validate-object.ts';

/** A custom resource that is to be stored. */
export interface CustomResource {
  /** The kind in the version of the request. */
  readonly kind: GroupVersionKind;
  /** The object as the server holds it: decoded, with its defaults. */
  readonly object: unknown;
  /** The decoded object before an update; absent for a creation. */
  readonly oldObject?: unknown;
  /** The subresource that the request is sent to: `status` (default: none). */
  readonly subresource?: string;
  /** Receives every evaluation of a rule; evaluations then take longer. */
  readonly observe?: ObserveRule | undefined;
  /** Receives kube-apiserver's warnings: rules that unchanged values violate, names of new finalizers. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** The result of preparing a custom resource for validating admission. */
export interface StoredCustomResource {
  /** The object as it would be stored. */
  readonly object: JsonObject;
  /** Why it is not; absent when it is. */
  readonly refusal?: Status;
}

const validators = new WeakMap<StructuralSchema, CustomResourceValidator>();

/**
 * Prepares a custom resource for storage and validates it against its definition.
 *
 * kube-apiserver does this between mutating and validating admission (apiextensions, `registry/customresource`).
 *
 * If the definition has the subresource `status`, only that subresource can change the status.
 * `metadata.generation` is incremented, and immutable metadata is restored from the old object. Values that the
 * server chooses for a new object are left unchanged, and a generated name ends in `xxxxx`.
 *
 * @returns undefined if the kind has no definition or no schema, or the value is not an object
 * @throws TypeError if the kind or the schemas are invalid
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
  const isStatus = subresource === 'status';
  const prepared = preparedObject(object, old, { isStatus, hasStatus: found.version.hasStatus });
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
  const validate = isStatus ? validateStatusUpdated : validateUpdated;
  const findings =
    old === undefined
      ? validateCreated(validator, stored, listeners)
      : [...validateCommon(validator, stored, old), ...validate(validator, stored, old, listeners)];
  if (findings.length === 0) {
    if (warn && !isStatus) for (const text of finalizerWarnings(stored, old)) warn(text);
    return { object: stored };
  }
  const name = member(memberObject(stored, 'metadata'), 'name');
  const subject = { group: kind.group, name: kind.kind };
  const errors = findings.map(toFieldError);
  const refusal = invalidStatus(subject, textOf(name), errors);
  return { object: stored, refusal };
}

// registry/rest `BeforeCreate` and `BeforeUpdate`, with the strategies' `PrepareForCreate` and `PrepareForUpdate`
function preparedObject(
  object: JsonObject,
  old: JsonObject | undefined,
  { isStatus, hasStatus }: { readonly isStatus: boolean; readonly hasStatus: boolean },
): JsonObject {
  if (isStatus) return old === undefined ? object : withStatusOf(old, object);
  const written = hasStatus ? withStatusOf(object, old ?? {}) : object;
  const { metadata: own, ...rest } = written;
  if (!isObject(own)) return written;
  if (old === undefined) return { ...rest, metadata: { ...own, generation: 1 } };
  const { metadata, ...restOfOld } = old;
  const before: JsonObject = isObject(metadata) ? metadata : {};
  const generation = Number(before['generation'] ?? 0) + (deepEqual(rest, restOfOld) ? 0 : 1);
  return { ...rest, metadata: { ...own, ...keptMetadata(own, before), generation } };
}

function keptMetadata(own: JsonObject, before: JsonObject): JsonObject {
  const kept = {
    uid: own['uid'] || before['uid'],
    creationTimestamp: before['creationTimestamp'] ?? own['creationTimestamp'],
    deletionTimestamp: before['deletionTimestamp'] ?? own['deletionTimestamp'],
    deletionGracePeriodSeconds:
      own['deletionGracePeriodSeconds'] ?? before['deletionGracePeriodSeconds'],
  };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
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

const standard: ReadonlySet<unknown> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Returns the warnings about finalizers that an object did not have before (apiextensions, `strategy`). */
function finalizerWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const before = new Set(finalizersOf(old));
  return [...new Set(finalizersOf(object))]
    .filter((name) => !before.has(name))
    .sort(compareText)
    .flatMap((name) =>
      [...qualifiedNameProblems(name), ...domainProblems(name)].map(
        (problem) => `metadata.finalizers: ${quote(name)}: ${problem}`,
      ),
    );
}

function finalizersOf(object: JsonObject | undefined): readonly string[] {
  const finalizers = member(memberObject(object, 'metadata'), 'finalizers');
  return Array.isArray(finalizers) ? finalizers : [];
}

function domainProblems(name: string): string[] {
  if (name.includes('/') || standard.has(name)) return [];
  const path = name.includes('.') ? ' including a path (/)' : '';
  return [
    `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
  ];
}
