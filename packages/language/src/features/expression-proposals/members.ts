import type { Type } from '@kubeadmit/cel';
import type { Expression } from '@kubeadmit/cel/syntax';
import { dynType, isDynamic, isOptionalType } from '@kubeadmit/cel/types';
import { variablesTypeName } from '../../cel/dialect.ts';
import { findNode } from '../../cel/find-node.ts';
import { type FunctionInfo, functionsOf, takesReceiver } from '../../cel/function-list.ts';
import type { KindEnvironment } from '../../cel/kind-environment.ts';
import { type CursorContext, placeholder } from '../../cel/unfinished.ts';
import type { FieldInfo } from '../../fields/field-info.ts';
import { typeLabel } from '../../fields/type-label.ts';
import { fieldProposal } from '../../lookup/completion-items.ts';
import type { ExpressionAt } from '../../lookup/expression-at.ts';
import { fieldsOfType } from '../../lookup/fields-of-type.ts';
import type { Proposal } from '../../service/proposal.ts';
import type { ServiceContext } from '../../service/service-context.ts';
import { codeBlock } from '../../text/markdown.ts';
import { functionProposal } from './function-proposal.ts';
import { objectTypes } from './literals.ts';

/** Returns the members after a dot: fields, with their kinds if those differ, and functions. */
export function members(
  context: ServiceContext,
  found: ExpressionAt,
  cursor: CursorContext,
): readonly Proposal[] {
  const environments = context.environments(found.policy);
  const dialect = context.dialectOf(found.policy);
  const literal = /(?:^|[^\w.])Object((?:\.\w+)*)\.$/.exec(
    found.scalar.value.slice(0, cursor.start),
  )?.[1];
  if (found.policy.isMutating && literal !== undefined)
    return objectTypes(context, environments, literal);
  const fields = new Map<string, { info: FieldInfo; kinds: (string | undefined)[] }>();
  const proposals: Proposal[] = [];
  const functions = new Map<string, { info: FunctionInfo; type: Type }>();
  let known = 0;
  for (const environment of environments) {
    const type = operandType(environment, cursor);
    if (type === undefined || type.kind === 'error') continue;
    known++;
    const target = isOptionalType(type) ? (type.parameters[0] ?? dynType) : type;
    for (const info of namedFields(context, found, environment, target, cursor)) {
      const before = fields.get(info.escaped ?? info.name);
      if (before === undefined)
        fields.set(info.escaped ?? info.name, { info, kinds: [environment.kind?.kind] });
      else before.kinds.push(environment.kind?.kind);
    }
    for (const info of functionsOf(dialect).values()) {
      if (takesReceiver(info, type)) functions.set(info.name, { info, type });
    }
  }
  for (const [label, { info, kinds }] of fields) {
    const only = kinds.length < known ? ` · only ${[...new Set(kinds)].join(', ')}` : '';
    proposals.push({
      ...fieldProposal(context, info),
      label,
      detail: `${info.about}${only}`,
    });
  }
  const prefix = qualifierOf(found, cursor);
  for (const info of qualifiedFunctions(context, found, prefix)) {
    proposals.push({
      ...functionProposal(dialect, info, { isMember: false, rank: 1 }),
      label: info.name.slice(prefix.length),
      insert: `${info.name.slice(prefix.length)}($1)`,
    });
  }
  for (const { info, type } of functions.values())
    proposals.push(functionProposal(dialect, info, { isMember: true, rank: 2, receiver: type }));
  return proposals;
}

/** Returns the typed qualifier, such as `sets.` of `sets.contains`. */
function qualifierOf({ scalar }: ExpressionAt, { start }: CursorContext): string {
  return /(?:^|[^\w.])([a-z]\w*\.)$/.exec(scalar.value.slice(0, start))?.[1] ?? '';
}

function qualifiedFunctions(
  context: ServiceContext,
  { policy }: ExpressionAt,
  prefix: string,
): readonly FunctionInfo[] {
  if (prefix === '') return [];
  return [...functionsOf(context.dialectOf(policy)).values()].filter(({ name }) =>
    name.startsWith(prefix),
  );
}

/** The fields of an operand; of `variables` those that are defined before. */
function namedFields(
  context: ServiceContext,
  found: ExpressionAt,
  environment: KindEnvironment,
  type: Type,
  cursor: CursorContext,
): readonly FieldInfo[] {
  if (isDynamic(type)) return commonFields(context, found.scalar.value.slice(0, cursor.start));
  const { policy, view } = found;
  if (type.name !== variablesTypeName)
    return fieldsOfType(type, context).filter(({ escaped }) => escaped !== undefined);
  return policy.variables.slice(0, view.variables).map(({ name, expression }) => {
    const own = environment.variables.get(name) ?? dynType;
    const text = policy.object.part.textOf(expression) ?? '';
    const description = codeBlock(text.trim());
    return { name, escaped: name, type: own, about: typeLabel(own), owner: '', description };
  });
}

/** Returns the fields of every object, for an unknown kind. */
function commonFields({ types }: ServiceContext, before: string): readonly FieldInfo[] {
  const way = /(?:^|[^\w.])(?:object|oldObject)\.((?:metadata\.)?)$/.exec(before)?.[1];
  const fields = types.fieldsOf(way === '' ? 'core.v1.ConfigMap' : 'meta.v1.ObjectMeta');
  if (way === undefined || fields === undefined) return [];
  const common = ['apiVersion', 'kind', 'metadata'];
  return [...fields.values()].filter(({ name }) => way !== '' || common.includes(name));
}

/** Returns the type of the value before the dot. */
function operandType(
  environment: KindEnvironment,
  { candidates }: CursorContext,
): Type | undefined {
  for (const text of candidates) {
    const checked = environment.check(text);
    if (checked === undefined) continue;
    const operand = operandOf(checked.expression);
    if (operand === undefined) continue;
    const type = checked.types[operand.id];
    if (type !== undefined) return type;
  }
  return undefined;
}

function operandOf(root: Expression): Expression | undefined {
  const found = findNode(
    root,
    (node) =>
      (node.kind === 'select' && node.field === placeholder) ||
      (node.kind === 'call' &&
        node.function === '_?._' &&
        literalText(node.arguments[1]) === placeholder),
  );
  if (found?.node.kind === 'select') return found.node.operand;
  return found?.node.kind === 'call' ? found.node.arguments[0] : undefined;
}

function literalText(node: Expression | undefined): unknown {
  return node?.kind === 'literal' ? node.value : undefined;
}
