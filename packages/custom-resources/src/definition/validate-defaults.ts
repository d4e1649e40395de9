import { isObject, type JsonObject, member } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { prune, type StructuralSchema } from '@kubeadmit/schemas/definitions';
import { RuleValidator } from '../rules/rule-validator.ts';
import { childPath, type Finding, findingText, invalid, keyPath } from '../schema/finding.ts';
import { isOn, type Schema } from '../schema/schema.ts';
import {
  coercionFinding,
  validateEmbedded,
  validateEmbeddedObject,
} from '../schema/validate-metadata.ts';
import { validateValue } from '../schema/validate-value.ts';
import { violationFinding } from '../schema/value-result.ts';

const budget = 10_000_000;

/** Wraps a default into the object of which it is a part. */
type Surround = (value: unknown) => JsonObject | undefined;

interface Place {
  /** The schema of the whole object that the default is part of. */
  readonly resource: StructuralSchema;
  readonly surround: Surround;
  readonly isInsideMetadata: boolean;
  readonly schemas: Schemas;
}

const typed: Surround = (value) =>
  isObject(value) ? { kind: 'Validation', apiVersion: 'validation/v1', ...value } : undefined;

/** Checks that the defaults of a schema are valid and have no unknown fields (apiextensions, `defaulting.ValidateDefaults`). */
export function validateDefaults(
  path: string,
  schema: StructuralSchema,
  schemas: Schemas,
): Finding[] {
  const root = { ...schema, embeddedResource: true };
  return validate(path, root, {
    resource: root,
    surround: typed,
    isInsideMetadata: false,
    schemas,
  });
}

function validate(path: string, schema: StructuralSchema, given: Place): Finding[] {
  const place = schema.embeddedResource
    ? { ...given, resource: schema, surround: typed, isInsideMetadata: false }
    : given;
  const findings: Finding[] = [];
  if (schema.default !== undefined) findings.push(...validateDefault(path, schema, place));
  if (schema.items) {
    const surround: Surround = (value) => place.surround([value]);
    findings.push(...validate(childPath(path, 'items'), schema.items, { ...place, surround }));
  }
  for (const [name, property] of schema.properties) {
    const isMeta = schema.embeddedResource && ['metadata', 'apiVersion', 'kind'].includes(name);
    findings.push(
      ...validate(keyPath(childPath(path, 'properties'), name), property, {
        ...place,
        surround: (value) => place.surround({ [name]: value }),
        isInsideMetadata: place.isInsideMetadata || isMeta,
      }),
    );
  }
  return findings;
}

function embeddedProblems(
  at: string,
  schema: StructuralSchema,
  value: unknown,
  { schemas }: Place,
): Finding[] {
  const own = schemaOf(schema);
  const isEmbedded = isOn(own, 'x-kubernetes-embedded-resource');
  const unreadable = coercionFinding(at, own, value, { schemas, isEmbedded });
  return unreadable === undefined ? validateEmbedded(at, own, value, schemas) : [unreadable];
}

function metadataProblems(object: JsonObject, { resource, schemas }: Place): string[] {
  const unreadable = coercionFinding('', schemaOf(resource), object, { schemas, isEmbedded: true });
  const findings =
    unreadable === undefined ? validateEmbeddedObject('', object, schemas) : [unreadable];
  return findings.map(findingText);
}

function validateDefault(path: string, schema: StructuralSchema, place: Place): Finding[] {
  const at = childPath(path, 'default');
  const value = schema.default;
  const findings: Finding[] = [];
  const problems: Finding[] = [];
  if (place.isInsideMetadata) {
    const object = place.surround(value);
    const wrong = object ? metadataProblems(object, place) : [];
    if (wrong.length > 0) {
      const text = wrong.length === 1 ? wrong[0] : `[${wrong.join(', ')}]`;
      return [invalid(at, value, `must result in valid metadata: ${text}`)];
    }
  } else {
    if (hasUnknownFields(value, schema)) {
      findings.push(invalid(at, value, 'must not have unknown fields'));
    }
    problems.push(...embeddedProblems(at, schema, value, place));
  }
  if (problems.length === 0) {
    const { violations } = validateValue(asStructural(schema.source), '', value, {
      keepsFormats: true,
    });
    problems.push(...violations.map((violation) => violationFinding(at, violation)));
  }
  if (problems.length === 0) {
    const rules = RuleValidator.of(schema, schema === place.resource);
    const first = rules?.validate(at, value, value, { budget }).findings ?? [];
    problems.push(...first);
    if (first.length === 0) {
      problems.push(...(rules?.validate(at, value, undefined, { budget }).findings ?? []));
    }
  }
  return [...findings, ...problems];
}

function schemaOf({ embeddedResource, source }: StructuralSchema): Schema {
  return embeddedResource ? { ...source, 'x-kubernetes-embedded-resource': true } : source;
}

function hasUnknownFields(value: unknown, schema: StructuralSchema): boolean {
  const wrapped = { value: structuredCopy(value) };
  const outer = { ...schema, embeddedResource: false, properties: new Map([['value', schema]]) };
  const { additionalProperties: _, ...plain } = outer;
  prune(wrapped, { ...plain, preserveUnknownFields: false });
  return !deepEqual(wrapped.value, value);
}

function structuredCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, structuredCopy(inner)]),
  );
}

/** The schema as defaults are checked against it: without the types that int-or-string stands for. */
function asStructural(value: unknown): Schema {
  return strip(value) as Schema;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => key !== 'x-kubernetes-int-or-string')
      .map((key) => [
        key,
        key === 'enum' || key === 'default' ? member(value, key) : strip(value[key]),
      ]),
  );
}
