import type { Type } from '@kubeadmit/cel';
import type { Expression } from '@kubeadmit/cel/syntax';
import { dynType } from '@kubeadmit/cel/types';
import { findNode } from '../../cel/find-node.ts';
import { type CursorContext, placeholder } from '../../cel/unfinished.ts';
import type { ExpressionAt } from '../../lookup/expression-at.ts';
import { fieldNamed } from '../../lookup/fields-of-type.ts';
import type { Proposal } from '../../service/proposal.ts';
import type { ServiceContext } from '../../service/service-context.ts';
import { completionKinds } from '../../workspace/protocol.ts';

/** Returns possible contents of quotes: values of the compared field, or keys of the indexed map. */
export function texts(
  context: ServiceContext,
  found: ExpressionAt,
  cursor: CursorContext,
): readonly Proposal[] {
  const proposals = new Map<string, Proposal>();
  for (const environment of context.environments(found.policy)) {
    for (const text of cursor.candidates) {
      const checked = environment.check(text);
      if (checked === undefined) continue;
      const place = findNode(
        checked.expression,
        (node) => node.kind === 'identifier' && node.name === placeholder,
      );
      if (place === undefined) continue;
      for (const each of textsAt(
        context,
        place.node,
        place.parents,
        (node) => checked.types[node.id] ?? dynType,
      )) {
        proposals.set(each.label, each);
      }
      break;
    }
  }
  return [...proposals.values()];
}

function textsAt(
  context: ServiceContext,
  node: Expression,
  parents: readonly Expression[],
  typeOf: (node: Expression) => Type,
): readonly Proposal[] {
  const [parent, outer] = parents;
  if (
    parent?.kind === 'call' &&
    (parent.function === '_[_]' || parent.function === '_[?_]') &&
    parent.arguments[1] === node
  ) {
    return keysOf(context, parent.arguments[0]);
  }
  if (parent?.kind === 'call' && parent.function === '@in' && parent.arguments[0] === node)
    return keysOf(context, parent.arguments[1]);
  if (parent?.kind === 'call' && (parent.function === '_==_' || parent.function === '_!=_')) {
    return valuesOf(
      context,
      parent.arguments.find((each) => each !== node),
      typeOf,
    );
  }
  if (parent?.kind === 'list' && outer?.kind === 'call' && outer.function === '@in') {
    return valuesOf(context, outer.arguments[0], typeOf);
  }
  if (parent?.kind === 'struct') {
    const field = parent.fields.find(({ value }) => value === node);
    return valueProposals(context.words.fieldValues[`${parent.name}.${field?.name}`] ?? []);
  }
  if (parent?.kind === 'call' && parent.function === 'check') {
    return valueProposals([
      'get',
      'list',
      'watch',
      'create',
      'update',
      'patch',
      'delete',
      'deletecollection',
    ]);
  }
  return [];
}

function keysOf(
  { words: { mapKeys } }: ServiceContext,
  node: Expression | undefined,
): readonly Proposal[] {
  if (node?.kind !== 'select') return [];
  const name = node.field === 'annotations' ? '' : node.field;
  return valueProposals(Object.hasOwn(mapKeys, name) ? (mapKeys[name] ?? []) : []);
}

function valuesOf(
  context: ServiceContext,
  node: Expression | undefined,
  typeOf: (node: Expression) => Type,
): readonly Proposal[] {
  if (node?.kind !== 'select') return [];
  const owner = typeOf(node.operand);
  const { enumValues, fieldValues, valueWords } = context.words;
  const known = fieldValues[`${owner.name}.${node.field}`];
  if (known !== undefined) return valueProposals(known);
  const info = fieldNamed(owner, node.field, context);
  return valueProposals(
    info?.values ?? enumValues[info?.go ?? ''] ?? Object.keys(valueWords[info?.go ?? ''] ?? {}),
  );
}

function valueProposals(values: readonly string[]): readonly Proposal[] {
  return values.map((label) => ({ label, kind: completionKinds.value, rank: 0 }));
}
