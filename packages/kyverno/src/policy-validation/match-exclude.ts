import { type FieldError, isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { forbidden, invalid, required } from '@kubeadmit/apimachinery/field-errors';
import { deepEqual } from '@kubeadmit/go';
import {
  field,
  listField,
  objectField,
  objectsField,
  stringField,
  textsField,
} from '../fields/fields.ts';
import { compileSelector, selects } from '../match/selector.ts';
import { hasWildcard, matchesWildcard } from '../match/wildcard.ts';
import { type KindScopes, namespacedScopes, type PolicySetting } from './kind-scopes.ts';
import { writeTyped } from './read-policy.ts';

/** Validates `match` or `exclude` of a rule (`MatchResources.Validate`). */
export function validateFilters(
  block: JsonObject | undefined,
  path: string,
  { isNamespaced, scopes }: Pick<PolicySetting, 'isNamespaced' | 'scopes'>,
): readonly FieldError[] {
  if (block === undefined) return [];
  const any = objectsField(block, 'any');
  const all = objectsField(block, 'all');
  const both = any.length > 0 && all.length > 0;
  return [
    ...(both
      ? [
          invalid(
            path,
            writeTyped(block, 'v1.MatchResources'),
            "Can't specify any and all together",
          ),
        ]
      : []),
    ...any.flatMap((filter, at) =>
      validateFilter(filter, `${path}.any[${at}]`, isNamespaced, scopes),
    ),
    ...all.flatMap((filter, at) =>
      validateFilter(filter, `${path}.all[${at}]`, isNamespaced, scopes),
    ),
    ...validateFilter(block, path, isNamespaced, scopes),
  ];
}

/** Validates the users and resources of one filter. */
export function validateFilter(
  filter: JsonObject,
  path: string,
  isNamespaced: boolean,
  scopes: KindScopes = namespacedScopes,
): readonly FieldError[] {
  return [
    ...validateUsers(filter, path),
    ...validateDescription(objectField(filter, 'resources') ?? {}, path, isNamespaced, scopes),
  ];
}

/** Validates the subjects and roles of a filter (`UserInfo.Validate`). */
export function validateUsers(filter: JsonObject, path: string): readonly FieldError[] {
  const subjects = objectsField(filter, 'subjects').flatMap((subject, at) =>
    validateSubject(subject, `${path}.subjects[${at}]`),
  );
  const roles = textsField(filter, 'roles').flatMap((role, at) =>
    role.split(':').length === 2
      ? []
      : [invalid(`${path}.roles[${at}]`, role, 'Role is expected to be in namespace:name format')],
  );
  return [...subjects, ...roles];
}

function validateSubject(subject: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const kind = stringField(subject, 'kind');
  if (kind === '') errors.push(required(`${path}.kind`));
  else if (kind !== 'Group' && kind !== 'ServiceAccount' && kind !== 'User') {
    const detail = "kind must be 'User', 'Group', or 'ServiceAccount'";
    errors.push(invalid(`${path}.kind`, kind, detail));
  }
  if (stringField(subject, 'name') === '') errors.push(required(`${path}.name`));
  if (kind === 'ServiceAccount' && stringField(subject, 'namespace') === '') {
    const detail = 'namespace is required when Kind is ServiceAccount';
    errors.push(required(`${path}.namespace`, detail));
  }
  return errors;
}

function validateDescription(
  resources: JsonObject,
  path: string,
  isNamespaced: boolean,
  scopes: KindScopes,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (stringField(resources, 'name') !== '' && listField(resources, 'names').length > 0) {
    const written = writeTyped(resources, 'v1.ResourceDescription');
    errors.push(invalid(path, written, 'Both name and names can not be specified together'));
  }
  const selector = objectField(resources, 'selector');
  const problem = selector && selectorProblem(selector);
  if (problem !== undefined) {
    const written = writeTyped(selector, 'meta.v1.LabelSelector');
    errors.push(invalid(`${path}.selector`, written, problem));
  }
  if (isNamespaced && listField(resources, 'namespaces').length > 0) {
    const detail = 'Filtering namespaces not allowed in namespaced policies';
    errors.push(forbidden(`${path}.namespaces`, detail));
  }
  for (const [at, kind] of textsField(resources, 'kinds').entries()) {
    if (!isNamespaced || scopes.isClusterWide(kind) !== true) continue;
    const detail = `Cluster wide resource '${kind}' not allowed in namespaced policy`;
    errors.push(forbidden(`${path}.kinds[${at}]`, detail));
  }
  return errors;
}

/** Selectors with wildcards are not looked at. */
function selectorProblem(selector: JsonObject): string | undefined {
  const labels = objectField(selector, 'matchLabels') ?? {};
  const keys = Object.keys(labels);
  if (keys.some((key) => hasWildcard(key) || hasWildcard(String(labels[key])))) return undefined;
  const expressions = listField(selector, 'matchExpressions');
  if (keys.length === 0 && expressions.length === 0) {
    return 'The requirements are not specified in selector';
  }
  const result = selects(compileSelector(selector), {});
  return typeof result === 'object' ? result.error : undefined;
}

const emptySet = 'Rule is matching an empty set';

/** Whether a rule excludes all that it matches, as far as Kyverno sees it (`ValidateMatchExcludeConflict`). */
export function validateConflict(
  rule: JsonObject,
  written: JsonObject,
  path: string,
): readonly FieldError[] {
  const match = objectField(rule, 'match') ?? {};
  const exclude = objectField(rule, 'exclude');
  if (exclude === undefined) return [];
  return excludesAll(match, exclude) ? [invalid(path, written, emptySet)] : [];
}

/** Whether `exclude` has all that `match` has, as far as Kyverno compares them. */
export function excludesAll(match: JsonObject, exclude: JsonObject): boolean {
  const lists = (block: JsonObject, name: string): readonly JsonObject[] =>
    objectsField(block, name);
  if (lists(match, 'all').length > 0 || lists(exclude, 'all').length > 0) return false;
  const matchAny = lists(match, 'any');
  const excludeAny = lists(exclude, 'any');
  if (matchAny.length > 0 && excludeAny.length > 0) {
    return matchAny.some((one) => excludeAny.some((other) => isSameFilter(one, other)));
  }
  if (isBlank(exclude)) return false;
  const matched = objectField(match, 'resources') ?? {};
  const excluded = objectField(exclude, 'resources') ?? {};
  if (!coversTexts(match, exclude, 'roles') || !coversTexts(match, exclude, 'clusterRoles')) {
    return false;
  }
  if (!covers(objectsField(match, 'subjects'), objectsField(exclude, 'subjects'))) return false;
  const name = stringField(excluded, 'name');
  if (name !== '' && !matchesWildcard(name, stringField(matched, 'name'))) return false;
  const names = textsField(excluded, 'names');
  if (names.length > 0) {
    return textsField(matched, 'names').some((one) =>
      names.some((pattern) => matchesWildcard(pattern, one)),
    );
  }
  return (
    coversTexts(matched, excluded, 'namespaces') &&
    coversTexts(matched, excluded, 'kinds') &&
    coversSelector(matched, excluded, 'selector') &&
    coversSelector(matched, excluded, 'namespaceSelector') &&
    hasSameAnnotations(matched, excluded)
  );
}

/** Empty lists and maps that are written down are not the same as none. */
function isSameFilter(one: JsonObject, other: JsonObject): boolean {
  const plain = (filter: JsonObject): JsonObject => ({
    resources: {},
    ...withoutEmptyTexts(filter),
  });
  return deepEqual(plain(one), plain(other));
}

function withoutEmptyTexts(object: JsonObject): JsonObject {
  const kept = Object.entries(object).filter(([, value]) => value !== '');
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isObject(value) ? withoutEmptyTexts(value) : value]),
  );
}

function isBlank(exclude: JsonObject): boolean {
  return Object.keys(exclude).every((key) => {
    const value = exclude[key];
    return key === 'resources' && deepEqual(value, {});
  });
}

function coversTexts(match: JsonObject, exclude: JsonObject, name: string): boolean {
  return covers(textsField(match, name), textsField(exclude, name));
}

/** Whether everything matched is excluded; nothing excluded covers anything, and nothing matched is never covered. */
function covers(matched: readonly unknown[], excluded: readonly unknown[]): boolean {
  if (excluded.length === 0) return true;
  return (
    matched.length > 0 && matched.every((one) => excluded.some((other) => deepEqual(one, other)))
  );
}

function coversSelector(match: JsonObject, exclude: JsonObject, name: string): boolean {
  const matched = objectField(match, name);
  const excluded = objectField(exclude, name);
  if (matched === undefined || excluded === undefined) return matched === excluded;
  if (
    !covers(objectsField(matched, 'matchExpressions'), objectsField(excluded, 'matchExpressions'))
  ) {
    return false;
  }
  const wanted = objectField(excluded, 'matchLabels') ?? {};
  const labels = objectField(matched, 'matchLabels') ?? {};
  const keys = Object.keys(labels);
  return (
    Object.keys(wanted).length === 0 ||
    (keys.length > 0 &&
      keys.every((key) => (Object.hasOwn(wanted, key) ? wanted[key] : '') === labels[key]))
  );
}

function hasSameAnnotations(match: JsonObject, exclude: JsonObject): boolean {
  const matched = field(match, 'annotations');
  const excluded = field(exclude, 'annotations');
  return matched === undefined || excluded === undefined
    ? matched === excluded
    : deepEqual(matched, excluded);
}
