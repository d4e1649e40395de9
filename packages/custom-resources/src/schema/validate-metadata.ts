import { isObject, type JsonObject, member, type ObjectMeta } from '@kubeadmit/apimachinery';
import { validateObjectMeta, validateObjectMetaUpdate } from '@kubeadmit/apimachinery/field-errors';
import { dns1035LabelProblems, type NameRule } from '@kubeadmit/apimachinery/names';
import { sortedKeys } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { metadataError } from '@kubeadmit/schemas/unstable-internal';
import {
  childPath,
  type Finding,
  findingText,
  fromFieldError,
  invalid,
  keyPath,
  required,
} from './finding.ts';
import { innerOf, isOn, propertyOf, type Schema, valuesOf } from './schema.ts';

/** How the metadata of an object is checked. */
export interface MetadataOptions {
  readonly isNamespaced: boolean;
  readonly nameRule: NameRule;
  /** The path of the metadata. */
  readonly path: string;
}

/** Returns the problems in the metadata of a new object, namespaced or not. */
export function validateCreatedMetadata(meta: ObjectMeta, options: MetadataOptions): Finding[] {
  const { isNamespaced, nameRule, path } = options;
  const findings = validateObjectMeta(meta, { nameRule, namespaced: isNamespaced }).map((error) => {
    const finding = fromFieldError(error);
    return { ...finding, path: path + finding.path.slice('metadata'.length) };
  });
  return unique(findings);
}

/** Returns the problems in the metadata of an updated object. */
export function validateUpdatedMetadata(meta: ObjectMeta, old: ObjectMeta): Finding[] {
  return unique(validateObjectMetaUpdate(meta, old).map(fromFieldError));
}

/** Validates the metadata of any updated object; a problem that two rules find is reported twice. */
export function validateCommonMetadata(
  meta: ObjectMeta,
  old: ObjectMeta,
  namespaced: boolean,
): Finding[] {
  return [
    ...validateObjectMeta(meta, { nameRule: 'pathSegment', namespaced }),
    ...validateObjectMetaUpdate(meta, old),
  ].map(fromFieldError);
}

// Findings with one text are one (apimachinery `ValidateObjectMetaDeclaratively`).
function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [findingText(finding), finding])).values()];
}

/**
 * Returns the first type, kind or metadata of an embedded object that cannot be read (apiextensions
 * `objectmeta.Coerce`); nothing else is checked then.
 *
 * @param isEmbedded whether the value itself is an embedded object
 */
export function coercionFinding(
  path: string,
  schema: Schema,
  value: unknown,
  { schemas, isEmbedded }: { readonly schemas: Schemas; readonly isEmbedded: boolean },
): Finding | undefined {
  const below = (place: string, inner: Schema, member: unknown): Finding | undefined =>
    coercionFinding(place, inner, member, {
      schemas,
      isEmbedded: isOn(inner, 'x-kubernetes-embedded-resource'),
    });
  if (Array.isArray(value)) {
    const items = innerOf(schema, 'items');
    return items && first(value, (item, index) => below(keyPath(path, index), items, item));
  }
  if (!isObject(value)) return undefined;
  return first(sortedKeys(value), (key) => {
    const problem = isEmbedded ? unreadableProblem(key, value[key], schemas) : undefined;
    if (problem !== undefined) return invalid(childPath(path, key), value[key], problem);
    const property = propertyOf(schema, key);
    const inner = property ?? valuesOf(schema);
    const place = property ? childPath(path, key) : keyPath(path, key);
    return inner && below(place, inner, value[key]);
  });
}

function first<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => Finding | undefined,
): Finding | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unreadableProblem(key: string, value: unknown, schemas: Schemas): string | undefined {
  if (key === 'metadata') return metadataError(schemas, value);
  const isType = key === 'apiVersion' || key === 'kind';
  return isType && typeof value !== 'string' ? 'must be a string' : undefined;
}

/** Checks the type and metadata of embedded objects (apiextensions, `objectmeta.Validate`). */
export function validateEmbedded(
  path: string,
  schema: Schema,
  value: unknown,
  schemas: Schemas,
): Finding[] {
  if (Array.isArray(value)) {
    const items = innerOf(schema, 'items');
    if (!items) return [];
    return value.flatMap((item, index) =>
      validateEmbedded(keyPath(path, index), items, item, schemas),
    );
  }
  if (!isObject(value)) return [];
  const findings = isOn(schema, 'x-kubernetes-embedded-resource')
    ? validateEmbeddedObject(path, value, schemas)
    : [];
  const values = valuesOf(schema);
  for (const key of sortedKeys(value)) {
    const property = propertyOf(schema, key);
    const inner = property ?? values;
    if (!inner) continue;
    const place = property ? childPath(path, key) : keyPath(path, key);
    findings.push(...validateEmbedded(place, inner, value[key], schemas));
  }
  return findings;
}

/** Checks the type and metadata of one embedded object. */
export function validateEmbeddedObject(
  path: string,
  object: JsonObject,
  schemas: Schemas,
): Finding[] {
  const findings: Finding[] = [];
  for (const key of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(object, key)) findings.push(required(childPath(path, key)));
  }
  for (const key of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(object, key)) continue;
    const problem = typeProblem(key, object[key]);
    if (problem !== undefined) findings.push(invalid(childPath(path, key), object[key], problem));
  }
  const metadata = member(object, 'metadata');
  const unreadable = metadata === undefined ? undefined : metadataError(schemas, metadata);
  if (unreadable !== undefined) {
    return [...findings, invalid(childPath(path, 'metadata'), metadata, unreadable)];
  }
  if (!isObject(metadata)) return findings;
  const meta = metadata as ObjectMeta;
  const named = { ...meta, name: (meta.name ?? '') === '' ? 'fakename' : (meta.name ?? '') };
  findings.push(
    ...validateCreatedMetadata(named, {
      isNamespaced: (meta.namespace ?? '') !== '',
      nameRule: 'pathSegment',
      path: childPath(path, 'metadata'),
    }),
  );
  return findings;
}

function typeProblem(key: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  if (key === 'apiVersion') {
    return value.split('/').length > 2 ? `unexpected GroupVersion string: ${value}` : undefined;
  }
  const problems = dns1035LabelProblems(value.toLowerCase());
  if (problems.length === 0) return undefined;
  return `may have mixed case, but should otherwise match: ${problems.join(',')}`;
}
