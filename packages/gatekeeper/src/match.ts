import {
  compileLabelSelector,
  type JsonObject,
  type LabelSelector,
  labelsOf,
  memberObject,
  memberObjects,
  memberText,
  memberTexts,
  parseGroupVersion,
} from '@kubeadmit/apimachinery';

/** The object and namespace that a match is evaluated on. */
export interface Matchable {
  readonly object: JsonObject;
  /** The namespace of the request, if it is known. */
  readonly namespace: JsonObject | undefined;
}

/** Says that a match cannot be decided, in Gatekeeper's words; caught where a request is reviewed. */
export class MatchProblem extends Error {}

type Test = (match: JsonObject, target: Matchable) => boolean;

/**
 * Whether the `match` of a constraint is about an object (gatekeeper, `pkg/mutation/match/match.go`).
 *
 * @throws MatchProblem where a selector asks about a namespace that is not known.
 */
export function isMatched(match: JsonObject, target: Matchable): boolean {
  return tests.every((test) => test(match, target));
}

// In the order of Gatekeeper, which decides whether there is a problem.
const tests: readonly Test[] = [
  kindsMatch,
  scopeMatches,
  (match, target) => {
    const names = memberTexts(match, 'namespaces');
    const name = namespaceName(target);
    return (
      names.length === 0 || name === undefined || names.some((each) => matchesGlob(each, name))
    );
  },
  (match, target) => {
    const names = memberTexts(match, 'excludedNamespaces');
    const name = namespaceName(target);
    return name === undefined || !names.some((each) => matchesGlob(each, name));
  },
  (match, { object }) => {
    const selector = match['labelSelector'];
    return selector == null || isSelected(selector, object);
  },
  namespaceSelected,
  nameMatches,
  // Objects that are not made of others are original.
  (match) => ['', 'All', 'Original'].includes(memberText(match, 'source')),
];

function kindsMatch(match: JsonObject, { object }: Matchable): boolean {
  const entries = memberObjects(match, 'kinds');
  const kind = memberText(object, 'kind');
  const group = groupOf(object);
  const has = (list: readonly string[], one: string): boolean =>
    list.length === 0 || list.includes('*') || list.includes(one);
  return (
    entries.length === 0 ||
    entries.some(
      (entry) =>
        has(memberTexts(entry, 'kinds'), kind) && has(memberTexts(entry, 'apiGroups'), group),
    )
  );
}

function scopeMatches(match: JsonObject, target: Matchable): boolean {
  const hasNamespace = ownNamespace(target.object) !== '' || target.namespace !== undefined;
  const isNamespace = isNamespaceObject(target.object);
  switch (match['scope']) {
    case 'Cluster':
      return isNamespace || !hasNamespace;
    case 'Namespaced':
      return !isNamespace && hasNamespace;
    default:
      return true;
  }
}

function namespaceSelected(match: JsonObject, { object, namespace }: Matchable): boolean {
  const selector = match['namespaceSelector'];
  if (selector == null) return true;
  if (isNamespaceObject(object)) return isSelected(selector, object);
  if (namespace !== undefined) return isSelected(selector, namespace);
  if (ownNamespace(object) === '') return true;
  throw new MatchProblem('namespace selector for namespace-scoped object but missing Namespace');
}

function nameMatches(match: JsonObject, { object }: Matchable): boolean {
  const pattern = memberText(match, 'name');
  const metadata = memberObject(object, 'metadata');
  if (pattern === '' || matchesGlob(pattern, memberText(metadata, 'name'))) return true;
  // The end of a generated name is not known.
  return pattern.endsWith('*') && matchesGlob(pattern, memberText(metadata, 'generateName'));
}

/** A glob with a star in front, behind or both; others are names (`pkg/wildcard`). */
function matchesGlob(glob: string, text: string): boolean {
  const isOpenBefore = glob.startsWith('*');
  const isOpenBehind = glob.endsWith('*');
  const fixed = glob.slice(isOpenBefore ? 1 : 0);
  const middle = isOpenBehind && fixed !== '' ? fixed.slice(0, -1) : fixed;
  if (isOpenBefore && isOpenBehind) return text.includes(middle);
  if (isOpenBefore) return text.endsWith(middle);
  return isOpenBehind ? text.startsWith(middle) : text === glob;
}

function isSelected(selector: unknown, object: JsonObject): boolean {
  return compileLabelSelector(selector as LabelSelector).matches(labelsOf(object));
}

/** The namespace that names are about; undefined for objects in none. */
function namespaceName({ object, namespace }: Matchable): string | undefined {
  if (isNamespaceObject(object)) return memberText(memberObject(object, 'metadata'), 'name');
  if (namespace !== undefined) return memberText(memberObject(namespace, 'metadata'), 'name');
  return ownNamespace(object) || undefined;
}

function ownNamespace(object: JsonObject): string {
  return memberText(memberObject(object, 'metadata'), 'namespace');
}

function isNamespaceObject(object: JsonObject): boolean {
  return memberText(object, 'kind') === 'Namespace' && groupOf(object) === '';
}

function groupOf(object: JsonObject): string {
  return parseGroupVersion(memberText(object, 'apiVersion'))?.group ?? '';
}
