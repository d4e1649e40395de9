import { type GroupVersionKind, isObject } from '@kubeadmit/apimachinery';
import { findDefinition, type Schemas, type StructuralSchema } from '@kubeadmit/schemas';
import { aggregateText } from '../rest/field-error.ts';
import { goQuote } from '../rest/go-text.ts';
import { findingText } from './finding.ts';
import {
  type CustomResourceValidator,
  customResourceValidator,
  validateCreated,
  validateUpdated,
} from './validate-object.ts';
import { own } from './values/json-value.ts';

/** A custom resource that is to be stored. */
export interface CustomResource {
  readonly kind: GroupVersionKind;
  /** The object as the server holds it: decoded, with its defaults. */
  readonly object: unknown;
  /** What the object was before an update, decoded. */
  readonly oldObject?: unknown;
}

const validators = new WeakMap<StructuralSchema, CustomResourceValidator>();

/**
 * Why kube-apiserver refuses to store a custom resource, in its words (`Widget.example.com "a" is invalid: …`);
 * undefined when it does not, and for objects of kinds without a definition or a schema.
 */
export function customResourceRefusal(
  { kind, object, oldObject }: CustomResource,
  schemas: Schemas,
): string | undefined {
  const found = findDefinition(schemas, kind);
  const schema = found?.version?.schema;
  if (!found || !schema || !isObject(object)) return undefined;
  const known = validators.get(schema);
  const validator = known ?? customResourceValidator(schema, found.definition.namespaced, schemas);
  if (!known) validators.set(schema, validator);
  const findings = isObject(oldObject)
    ? validateUpdated(validator, object, oldObject)
    : validateCreated(validator, object);
  if (findings.length === 0) return undefined;
  const metadata = own(object, 'metadata');
  const name = isObject(metadata) ? own(metadata, 'name') : undefined;
  const texts = aggregateText(findings.map(findingText));
  return `${kind.kind}.${kind.group} ${goQuote(typeof name === 'string' ? name : '')} is invalid: ${texts}`;
}
