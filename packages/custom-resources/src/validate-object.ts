import { type JsonObject, member, memberObject } from '@kubeadmit/apimachinery';
import { compatibilityMinor } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import type { ScaleFields, StructuralSchema } from '@kubeadmit/schemas/definitions';
import type { DefiningServer } from './definition/defining-server.ts';
import { RuleValidator } from './rules/rule-validator.ts';
import type { RuleListeners } from './rules/run-rule.ts';
import { Correlation } from './schema/correlation.ts';
import { type Finding, invalid } from './schema/finding.ts';
import { metadataProblem } from './schema/metadata-conversion.ts';
import { propertyOf, type Schema } from './schema/schema.ts';
import { validateListTypes } from './schema/validate-list-types.ts';
import {
  type MetadataOptions,
  validateCommonMetadata,
  validateCreatedMetadata,
  validateEmbedded,
  validateUpdatedMetadata,
} from './schema/validate-metadata.ts';
import { validateValue } from './schema/validate-value.ts';
import { violationFinding } from './schema/value-result.ts';
import { validateScale, validateScaleStatus } from './validate-scale.ts';

/** The validator of custom resources of one version. */
export interface CustomResourceValidator {
  readonly schema: Schema;
  readonly isNamespaced: boolean;
  readonly schemas: Schemas;
  /** The minor version whose formats count: the one before the server's. */
  readonly formatsOf: number;
  /** The fields of its scale; absent if it has none. */
  readonly scale?: ScaleFields | undefined;
  /** The rules of the schema; absent when it has none. */
  readonly rules?: RuleValidator;
}

const budget = 10_000_000;
const unchecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** Prepares a schema for the validation of any number of objects. */
export function customResourceValidator(
  structural: StructuralSchema,
  isNamespaced: boolean,
  { schemas, minor, scale }: DefiningServer & { readonly scale?: ScaleFields | undefined },
): CustomResourceValidator {
  const rules = RuleValidator.of(structural, true);
  return {
    schema: structural.source,
    isNamespaced,
    schemas,
    formatsOf: compatibilityMinor(minor),
    scale,
    ...(rules ? { rules } : {}),
  };
}

/** Validates a new custom resource, which is pruned and has its defaults. */
export function validateCreated(
  validator: CustomResourceValidator,
  object: JsonObject,
  listeners: RuleListeners = {},
): Finding[] {
  const { schema, rules, schemas, formatsOf, scale } = validator;
  const findings = [
    ...createdMetadata(validator, object),
    ...valueFindings(validateValue(schema, '', object, { minor: formatsOf })),
    ...(scale === undefined ? [] : validateScale(object, scale)),
    ...validateEmbedded('', schema, object, schemas),
    ...validateListTypes('', schema, object),
  ];
  if (!rules) return findings;
  if (findings.some(({ blocks }) => blocks)) return [...findings, invalid('', null, unchecked)];
  return [...findings, ...rules.validate('', object, undefined, { budget, ...listeners }).findings];
}

/** Validates an updated custom resource; errors of unchanged values are ignored. */
export function validateUpdated(
  validator: CustomResourceValidator,
  object: JsonObject,
  old: JsonObject,
  listeners: RuleListeners = {},
): Finding[] {
  const { schema, schemas, formatsOf, scale } = validator;
  const correlation = new Correlation(schema, object, old);
  const findings = [
    ...updatedMetadata(validator, object, old),
    ...valueFindings(validateValue(schema, '', object, { correlation, minor: formatsOf })),
    ...(scale === undefined ? [] : validateScale(object, scale)),
    ...validateEmbedded('', schema, object, schemas),
  ];
  return withListsAndRules(findings, validator, correlation, listeners);
}

/**
 * Validates a custom resource that is updated through its subresource `status`: only the status is validated
 * against its schema, and embedded resources are skipped (apiextensions, `statusStrategy.ValidateUpdate`).
 */
export function validateStatusUpdated(
  validator: CustomResourceValidator,
  object: JsonObject,
  old: JsonObject,
  listeners: RuleListeners = {},
): Finding[] {
  const { schema, formatsOf: minor, scale } = validator;
  const correlation = new Correlation(schema, object, old);
  const status = propertyOf(schema, 'status');
  const options = { correlation: correlation.key('status'), minor };
  const findings = [
    ...updatedMetadata(validator, object, old),
    ...(status === undefined || !Object.hasOwn(object, 'status')
      ? []
      : valueFindings(validateValue(status, '', object['status'], options), 'status')),
    ...(scale === undefined ? [] : validateScaleStatus(object, scale)),
  ];
  return withListsAndRules(findings, validator, correlation, listeners);
}

function withListsAndRules(
  before: readonly Finding[],
  { schema, rules }: CustomResourceValidator,
  correlation: Correlation,
  listeners: RuleListeners,
): Finding[] {
  const { value, old } = correlation;
  const findings = [...before];
  if (validateListTypes('', schema, old).length === 0) {
    findings.push(...validateListTypes('', schema, value));
  }
  if (!rules) return findings;
  if (findings.some(({ blocks }) => blocks)) return [...findings, invalid('', null, unchecked)];
  const options = { budget, correlation, ...listeners };
  return [...findings, ...rules.validate('', value, old, options).findings];
}

/** Validates the metadata of any updated object, before the rules of its kind (registry/rest). */
export function validateCommon(
  { isNamespaced }: CustomResourceValidator,
  object: JsonObject,
  old: JsonObject,
): Finding[] {
  const [metadata, before] = [memberObject(object, 'metadata'), memberObject(old, 'metadata')];
  return validateCommonMetadata(metadata, before, isNamespaced);
}

function createdMetadata(validator: CustomResourceValidator, object: JsonObject): Finding[] {
  const { isNamespaced, schemas } = validator;
  const options: MetadataOptions = { isNamespaced, nameRule: 'dns1123Subdomain', path: 'metadata' };
  return (
    unreadableMetadata(object, schemas) ??
    validateCreatedMetadata(memberObject(object, 'metadata'), options)
  );
}

function updatedMetadata(
  { schemas }: CustomResourceValidator,
  object: JsonObject,
  old: JsonObject,
): Finding[] {
  return (
    unreadableMetadata(object, schemas) ??
    unreadableMetadata(old, schemas) ??
    validateUpdatedMetadata(memberObject(object, 'metadata'), memberObject(old, 'metadata'))
  );
}

function unreadableMetadata(object: JsonObject, schemas: Schemas): Finding[] | undefined {
  const metadata = member(object, 'metadata');
  const problem = metadataProblem(metadata, schemas);
  return problem === undefined ? undefined : [invalid('metadata', metadata, problem)];
}

function valueFindings({ violations }: ReturnType<typeof validateValue>, base = ''): Finding[] {
  return violations.map((violation) => violationFinding(base, violation));
}
