import type { KindEnvironment } from '../../cel/kind-environment.ts';
import type { CursorContext } from '../../cel/unfinished.ts';
import { fieldProposal } from '../../lookup/completion-items.ts';
import type { ExpressionAt } from '../../lookup/expression-at.ts';
import { objectFields } from '../../lookup/object-fields.ts';
import type { Proposal } from '../../service/proposal.ts';
import type { ServiceContext } from '../../service/service-context.ts';
import { completionKinds } from '../../workspace/protocol.ts';

/** The fields of `Object.spec{…}` that are not set yet. */
export function literalFields(
  context: ServiceContext,
  { policy }: ExpressionAt,
  { literalType = '', given = [] }: CursorContext,
): readonly Proposal[] {
  if (literalType === 'JSONPatch') {
    return Object.entries(context.words.requestWords['JSONPatch'] ?? {})
      .filter(([name]) => !given.includes(name))
      .map(([label, words]) => ({
        label,
        kind: completionKinds.field,
        words,
        insert: `${label}: `,
        rank: 0,
      }));
  }
  if (literalType !== 'Object' && !literalType.startsWith('Object.')) return [];
  const path = literalType.split('.').slice(1);
  return context
    .environments(policy)
    .flatMap(({ kind }) => objectFields(context, kind, path))
    .filter(
      ({ name }, i, all) =>
        !given.includes(name) && all.findIndex((other) => other.name === name) === i,
    )
    .map((info) => ({
      ...fieldProposal(context, info),
      label: info.escaped ?? info.name,
      insert: `${info.escaped ?? info.name}: `,
    }));
}

/** The object types within `Object.spec.`: fields that hold objects, or lists of them. */
export function objectTypes(
  context: ServiceContext,
  environments: readonly KindEnvironment[],
  way: string,
): readonly Proposal[] {
  const path = way.split('.').filter((step) => step !== '');
  const found = environments.flatMap(({ kind }) => objectFields(context, kind, path));
  const objects = found.filter(({ type }) => {
    const inner = type.kind === 'list' || type.kind === 'map' ? type.parameters.at(-1) : type;
    return inner?.kind === 'struct';
  });
  return [...new Map(objects.map((info) => [info.name, info])).values()].map((info) => ({
    ...fieldProposal(context, info),
    label: info.escaped ?? info.name,
    kind: completionKinds.class,
  }));
}
