import { celTokens, tokenAt } from '../cel/tokens.ts';
import { expressionAt, rangeIn } from '../lookup/expression-at.ts';
import { groupVersionOf, type ObjectView, objectAt, objectsIn } from '../policy/object-view.ts';
import { type PolicyView, policiesIn } from '../policy/policy-view.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Position, Range } from '../text/text-lines.ts';
import type { Location, TextEdit, WorkspaceEdit } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { nodeAt, type OutlineNode, type ScalarNode } from '../yaml/nodes.ts';
import { contextEntryAt } from './context-entries.ts';
import { fileNamedAt } from './file-paths.ts';
import { loopOccurrences } from './loop-variables.ts';
import type { NamedThing, Occurrence } from './named-thing.ts';
import { newNameProblem } from './new-name.ts';
import {
  isParameterOf,
  isPolicy,
  meansKind,
  occurrence,
  parameterNamed,
  parametersOf,
  policyNamed,
  policyReferences,
  scalarRange,
} from './policy-references.ts';
import { RenameError } from './rename-error.ts';

/** Finds the item at a position: a variable, a policy, a parameter, the definition of a kind, a rule of Kyverno. */
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
  const taken = new Set(policy.variables.map((each) => each.name).filter((each) => each !== name));
  return { kind: 'variable', name, range, occurrences: [...defined, ...used], taken };
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

/** Returns the places that define the symbol at a position. */
export function definitionsAt(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): readonly Location[] {
  return (namedAt(context, document, position)?.occurrences ?? [])
    .filter(({ isDefinition }) => isDefinition)
    .map(({ uri, range }) => ({ uri, range }));
}

/** Returns all places that name the symbol at a position, including its definition. */
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

/**
 * Returns the edits that rename the symbol at a position; `undefined` if it cannot be renamed.
 *
 * @throws RenameError for a name that is invalid or already exists
 */
export function renameAt(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
  newName: string,
): WorkspaceEdit | undefined {
  const named = namedAt(context, document, position);
  if (named === undefined || named.kind === 'definition') return undefined;
  const problem = newNameProblem(named, newName);
  if (problem !== undefined) throw new RenameError(problem);
  const changes: Record<string, TextEdit[]> = {};
  for (const { uri, range } of named.occurrences) {
    changes[uri] ??= [];
    changes[uri].push({ range, newText: newName });
  }
  return { changes };
}
