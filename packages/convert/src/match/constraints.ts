import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { parseKindSelector } from '@kubeadmit/kyverno/internal';
import type { Schemas } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/internal';
import { literal } from '../cel/literal.ts';
import { objectShape, Path } from '../cel/path.ts';
import { all, any, call, member, not, relation, type Term } from '../cel/term.ts';
import { differenceNotes, rolesNote } from '../known-differences.ts';
import { hasWildcard, oneOf, someWildcardTest, wildcardTest } from '../pattern/wildcard.ts';
import { Unsupported } from '../unsupported.ts';
import {
  type Block,
  coverKinds,
  type Filter,
  kindNamed,
  type ResourceRule,
  readBlock,
  textsOf,
} from './filter.ts';
import { selectorTest } from './selector.ts';

/** What a rule is about, in the terms of an admission policy. */
export interface Constraints {
  readonly resourceRules: readonly (ResourceRule & {
    readonly operations: readonly string[];
    readonly scope?: 'Namespaced';
  })[];
  readonly namespaceSelector?: JsonObject;
  readonly objectSelector?: JsonObject;
  /** What of `match` and `exclude` is left for conditions, each with a name. */
  readonly conditions: readonly { readonly name: string; readonly test: Term }[];
  /** The kinds that are named, as they are written. */
  readonly kinds: readonly string[];
  /** What a reader should know of the result. */
  readonly notes: readonly string[];
  /** What is left out, so that more requests are concerned. */
  readonly lost: readonly string[];
}

const operations = ['CREATE', 'UPDATE'] as const;

// `Pod/exec` and others that clients connect to, which nobody creates.
function isConnection(kind: string): boolean {
  return /\/(?:exec|attach|portforward|proxy)$/i.test(kind);
}

/** Whether a `match` block names nothing but what clients connect to. */
export function isOfConnections(match: unknown): boolean {
  const kinds = readBlock(match)?.filters.flatMap((filter) => filter.kinds) ?? [];
  return kinds.length > 0 && kinds.every(isConnection);
}

/** The `matchConstraints` of a policy. */
export function matchConstraints(constraints: Constraints): JsonObject {
  const { resourceRules, namespaceSelector, objectSelector } = constraints;
  return {
    ...(namespaceSelector && { namespaceSelector }),
    ...(objectSelector && { objectSelector }),
    resourceRules,
  };
}

/** How constraints are read. */
export interface ConstraintOptions {
  readonly schemas: Schemas;
  /** Kinds that the rule is about besides those that it names. */
  readonly extraKinds?: readonly string[];
  /** Whether labels are asked for by an `objectSelector`, which looks at the old object too. */
  readonly isIdiomatic?: boolean;
  /** The blocks of exceptions from the rule. */
  readonly exceptions?: readonly unknown[];
  /** The operations of requests that are wanted, of all that the rule is asked about. */
  readonly part?: Part;
}

/** Deletions have no object but the old one, so that they are asked about apart from other requests. */
export type Part = 'others' | 'deletions';

/**
 * What `match` and `exclude` of a rule are about.
 *
 * @throws Unsupported for what admission policies cannot ask.
 */
export function readConstraints(
  match: unknown,
  exclude: unknown,
  { schemas, extraKinds = [], isIdiomatic = false, exceptions = [], part }: ConstraintOptions,
): Constraints {
  const block = readBlock(match);
  if (block === undefined)
    throw new Unsupported('a rule that matches nothing', 'write what it is about in `match`');
  const kinds = [...new Set(block.filters.flatMap((filter) => filter.kinds))];
  if (kinds.length === 0)
    throw new Unsupported(
      'a rule that names no kind',
      'name the kinds in `match.any[].resources.kinds`',
    );
  const wanted =
    part === 'deletions'
      ? ['DELETE']
      : operationsOf(block).filter((each) => part === undefined || each !== 'DELETE');
  const covered = coverKinds([...kinds, ...extraKinds], schemas);
  const [only] = block.filters;
  const isSingle = block.filters.length === 1 && only !== undefined;
  const namespaceSelector = isSingle ? namespaceSelectorOf(only) : undefined;
  // What has no namespace is chosen by every selector of them.
  const isPlaced = namespaceSelector !== undefined && kinds.some(hasWildcard);
  const rules = covered.rules.map((rule) => ({
    ...rule,
    operations: wanted,
    ...(isPlaced ? { scope: 'Namespaced' as const } : {}),
  }));
  const selector = isSingle && isIdiomatic ? only.resources['selector'] : undefined;
  const objectSelector = isObject(selector) && !hasWildcards(selector) ? selector : undefined;
  const isSameKinds = block.filters.every(({ kinds: each }) => each.join() === kinds.join());
  const use = {
    namesKinds: !isSameKinds || covered.unknown.length > 0,
    leavesNamespaces: namespaceSelector !== undefined,
    leavesLabels: objectSelector !== undefined,
    operations: isSingle ? undefined : wanted,
  };
  const matchTest = combine(
    block,
    block.filters.map((filter) => filterTest(filter, use)),
  );
  const exclusions = [
    { name: 'exclude', test: exclusionTest(exclude, kinds, wanted) },
    ...exceptions
      .map((exception) => exclusionTest(exception, [], wanted))
      .filter((test) => test !== undefined)
      .map((test, at) => ({ name: `exception-${at + 1}`, test })),
  ];
  const conditions = [
    { name: 'match', test: matchTest },
    ...exclusions.flatMap(({ name, test }) =>
      test === undefined ? [] : [{ name, test: not(test) }],
    ),
  ].filter(({ test }) => test.text !== 'true');
  return {
    resourceRules: rules,
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    ...(objectSelector === undefined ? {} : { objectSelector }),
    conditions,
    kinds,
    lost: rolesOf(block, readBlock(exclude)),
    notes: [
      ...(kinds.includes('*') ? [differenceNotes.everyKind] : []),
      ...covered.unknown.map(
        (kind) =>
          `the resource of \`${kind}\` is not known, so that the policy asks for the kind of every request to its group; with its CustomResourceDefinition among the inputs it names the resource`,
      ),
    ],
  };
}

/** What a block excludes; kinds are named where they are not those that the constraints have. */
function exclusionTest(
  source: unknown,
  kinds: readonly string[],
  operations: readonly string[],
): Term | undefined {
  const block = decidable(readBlock(source));
  if (block === undefined) return undefined;
  const tests = block.filters.map((filter) =>
    filterTest(filter, {
      namesKinds: filter.kinds.join() !== kinds.join(),
      leavesNamespaces: false,
      leavesLabels: false,
      operations,
    }),
  );
  return combine(block, tests);
}

// What depends on roles excludes nothing.
function decidable(block: Block | undefined): Block | undefined {
  if (block === undefined) return undefined;
  const filters = block.filters.filter(({ roles }) => roles.length === 0);
  const isOpen =
    block.combined === 'any' ? filters.length > 0 : filters.length === block.filters.length;
  return isOpen ? { ...block, filters } : undefined;
}

function rolesOf(match: Block, exclude: Block | undefined): readonly string[] {
  const found = (block: Block | undefined, name: 'match' | 'exclude'): readonly string[] => {
    const roles = new Set(block?.filters.flatMap((filter) => filter.roles));
    return [...roles].map((role) => rolesNote(role, name));
  };
  return [...found(match, 'match'), ...found(exclude, 'exclude')];
}

function combine({ combined }: Block, tests: readonly Term[]): Term {
  return combined === 'any' ? any(tests) : all(tests);
}

/** The operations that a `match` block names anywhere; none where it names none. */
export function readOperations(match: unknown): readonly string[] {
  const filters = readBlock(match)?.filters ?? [];
  const isOpen = filters.some(({ resources }) => textsOf(resources['operations']).length === 0);
  if (isOpen) return [];
  return [...new Set(filters.flatMap(({ resources }) => textsOf(resources['operations'])))];
}

function operationsOf({ filters }: Block): readonly string[] {
  const named = new Set(filters.flatMap(({ resources }) => textsOf(resources['operations'])));
  const open = filters.filter(({ resources }) => textsOf(resources['operations']).length === 0);
  for (const kind of open.flatMap(({ kinds }) => kinds)) {
    const own = isConnection(kind) ? ['CONNECT'] : operations;
    for (const operation of own) named.add(operation);
  }
  return ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'].filter((each) => named.has(each));
}

// Namespaces by name, and a selector, become the one selector that a policy has.
function namespaceSelectorOf({ resources, kinds }: Filter): JsonObject | undefined {
  const names = textsOf(resources['namespaces']);
  const selector = resources['namespaceSelector'];
  if (names.length === 0 && !isObject(selector)) return undefined;
  if (names.some(hasWildcard) || kinds.includes('Namespace')) return undefined;
  if (hasWildcards(selector)) return undefined;
  const given = isObject(selector) ? selector : {};
  if (names.length === 0) return given;
  const expressions = Array.isArray(given['matchExpressions']) ? given['matchExpressions'] : [];
  return {
    ...given,
    matchExpressions: [
      ...expressions,
      { key: 'kubernetes.io/metadata.name', operator: 'In', values: names },
    ],
  };
}

function hasWildcards(value: unknown): boolean {
  if (typeof value === 'string') return hasWildcard(value);
  if (Array.isArray(value)) return value.some(hasWildcards);
  return isObject(value) && Object.entries(value).flat().some(hasWildcards);
}

interface FilterOptions {
  /** Whether the kinds have to be asked, since the policy is about others too. */
  readonly namesKinds: boolean;
  /** Whether the policy's own selector already asks for namespaces. */
  readonly leavesNamespaces: boolean;
  /** Whether the policy's own selector already asks for labels. */
  readonly leavesLabels: boolean;
  /** The operations of the policy, where the filter may be about fewer. */
  readonly operations: readonly string[] | undefined;
}

function filterTest(filter: Filter, options: FilterOptions): Term {
  const { resources, kinds, subjects } = filter;
  const tests: Term[] = [];
  if (options.namesKinds && kinds.length > 0) tests.push(kindTest(kinds));
  const wanted = textsOf(resources['operations']);
  if (
    options.operations !== undefined &&
    wanted.length > 0 &&
    wanted.length < options.operations.length
  ) {
    tests.push(oneOf(member('request.operation'), wanted));
  }
  const names = [
    ...textsOf(resources['names']),
    ...(resources['name'] ? [String(resources['name'])] : []),
  ];
  if (names.length > 0) tests.push(any(someWildcardTest(member('request.name'), names)));
  if (!options.leavesNamespaces) tests.push(...namespaceTests(resources, kinds));
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
  const place = kinds.includes('Namespace') ? member('request.name') : member('request.namespace');
  if (names.length > 0) tests.push(any(someWildcardTest(place, names)));
  const selector = resources['namespaceSelector'];
  if (isObject(selector)) {
    const isThere = relation(member('namespaceObject'), '!=', member('null'));
    tests.push(isThere, selectorTest(selector, labelsOf('namespaceObject')));
  }
  return tests;
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

/** The place of the object in expressions, with what the schemas of its kinds say. */
export function objectPath(schemas: Schemas, root: string, structs: readonly string[]): Path {
  return new Path(member(root), { schemas, shape: objectShape(structs) });
}

/** The structs of kinds; none where one of them has no schema of Go. */
export function structsOf(kinds: readonly string[], schemas: Schemas): readonly string[] {
  const resources = kinds.map((kind) => kindNamed(kind, schemas));
  const names = resources.map((resource) => resource && structOf(schemas, resource)?.name);
  const known = names.filter((name) => name !== undefined);
  return known.length === names.length ? known : [];
}
