import { isObject, member, memberText } from '@kubeadmit/apimachinery';
import { compareText, compileRegex, deepEqual, Regex, sortedKeys } from '@kubeadmit/go';
import { rulesOf } from '../rules/rule.ts';
import {
  childPath,
  type Finding,
  findingText,
  forbidden,
  invalid,
  keyPath,
  required,
} from '../schema/finding.ts';
import {
  branchesOf,
  innerOf,
  isOn,
  propertiesOf,
  propertyOf,
  type Schema,
  valuesOf,
} from '../schema/schema.ts';
import { kindOf } from '../values/json-value.ts';
import { completeness, propertyPath } from './structural-completeness.ts';

type Level = 'root' | 'items' | 'field';

/**
 * Returns the reasons why a schema is not structural, in the order of the messages (apiextensions,
 * `schema.ValidateStructural`).
 */
export function validateStructural(path: string, schema: Schema): Finding[] {
  return [...invariants(schema, 'root', path), ...completeness(schema, schema, path, path)].sort(
    (left, right) => compareText(findingText(left), findingText(right)),
  );
}

// The order of the findings is that of their texts.
function invariants(schema: Schema, level: Level, path: string): Finding[] {
  const [first = {}] = branchesOf(schema, 'allOf');
  return [
    ...innerInvariants(schema, path),
    ...valueValidation(
      schema,
      path,
      level,
      isIntOrStringPattern(schema),
      isIntOrStringPattern(first),
    ),
    ...typeInvariants(schema, level, path),
    ...extensionInvariants(schema, level, path),
    ...headInvariants(schema, level, path),
  ];
}

function innerInvariants(schema: Schema, path: string): Finding[] {
  const at = (name: string): string => childPath(path, name);
  const items = innerOf(schema, 'items');
  const values = valuesOf(schema);
  return [
    ...(items ? invariants(items, 'items', at('items')) : []),
    ...sortedKeys(propertiesOf(schema)).flatMap((name) =>
      invariants(propertyOf(schema, name) ?? {}, 'field', propertyPath(path, name)),
    ),
    ...(values ? invariants(values, 'field', at('additionalProperties')) : []),
  ];
}

const places = {
  root: 'at the root',
  items: 'for specified array items',
  field: 'for specified object fields',
} as const;

function typeInvariants(schema: Schema, level: Level, path: string): Finding[] {
  const findings: Finding[] = [];
  const type = memberText(schema, 'type');
  const at = childPath(path, 'type');
  const isAny =
    isOn(schema, 'x-kubernetes-int-or-string') ||
    isOn(schema, 'x-kubernetes-preserve-unknown-fields');
  if (isOn(schema, 'x-kubernetes-embedded-resource') && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    findings.push(type === '' ? required(at, detail) : invalid(at, type, detail));
  } else if (type === '' && !isAny) {
    findings.push(required(at, `must not be empty ${places[level]}`));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    findings.push(invalid(at, type, 'must be object at the root'));
  }
  if (type === 'array' && !innerOf(schema, 'items')) {
    findings.push(required(childPath(path, 'items'), 'must be specified'));
  }
  return findings;
}

/** Validates how Kubernetes' extensions depend on each other and on neighboring fields. */
function extensionInvariants(schema: Schema, level: Level, path: string): Finding[] {
  const findings: Finding[] = [];
  const at = (name: string): string => childPath(path, name);
  const isEmbedded = isOn(schema, 'x-kubernetes-embedded-resource');
  const isIntOrString = isOn(schema, 'x-kubernetes-int-or-string');
  const isOpen = isOn(schema, 'x-kubernetes-preserve-unknown-fields');
  const hasAdditional = kindOf(member(schema, 'additionalProperties')) !== 'null';
  if (hasAdditional && level === 'root') {
    findings.push(forbidden(at('additionalProperties'), 'must not be used at the root'));
  }
  if (hasAdditional && isEmbedded) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    findings.push(forbidden(at('additionalProperties'), detail));
  }
  const notBoth = 'must be false if x-kubernetes-int-or-string is true';
  if (isIntOrString && isOpen) {
    findings.push(invalid(at('x-kubernetes-preserve-unknown-fields'), true, notBoth));
  }
  if (isIntOrString && isEmbedded) {
    findings.push(invalid(at('x-kubernetes-embedded-resource'), true, notBoth));
  }
  if (isEmbedded && !isOpen && Object.keys(propertiesOf(schema)).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    findings.push(required(at('properties'), detail));
  }
  return findings;
}

/** Validates the fields that every object has. */
function headInvariants(schema: Schema, level: Level, path: string): Finding[] {
  const findings: Finding[] = [];
  const isResource = level === 'root' || isOn(schema, 'x-kubernetes-embedded-resource');
  for (const name of isResource ? ['kind', 'apiVersion'] : []) {
    const property = propertyOf(schema, name);
    const given = property && memberText(property, 'type');
    if (given !== undefined && given !== 'string') {
      findings.push(invalid(childPath(propertyPath(path, name), 'type'), given, 'must be string'));
    }
  }
  const metadata = propertyOf(schema, 'metadata');
  return metadata === undefined
    ? findings
    : [
        ...findings,
        ...metadataInvariants(metadata, isResource, level, propertyPath(path, 'metadata')),
      ];
}

/** Fields that are pointers to Go, so that a zero value is a value. */
const pointers: readonly string[] = [
  'additionalProperties',
  'example',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
];

/** Fields whose elements are copied one by one, so that an empty list or map is the same as an absent one. */
const copied: readonly string[] = [
  'allOf',
  'anyOf',
  'definitions',
  'dependencies',
  'enum',
  'items',
  'oneOf',
  'patternProperties',
];

/** Whether a field of a schema says nothing once it is read. */
function isUnset(key: string, value: unknown): boolean {
  if (value === null) return true;
  if (value === '' || value === false) return !pointers.includes(key);
  if (!copied.includes(key)) return false;
  if (Array.isArray(value)) return value.length === 0;
  // An empty schema of items counts as present; values that are not schemas are ignored.
  if (!isObject(value)) return true;
  return key !== 'items' && Object.keys(value).length === 0;
}

function metadataInvariants(
  schema: Schema,
  isResource: boolean,
  level: Level,
  path: string,
): Finding[] {
  const findings: Finding[] = [];
  const type = memberText(schema, 'type');
  if (isResource && type !== 'object') {
    findings.push(invalid(childPath(path, 'type'), type, 'must be object'));
  }
  if (level !== 'root') return findings;
  const names = Object.keys(propertiesOf(schema));
  const onlyNames = names.every((name) => name === 'name' || name === 'generateName');
  const others = Object.keys(schema).filter(
    (key) => !['type', 'default', 'properties'].includes(key) && !isUnset(key, schema[key]),
  );
  if (!onlyNames || others.length > 0) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    findings.push(forbidden(path, detail));
  }
  return findings;
}

/** Whether `anyOf` is an integer or a string, which is allowed to say so. */
function isIntOrStringPattern(schema: Schema): boolean {
  return deepEqual(member(schema, 'anyOf'), [{ type: 'integer' }, { type: 'string' }]);
}

function valueValidation(
  schema: Schema,
  path: string,
  level: Level,
  skipsAnyOf: boolean,
  skipsFirstAnyOf: boolean,
): Finding[] {
  const findings: Finding[] = [];
  const branches = (key: string): void => {
    branchesOf(schema, key).forEach((branch, index) => {
      const skips = key === 'allOf' && skipsFirstAnyOf && index === 0;
      findings.push(...nested(branch, keyPath(childPath(path, key), index), level, skips));
    });
  };
  if (!skipsAnyOf) branches('anyOf');
  branches('allOf');
  branches('oneOf');
  const not = innerOf(schema, 'not');
  if (not) findings.push(...nested(not, childPath(path, 'not'), level, false));
  const pattern = memberText(schema, 'pattern');
  const regex = pattern === '' ? undefined : compileRegex(pattern);
  if (regex && !(regex instanceof Regex)) {
    const detail = `must be a valid regular expression, but isn't: ${regex.error}`;
    findings.push(invalid(childPath(path, 'pattern'), pattern, detail));
  }
  return findings;
}

const forbiddenInside: readonly (readonly [string, string])[] = [
  ['type', 'must be empty to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
];

/** Validates that schemas inside `allOf`, `anyOf`, `oneOf` and `not` only limit values. */
function nested(schema: Schema, path: string, level: Level, skipsAnyOf: boolean): Finding[] {
  const at = (name: string): string => childPath(path, name);
  const findings = valueValidation(schema, path, level, skipsAnyOf, false);
  const items = innerOf(schema, 'items');
  if (items) findings.push(...nested(items, at('items'), level, false));
  for (const name of sortedKeys(propertiesOf(schema))) {
    const property = propertyOf(schema, name) ?? {};
    findings.push(...nested(property, propertyPath(path, name), 'field', false));
  }
  const additional = member(schema, 'additionalProperties');
  if (additional === true || isObject(additional)) {
    findings.push(forbidden(at('additionalProperties'), 'must be undefined to be structural'));
  }
  for (const [key, detail] of forbiddenInside) {
    const given = member(schema, key);
    const isPointer = key.endsWith('-list-type') || key.endsWith('-map-type') || key === 'default';
    const isEmptyList = Array.isArray(given) && given.length === 0 && !isPointer;
    const isUnset = kindOf(given) === 'null' || (!isPointer && (given === '' || given === false));
    if (!isUnset && !isEmptyList) findings.push(forbidden(at(key), detail));
  }
  if (rulesOf(schema).length > 0) {
    findings.push(forbidden(at('x-kubernetes-validations'), 'must be empty to be structural'));
  }
  if (propertyOf(schema, 'metadata')) {
    const detail = 'must not be specified in a nested context';
    findings.push(forbidden(propertyPath(path, 'metadata'), detail));
  }
  return findings;
}
