import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { textsOf } from '@kubeadmit/difference/unstable-internal';
import { hasWildcard, parseKindSelector } from '@kubeadmit/kyverno/patterns';
import { literal } from '../cel/literal.ts';
import { all, any, call, choice, member, relation, type Term } from '../cel/term.ts';
import { oneOf, someWildcardTest, wildcardTest } from '../cel/wildcard.ts';
import { Unsupported } from '../notes/unsupported.ts';
import type { Filter } from './filter.ts';
import { selectorTest } from './selector.ts';

interface FilterOptions {
  /** Whether kinds must be tested because the policy also applies to other kinds. */
  readonly namesKinds: boolean;
  /** The kinds that the policy matches; those of a filter that names none. */
  readonly matched: readonly string[];
  /** Whether the policy's own selector already asks for namespaces. */
  readonly leavesNamespaces: boolean;
  /** Whether the policy's own selector already asks for labels. */
  readonly leavesLabels: boolean;
  /** The operations of the policy, where the filter may be about fewer. */
  readonly operations: readonly string[] | undefined;
}

/** Whether a request is one that a filter selects, as far as rules and selectors do not ask that already. */
export function filterTest(filter: Filter, options: FilterOptions): Term {
  const { resources, kinds, subjects } = filter;
  const tests: Term[] = [];
  if (options.namesKinds && kinds.length > 0) tests.push(kindTest(kinds));
  const wanted = textsOf(resources['operations']);
  const isEvery = options.operations?.every((each) => wanted.includes(each)) ?? true;
  if (wanted.length > 0 && !isEvery) {
    tests.push(oneOf(member('request.operation'), wanted));
  }
  const names = [
    ...textsOf(resources['names']),
    ...(resources['name'] ? [String(resources['name'])] : []),
  ];
  if (names.length > 0) tests.push(any(someWildcardTest(member('request.name'), names)));
  if (!options.leavesNamespaces) {
    tests.push(...namespaceTests(resources, kinds.length > 0 ? kinds : options.matched));
  }
  if (!options.leavesLabels && isObject(resources['selector'])) {
    tests.push(selectorTest(resources['selector'], labelsOf('object')));
  }
  if (isObject(resources['annotations'])) tests.push(annotationsTest(resources['annotations']));
  if (subjects.length > 0) tests.push(any(subjects.map(subjectTest)));
  return all(tests);
}

function kindTest(kinds: readonly string[]): Term {
  const names = kinds.map((kind) => parseKindSelector(kind).kind);
  return any(someWildcardTest(member('request.kind.kind'), [...new Set(names)]));
}

function namespaceTests(resources: JsonObject, kinds: readonly string[]): readonly Term[] {
  const tests: Term[] = [];
  const names = textsOf(resources['namespaces']);
  const place = namespaceOf(kinds);
  if (names.length > 0) tests.push(any(someWildcardTest(place, names)));
  const selector = resources['namespaceSelector'];
  if (isObject(selector)) {
    const isThere = relation(member('namespaceObject'), '!=', member('null'));
    tests.push(isThere, selectorTest(selector, labelsOf('namespaceObject')));
  }
  return tests;
}

/** The namespace of the object; Kyverno takes a Namespace to be in itself. */
function namespaceOf(kinds: readonly string[]): Term {
  const [name, namespace] = [member('request.name'), member('request.namespace')];
  const ofNamespaces = kinds.filter((kind) => parseKindSelector(kind).kind === 'Namespace');
  if (ofNamespaces.length === 0) return namespace;
  if (ofNamespaces.length === kinds.length) return name;
  const isItself = relation(member('request.kind.kind'), '==', literal('Namespace'));
  return member(`(${choice(isItself, name, namespace).text})`);
}

function labelsOf(root: string): Term {
  return member(`${root}.metadata.?labels.orValue({})`);
}

function annotationsTest(annotations: JsonObject): Term {
  const place = member('object.metadata.?annotations.orValue({})');
  return all(
    Object.entries(annotations).map(([key, value]) =>
      hasWildcard(key)
        ? call(
            place,
            'exists',
            member('key'),
            all([
              wildcardTest(member('key'), key),
              wildcardTest(member(`${place.text}[key]`), String(value)),
            ]),
          )
        : pairTest(place, key, String(value)),
    ),
  );
}

function pairTest(place: Term, key: string, value: string): Term {
  const inPlace = relation(literal(key), 'in', place);
  return all([inPlace, wildcardTest(member(`${place.text}[${literal(key).text}]`), value)]);
}

function subjectTest(subject: JsonObject): Term {
  const name = String(subject['name'] ?? '');
  const user = member('request.userInfo.username');
  switch (subject['kind']) {
    case 'User':
      return wildcardTest(user, name);
    case 'ServiceAccount':
      return wildcardTest(
        user,
        `system:serviceaccount:${String(subject['namespace'] ?? '')}:${name}`,
      );
    case 'Group': {
      const groups = member('request.userInfo.groups');
      if (!hasWildcard(name)) return relation(literal(name), 'in', groups);
      return call(groups, 'exists', member('group'), wildcardTest(member('group'), name));
    }
    default:
      throw new Unsupported(`a subject of the kind \`${String(subject['kind'])}\``);
  }
}
