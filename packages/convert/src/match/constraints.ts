import { isObject, type JsonObject, listOf, objectOf } from '@kubeadmit/apimachinery';
import { kindNamed, type ResourceRule, textsOf } from '@kubeadmit/difference/unstable-internal';
import { hasWildcard } from '@kubeadmit/kyverno/patterns';
import type { Schemas } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/types';
import { objectShape, Path } from '../cel/path.ts';
import { all, any, member, not, type Term } from '../cel/term.ts';
import { differenceNotes, type Note, rolesNote } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { type Block, type Filter, readBlock, resourceRulesOf } from './filter.ts';
import { filterTest } from './filter-test.ts';

/** The requests that a rule matches, in terms of an admission policy. */
export interface Constraints {
  readonly resourceRules: readonly (ResourceRule & {
    readonly operations: readonly string[];
    readonly scope?: 'Namespaced';
  })[];
  readonly namespaceSelector?: JsonObject;
  readonly objectSelector?: JsonObject;
  /** The remaining conditions of `match` and `exclude`, each with a name. */
  readonly conditions: readonly { readonly name: string; readonly test: Term }[];
  /** The kinds that are named, as they are written. */
  readonly kinds: readonly string[];
  /** Notes on the result for its readers. */
  readonly notes: readonly Note[];
  /** The omitted constructs, without which more requests match. */
  readonly lost: readonly Note[];
}

const operations = ['CREATE', 'UPDATE'] as const;

// Whether a kind is a subresource for client connections, such as `Pod/exec`, which is never created.
function isConnection(kind: string): boolean {
  return /\/(?:exec|attach|portforward|proxy)$/i.test(kind);
}

/** Whether a `match` block names only resources that clients connect to. */
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

/** The operations that constraints are about. */
export function operationsIn({ resourceRules }: Constraints): readonly string[] {
  return [...new Set(resourceRules.flatMap((rule) => rule.operations))];
}

/** How constraints are read. */
export interface ConstraintOptions {
  readonly schemas: Schemas;
  /** Kinds to which the rule applies in addition to those it names. */
  readonly extraKinds?: readonly string[];
  /** Whether labels become an `objectSelector`, which also checks the old object. */
  readonly isIdiomatic?: boolean;
  /** The blocks of exceptions from the rule. */
  readonly exceptions?: readonly unknown[];
  /** The operations to include, of all to which the rule applies. */
  readonly part?: Part;
}

/**
 * A group of operations. Deletions have only an old object and are therefore handled separately from other
 * requests.
 */
export type Part = 'others' | 'deletions';

/**
 * Converts `match` and `exclude` of a rule.
 *
 * @throws Unsupported for criteria that admission policies cannot express.
 */
export function readConstraints(
  match: unknown,
  exclude: unknown,
  { schemas, extraKinds = [], isIdiomatic = false, exceptions = [], part }: ConstraintOptions,
): Constraints {
  const { block, kinds } = selectedBy(match);
  const wanted =
    part === 'deletions'
      ? ['DELETE']
      : operationsOf(block).filter((each) => part === undefined || each !== 'DELETE');
  const covered = resourceRulesOf([...kinds, ...extraKinds], schemas);
  const [only] = block.filters;
  const isSingle = block.filters.length === 1 && only !== undefined;
  const namespaceSelector = isSingle ? namespaceSelectorOf(only) : undefined;
  // Every namespace selector matches cluster-scoped objects.
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
    matched: kinds,
    leavesNamespaces: namespaceSelector !== undefined,
    leavesLabels: objectSelector !== undefined,
    operations: isSingle ? undefined : wanted,
  };
  const matchTest = combine(
    block,
    block.filters.map((filter) => filterTest(filter, use)),
  );
  const excluded = [
    {
      name: 'exclude',
      test: exclusionTest(exclude, { kinds, matched: kinds, operations: wanted }),
    },
    ...exceptions
      // Kyverno ignores the operations of exceptions.
      .map((exception) =>
        exclusionTest(exception, { kinds: [], matched: kinds, operations: undefined }),
      )
      .filter((test) => test !== undefined)
      .map((test, at) => ({ name: `exception-${at + 1}`, test })),
  ];
  return {
    resourceRules: rules,
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    ...(objectSelector === undefined ? {} : { objectSelector }),
    conditions: conditionsOf(matchTest, excluded),
    kinds,
    lost: rolesOf(block, readBlock(exclude)),
    notes: notesOf(kinds, covered.unknown),
  };
}

/** Reads a `match` block and the kinds that it names. */
function selectedBy(match: unknown): { readonly block: Block; readonly kinds: readonly string[] } {
  const block = readBlock(match);
  if (block === undefined)
    throw new Unsupported('the rule matches nothing', 'list the resources in `match`');
  const kinds = [...new Set(block.filters.flatMap((filter) => filter.kinds))];
  if (kinds.length > 0) return { block, kinds };
  throw new Unsupported(
    'the rule lists no kind',
    'list the kinds in `match.any[].resources.kinds`',
  );
}

interface Named<Test> {
  readonly name: string;
  readonly test: Test;
}

/** Returns the conditions for a request: it must be selected and must not be excluded. */
function conditionsOf(
  matchTest: Term,
  excluded: readonly Named<Term | undefined>[],
): readonly Named<Term>[] {
  return [
    { name: 'match', test: matchTest },
    ...excluded.flatMap(({ name, test }) =>
      test === undefined ? [] : [{ name, test: not(test) }],
    ),
  ].filter(({ test }) => test.text !== 'true');
}

function notesOf(kinds: readonly string[], unknown: readonly string[]): readonly Note[] {
  return [
    ...(kinds.includes('*') ? [differenceNotes.everyKind] : []),
    ...unknown.map(
      (kind) =>
        `the resource of \`${kind}\` is unknown, so the policy matches its group and checks the kind of every request; add its CustomResourceDefinition to the inputs to match the resource itself`,
    ),
  ];
}

/** Returns the test for excluded requests; kinds are compared only if they differ from those of the constraints. */
function exclusionTest(
  source: unknown,
  {
    kinds,
    matched,
    operations,
  }: {
    readonly kinds: readonly string[];
    readonly matched: readonly string[];
    readonly operations: readonly string[] | undefined;
  },
): Term | undefined {
  const block = decidable(readBlock(source));
  if (block === undefined) return undefined;
  const tests = block.filters.map((filter) =>
    filterTest(filter, {
      namesKinds: filter.kinds.join() !== kinds.join(),
      matched,
      leavesNamespaces: false,
      leavesLabels: false,
      operations,
    }),
  );
  return combine(block, tests);
}

// A filter with roles excludes nothing.
function decidable(block: Block | undefined): Block | undefined {
  if (block === undefined) return undefined;
  const filters = block.filters.filter(
    (filter) => filter.roles.length === 0 && !isEmptyFilter(filter),
  );
  const isOpen =
    block.combined === 'any' ? filters.length > 0 : filters.length === block.filters.length;
  return isOpen ? { ...block, filters } : undefined;
}

// A filter that says nothing matches nothing.
function isEmptyFilter({ resources, subjects, roles }: Filter): boolean {
  return Object.keys(resources).length === 0 && subjects.length === 0 && roles.length === 0;
}

function rolesOf(match: Block, exclude: Block | undefined): readonly Note[] {
  const found = (block: Block | undefined, name: 'match' | 'exclude'): readonly Note[] => {
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
  const given = objectOf(selector);
  if (names.length === 0) return given;
  const expressions = listOf(given['matchExpressions']);
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

/** The path of the object in expressions, with the schemas of its kinds. */
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
