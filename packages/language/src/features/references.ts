import { paramKindOf } from '../cel/policy-environments.ts';
import { celTokens, tokenAt } from '../cel/tokens.ts';
import {
  groupVersionOf,
  type LocatedObject,
  type ObjectView,
  objectAt,
  objectsIn,
} from '../policy/object-view.ts';
import { type PolicyView, policiesIn } from '../policy/policy-view.ts';
import type { Location, TextEdit, WorkspaceEdit } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Position, Range } from '../text/text-lines.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { contentOf, itemsOf, nodeAt, type OutlineNode, type ScalarNode } from '../yaml/nodes.ts';
import { contextEntryAt } from './context-entries.ts';
import { expressionAt, rangeIn } from './expression-at.ts';
import { fileNamedAt } from './file-paths.ts';
import { loopOccurrences } from './loop-variables.ts';
import type { NamedThing, Occurrence } from './named-thing.ts';
import { RenameError } from './rename-error.ts';

const policyGroup = 'admissionregistration.k8s.io';

/** Finds what a position names: a variable, a policy, a parameter, the definition of a kind, a rule of Kyverno. */
function namedAt(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): NamedThing | undefined {
  const found = expressionAt(document, position);
  if (found !== undefined) {
    const tokens = celTokens(found.scalar.value);
    const token = tokenAt(tokens, found.at);
    if (token?.kind !== 'name') return undefined;
    const range = rangeIn(found, token);
    const at = tokens.indexOf(token);
    const dot = tokens[at - 1]?.text === '?' ? at - 2 : at - 1;
    if (
      tokens[dot]?.text === '.' &&
      tokens[dot - 1]?.text === 'variables' &&
      tokens[dot - 2]?.text !== '.'
    ) {
      return variable(document, found.policy, token.text, range);
    }
    if (token.text === 'params' && tokens[at - 1]?.text !== '.')
      return parametersOf(context, found.policy, range);
    return loopOccurrences(found, token, range);
  }
  return namedInYaml(context, document, position) ?? fileNamedAt(context, document, position);
}

function namedInYaml(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): NamedThing | undefined {
  const { part, offset } = document.at(position);
  const object = objectAt(part, offset);
  if (object === undefined) return undefined;
  const isWithin = (node: OutlineNode | undefined): node is ScalarNode =>
    node?.kind === 'scalar' && node.start <= offset && offset <= node.end;
  const rangeOf = (node: ScalarNode): Range => scalarRange(document, object, node);
  for (const policy of policiesIn(object)) {
    for (const { name, nameNode } of policy.variables) {
      if (isWithin(nameNode)) return variable(document, policy, name, rangeOf(nameNode));
    }
  }
  const { nameNode, root, kind } = object;
  if (isWithin(nameNode)) {
    if (isPolicy(object)) return policyNamed(context, kind, object.name, rangeOf(nameNode));
    return parameterNamed(context, object, rangeOf(nameNode));
  }
  for (const { node, kinds } of policyReferences(object)) {
    if (!isWithin(node)) continue;
    const name = part.textOf(node) ?? '';
    const named = objectsIn(context.workspace).find(
      ({ object: each }) => isPolicy(each) && each.name === name && meansKind(kinds, each.kind),
    );
    const [only = ''] = kinds ?? [];
    if (named === undefined && only === '') return undefined;
    return policyNamed(context, named?.object.kind ?? only, name, rangeOf(node));
  }
  const entry = contextEntryAt(document, object, offset);
  if (entry !== undefined) return entry;
  const paramName = nodeAt(root, 'spec', 'paramRef', 'name');
  if (isWithin(paramName)) {
    const parameter = objectsIn(context.workspace).find(({ object: each }) =>
      isParameterOf(context, each, object),
    );
    return parameter && parameterNamed(context, parameter.object, rangeOf(paramName));
  }
  const paramKind = nodeAt(root, 'spec', 'paramKind', 'kind');
  if (isWithin(paramKind))
    return definitionOf(context, object, part.textOf(paramKind) ?? '', rangeOf(paramKind));
  return undefined;
}

function isPolicy({ group, kind }: ObjectView): boolean {
  return (group === policyGroup || group.endsWith('kyverno.io')) && kind.endsWith('Policy');
}

function scalarRange(document: TextDocument, { part }: ObjectView, node: ScalarNode): Range {
  const { start, end } = contentOf(node);
  return document.range(part, start, end);
}

function occurrence(
  { document, object }: LocatedObject,
  node: OutlineNode | undefined,
  name: string,
  isDefinition = false,
): readonly Occurrence[] {
  if (node?.kind !== 'scalar' || object.part.textOf(node) !== name) return [];
  return [{ uri: document.uri, range: scalarRange(document, object, node), isDefinition }];
}

/** A variable of a policy: its name, and `variables.NAME` in the expressions. */
function variable(
  document: TextDocument,
  policy: PolicyView,
  name: string,
  range: Range,
): NamedThing {
  const { object } = policy;
  const defined = policy.variables.flatMap(({ nameNode }) =>
    occurrence({ document, object }, nameNode, name, true),
  );
  const used = policy.expressions.flatMap(({ node }) => {
    const scalar = object.part.scalar(node);
    const tokens = celTokens(scalar.value);
    return tokens.flatMap((token, i): readonly Occurrence[] => {
      if (
        token.text !== 'variables' ||
        token.kind !== 'name' ||
        tokens[i - 1]?.text === '.' ||
        tokens[i + 1]?.text !== '.'
      )
        return [];
      const named = tokens[i + 2]?.text === '?' ? tokens[i + 3] : tokens[i + 2];
      if (named?.text !== name) return [];
      return [
        {
          uri: document.uri,
          range: rangeIn({ document, part: object.part, scalar }, named),
          isDefinition: false,
        },
      ];
    });
  });
  return { kind: 'variable', name, range, occurrences: [...defined, ...used] };
}

interface PolicyReference {
  readonly node: OutlineNode | undefined;
  /** The kinds that a policy of this name may have; any where it is absent. */
  readonly kinds: readonly string[] | undefined;
}

/** Where an object names policies: a binding, an exception to them, a test. */
function policyReferences({ root, part, group, kind }: ObjectView): readonly PolicyReference[] {
  if (kind.endsWith('PolicyBinding')) {
    return [{ node: nodeAt(root, 'spec', 'policyName'), kinds: [kind.replace(/Binding$/, '')] }];
  }
  if (group === 'cli.kyverno.io') {
    const results = itemsOf(nodeAt(root, 'results'));
    return results.map((result) => ({ node: nodeAt(result, 'policy'), kinds: undefined }));
  }
  if (kind !== 'PolicyException') return [];
  return [
    ...itemsOf(nodeAt(root, 'spec', 'exceptions')).map((each) => ({
      node: nodeAt(each, 'policyName'),
      kinds: ['ClusterPolicy', 'Policy'],
    })),
    ...itemsOf(nodeAt(root, 'spec', 'policyRefs')).map((each) => ({
      node: nodeAt(each, 'name'),
      kinds: [part.textAt(each, 'kind')],
    })),
  ];
}

function meansKind(kinds: readonly string[] | undefined, kind: string): boolean {
  return kinds?.includes(kind) !== false;
}

/** A policy: its name, the bindings that name it, and the tests. */
function policyNamed(
  context: ServiceContext,
  kind: string,
  name: string,
  range: Range,
): NamedThing {
  const occurrences = objectsIn(context.workspace).flatMap((each): readonly Occurrence[] => {
    const { object } = each;
    if (object.kind === kind && isPolicy(object))
      return occurrence(each, object.nameNode, name, true);
    return policyReferences(object).flatMap(({ node, kinds }) =>
      meansKind(kinds, kind) ? occurrence(each, node, name) : [],
    );
  });
  return { kind: 'policy', name, range, occurrences };
}

/** Whether an object is one that a binding gives its policy by name. */
function isParameterOf(context: ServiceContext, object: ObjectView, binding: ObjectView): boolean {
  if (!binding.kind.endsWith('PolicyBinding')) return false;
  const reference = nodeAt(binding.root, 'spec', 'paramRef');
  if (binding.part.textOf(nodeAt(reference, 'name')) !== object.name || object.name === '')
    return false;
  const namespace = binding.part.textOf(nodeAt(reference, 'namespace'));
  if (namespace !== undefined && object.namespace !== '' && namespace !== object.namespace)
    return false;
  const policyName = binding.part.textOf(nodeAt(binding.root, 'spec', 'policyName'));
  const policy = objectsIn(context.workspace).find(
    (each) => `${each.object.kind}Binding` === binding.kind && each.object.name === policyName,
  );
  const [view] = policy === undefined ? [] : policiesIn(policy.object);
  const kind = view && paramKindOf(view);
  return kind !== undefined && kind.kind === object.kind && kind.group === object.group;
}

/** A parameter: its name, and the bindings that name it; `undefined` for objects that are none. */
function parameterNamed(
  context: ServiceContext,
  object: ObjectView,
  range: Range,
): NamedThing | undefined {
  const all = objectsIn(context.workspace);
  const isSame = (each: ObjectView): boolean =>
    each.kind === object.kind &&
    each.group === object.group &&
    each.name === object.name &&
    each.namespace === object.namespace;
  const used = all
    .filter((each) => isParameterOf(context, object, each.object))
    .flatMap((each) =>
      occurrence(each, nodeAt(each.object.root, 'spec', 'paramRef', 'name'), object.name),
    );
  if (used.length === 0) return undefined;
  const defined = all
    .filter((each) => isSame(each.object))
    .flatMap((each) => occurrence(each, each.object.nameNode, object.name, true));
  return { kind: 'parameter', name: object.name, range, occurrences: [...defined, ...used] };
}

/** The objects that a policy gets as `params`. */
function parametersOf(
  context: ServiceContext,
  policy: PolicyView,
  range: Range,
): NamedThing | undefined {
  const all = objectsIn(context.workspace);
  const bindings = all.filter(
    ({ object }) =>
      object.kind === `${policy.object.kind}Binding` &&
      object.part.textOf(nodeAt(object.root, 'spec', 'policyName')) === policy.object.name,
  );
  const occurrences = all
    .filter(({ object }) =>
      bindings.some((binding) => isParameterOf(context, object, binding.object)),
    )
    .flatMap((each) => occurrence(each, each.object.nameNode, each.object.name, true));
  return occurrences.length === 0
    ? undefined
    : { kind: 'definition', name: 'params', range, occurrences };
}

/** The CustomResourceDefinition of a policy's parameters. */
function definitionOf(
  context: ServiceContext,
  { part, root }: ObjectView,
  kind: string,
  range: Range,
): NamedThing | undefined {
  const { group } = groupVersionOf(part.textAt(root, 'spec', 'paramKind', 'apiVersion'));
  const occurrences = objectsIn(context.workspace)
    .filter(
      ({ object }) =>
        object.kind === 'CustomResourceDefinition' &&
        object.part.textOf(nodeAt(object.root, 'spec', 'group')) === group,
    )
    .flatMap((each) =>
      occurrence(each, nodeAt(each.object.root, 'spec', 'names', 'kind'), kind, true),
    );
  return occurrences.length === 0
    ? undefined
    : { kind: 'definition', name: kind, range, occurrences };
}

/** The places where what a position names is defined. */
export function definitionsAt(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): readonly Location[] {
  return (namedAt(context, document, position)?.occurrences ?? [])
    .filter(({ isDefinition }) => isDefinition)
    .map(({ uri, range }) => ({ uri, range }));
}

/** The places where what a position names is named. */
export function referencesAt(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): readonly Location[] {
  const named = namedAt(context, document, position);
  return (named?.occurrences ?? []).map(({ uri, range }) => ({ uri, range }));
}

/** The name at a position that can be changed. */
export function renamedAt(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): { readonly range: Range; readonly placeholder: string } | undefined {
  const named = namedAt(context, document, position);
  if (named === undefined || named.kind === 'definition') return undefined;
  return { range: named.range, placeholder: named.name };
}

/** The edits that give another name to what a position names; throws {@link RenameError} for a name that cannot be. */
export function renameAt(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
  newName: string,
): WorkspaceEdit | undefined {
  const named = namedAt(context, document, position);
  if (named === undefined || named.kind === 'definition') return undefined;
  const isEntry = named.kind === 'context entry';
  const isCel = named.kind === 'variable' || named.kind === 'loop variable';
  if (isCel || isEntry) {
    if (!/^[A-Za-z_]\w*$/.test(newName) || (isCel && reserved.has(newName))) {
      throw new RenameError(
        `\`${newName}\` is no name of ${isCel ? 'CEL' : 'JMESPath'}: letters, digits and underscores, and no word of the language`,
      );
    }
  } else if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(newName)) {
    throw new RenameError(
      `\`${newName}\` is no name of an object: small letters, digits, \`-\` and \`.\``,
    );
  }
  const changes: Record<string, TextEdit[]> = {};
  for (const { uri, range } of named.occurrences) {
    changes[uri] ??= [];
    changes[uri].push({ range, newText: newName });
  }
  return { changes };
}

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);
