import {
  isObject,
  type JsonObject,
  member,
  memberList,
  memberText,
  objectOf,
} from '@kubeadmit/apimachinery';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { byteLength } from '@kubeadmit/go';
import { readStructural, SchemaProblem } from '@kubeadmit/schemas/definitions';
import { followFieldPath } from '../rules/field-path.ts';
import {
  childPath,
  duplicate,
  type Finding,
  forbidden,
  invalid,
  invalidShown,
  keyPath,
  notSupported,
  required,
  tooMany,
} from '../schema/finding.ts';
import { innerOf, isOn, type Schema } from '../schema/schema.ts';
import { sortedJson } from '../values/go-value-text.ts';
import type { DefiningServer } from './defining-server.ts';
import type { DefinitionSpec } from './definition-spec.ts';
import { schemaText, setFields, versionsText } from './go-schema.ts';
import { RuleContext } from './rule-context.ts';
import { validateColumn, validateSubresources } from './validate-columns.ts';
import { validateConversion } from './validate-conversion.ts';
import { validateDefaults } from './validate-defaults.ts';
import { validateNames } from './validate-names.ts';
import { validateSchema } from './validate-schema.ts';
import { validateStructural } from './validate-structural.ts';
import { validateTotalCost } from './validate-total-cost.ts';

/** Checks the spec of a new definition (apiextensions, `validateCustomResourceDefinitionSpec`). */
export function validateSpec(spec: DefinitionSpec, server: DefiningServer): Finding[] {
  const { names, shared, versions } = spec;
  const findings = [...validateGroup(spec.group), ...validateScope(spec.scope)];
  const sharedSchema = openApiOf(shared);
  if (!sharedSchema) {
    versions.forEach((version, index) => {
      if (openApiOf(version)) return;
      findings.push(required(`${versionPath(index)}.schema.openAPIV3Schema`));
    });
  }
  if (spec.preservesUnknownFields && hasDefaults([sharedSchema, ...versions.map(openApiOf)])) {
    const detail = 'must be false in order to use defaults in the schema';
    findings.push(invalid('spec.preserveUnknownFields', true, detail));
  }
  versions.forEach((version, index) => {
    const path = versionPath(index);
    const name = memberText(version, 'name');
    const problems = dns1035LabelProblems(name);
    if (problems.length > 0) findings.push(invalid(`${path}.name`, name, problems.join(',')));
    findings.push(...validateVersion(version, path, hasStatus(subresourcesOf(spec, name)), server));
  });
  const shownVersions = (): string => (spec.hasVersions ? versionsText(versions) : 'null');
  const listed = versions.map((version) => memberText(version, 'name'));
  if (new Set(listed).size < listed.length) {
    const detail = 'must contain unique version names';
    findings.push(invalidShown('spec.versions', shownVersions(), detail));
  }
  if (versions.filter((version) => isOn(version, 'storage')).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    findings.push(invalidShown('spec.versions', shownVersions(), detail));
  }
  const problems = spec.version === '' ? [] : dns1035LabelProblems(spec.version);
  if (problems.length > 0) findings.push(invalid('spec.version', spec.version, problems.join(',')));
  for (const key of ['plural', 'singular', 'kind', 'listKind']) {
    if (memberText(names, key) === '') findings.push(required(`spec.names.${key}`));
  }
  findings.push(...validateNames(names, 'spec.names'));
  const anyStatus = [shared, ...versions].some((each) => hasStatus(innerOf(each, 'subresources')));
  findings.push(...validateOpenApi(sharedSchema, anyStatus, 'spec.validation', server));
  findings.push(...validateSubresources(innerOf(shared, 'subresources'), 'spec.subresources'));
  structsOf(shared, 'additionalPrinterColumns').forEach((column, index) => {
    findings.push(...validateColumn(column, keyPath('spec.additionalPrinterColumns', index)));
  });
  const fields = structsOf(shared, 'selectableFields');
  if (fields.length > 0) {
    if (innerOf(shared, 'schema')) {
      findings.push(...validateSelectableFields(fields, sharedSchema, 'spec'));
    } else {
      const detail = 'may only be set when validations.schema is included';
      findings.push(invalid('spec.selectableFields', '', detail));
    }
  }
  return [...findings, ...validateConversion(spec.conversion, spec.preservesUnknownFields)];
}

function versionPath(index: number): string {
  return keyPath('spec.versions', index);
}

function validateGroup(group: string): Finding[] {
  if (group === '') return [required('spec.group')];
  const problems = dns1123SubdomainProblems(group);
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))];
  if (group.includes('.')) return [];
  return [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function validateScope(scope: string): Finding[] {
  if (scope === '') return [required('spec.scope')];
  const allowed = ['Cluster', 'Namespaced'];
  return allowed.includes(scope) ? [] : [notSupported('spec.scope', scope, allowed)];
}

function openApiOf(holder: JsonObject): Schema | undefined {
  const schema = innerOf(holder, 'schema');
  return schema && innerOf(schema, 'openAPIV3Schema');
}

function structsOf(holder: JsonObject, key: string): readonly JsonObject[] {
  return memberList(holder, key).map(objectOf);
}

function hasStatus(subresources: JsonObject | undefined): boolean {
  return subresources !== undefined && innerOf(subresources, 'status') !== undefined;
}

function subresourcesOf(
  { shared, versions }: DefinitionSpec,
  name: string,
): JsonObject | undefined {
  const isPerVersion = versions.some((version) => innerOf(version, 'subresources'));
  if (!isPerVersion) return innerOf(shared, 'subresources');
  const version = versions.find((each) => memberText(each, 'name') === name);
  return version && innerOf(version, 'subresources');
}

function hasDefaults(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasDefaults);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, inner]) => (key === 'default' && inner !== null) || hasDefaults(inner),
  );
}

function validateVersion(
  version: JsonObject,
  path: string,
  isStatusOn: boolean,
  server: DefiningServer,
): Finding[] {
  const findings: Finding[] = [];
  const warning = member(version, 'deprecationWarning');
  if (typeof warning === 'string') {
    for (const text of warningProblems(isOn(version, 'deprecated'), warning)) {
      findings.push(invalidShown(`${path}.deprecationWarning`, sortedJson(warning), text));
    }
  }
  const schema = openApiOf(version);
  findings.push(...validateOpenApi(schema, isStatusOn, `${path}.schema`, server));
  const subresources = innerOf(version, 'subresources');
  findings.push(...validateSubresources(subresources, `${path}.subresources`));
  structsOf(version, 'additionalPrinterColumns').forEach((column, index) => {
    findings.push(...validateColumn(column, keyPath(`${path}.additionalPrinterColumns`, index)));
  });
  const fields = structsOf(version, 'selectableFields');
  if (fields.length === 0) return findings;
  if (schema) return [...findings, ...validateSelectableFields(fields, schema, path)];
  const detail = 'may only be set when `version.schema.openAPIV3Schema` is not included';
  return [...findings, invalid(`${path}.selectableFields`, '', detail)];
}

function warningProblems(isDeprecated: boolean, warning: string): string[] {
  if (!isDeprecated) return ['can only be set for deprecated versions'];
  const problems: string[] = [];
  if (byteLength(warning) > 256) problems.push('must be <= 256 characters long');
  if (warning === '') problems.push('must not be an empty string');
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (odd) {
    const index = byteLength(warning.slice(0, odd.index));
    problems.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
    );
  }
  return problems;
}

const allowedAtRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

function validateOpenApi(
  schema: Schema | undefined,
  isStatusOn: boolean,
  base: string,
  server: DefiningServer,
): Finding[] {
  if (!schema) return [];
  const path = childPath(base, 'openAPIV3Schema');
  const findings = isStatusOn ? validateRoot(schema, path) : [];
  if (isOn(schema, 'nullable')) {
    findings.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  }
  const structural = readStructural(schema);
  let context: RuleContext | undefined;
  if (!(structural instanceof SchemaProblem)) {
    const shape = validateStructural(path, schema);
    const problems = shape.length > 0 ? shape : validateDefaults(path, structural, server.schemas);
    findings.push(...problems);
    if (problems.length === 0) context = RuleContext.root(schema, server.minor);
  }
  const found = validateSchema(schema, path, { isRoot: true, context });
  findings.push(...found.schema, ...found.rules);
  if (structural instanceof SchemaProblem && findings.length === 0) {
    findings.push(invalid(path, '', structural.message));
  }
  return context ? [...findings, ...validateTotalCost(path, context)] : findings;
}

function validateRoot(schema: Schema, path: string): Finding[] {
  const allowed = new Set(allowedAtRoot.split(' '));
  for (const name of setFields(schema)) {
    if (name === 'Type') {
      const type = memberText(schema, 'type');
      if (type === 'object') continue;
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalid(`${path}.type`, type, detail)];
    }
    if (allowed.has(name)) continue;
    const detail = `only [${allowedAtRoot}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalidShown(path, schemaText(schema), detail)];
  }
  return [];
}

const maxSelectableFields = 8;

function validateSelectableFields(
  fields: readonly JsonObject[],
  schema: Schema | undefined,
  base: string,
): Finding[] {
  const path = `${base}.selectableFields`;
  const findings: Finding[] = [];
  const seen = new Set<string>();
  fields.forEach((field, index) => {
    const at = childPath(keyPath(path, index), 'jsonPath');
    const text = memberText(field, 'jsonPath');
    if (text === '') {
      findings.push(required(at));
      return;
    }
    const found = followFieldPath(text, schema ?? {}, false);
    if ('problem' in found) {
      findings.push(invalid(at, text, `is an invalid path: ${found.problem}`));
      return;
    }
    if (found.root === 'metadata') {
      findings.push(invalid(at, text, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(memberText(found.schema, 'type'))) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      findings.push(invalid(at, text, detail));
    }
    if (seen.has(found.path)) findings.push(duplicate(at, text));
    seen.add(found.path);
  });
  if (seen.size > maxSelectableFields) findings.push(tooMany(path, seen.size, maxSelectableFields));
  return findings;
}
