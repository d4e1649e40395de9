import { declaresVariables } from '@kubeadmit/cel/syntax';
import { functionsOf } from '../../cel/function-list.ts';
import { type KindEnvironment, localsAt } from '../../cel/kind-environment.ts';
import { celTokens } from '../../cel/tokens.ts';
import { type CursorContext, openBrackets, placeholder } from '../../cel/unfinished.ts';
import { typeLabel } from '../../fields/type-label.ts';
import type { ExpressionAt } from '../../lookup/expression-at.ts';
import type { Proposal } from '../../service/proposal.ts';
import type { ServiceContext } from '../../service/service-context.ts';
import { completionKinds } from '../../workspace/protocol.ts';
import { functionProposal } from './function-proposal.ts';

/** Whether the cursor is where a macro names its variable. */
export function isLoopName({ scalar }: ExpressionAt, cursor: CursorContext): boolean {
  const before = celTokens(scalar.value.slice(0, cursor.start));
  const open = openBrackets(before).at(-1);
  if (open?.token.text !== '(' || open.index !== before.length - 1) return false;
  const name = before[open.index - 1];
  return (
    name?.kind === 'name' && before[open.index - 2]?.text === '.' && declaresVariables(name.text)
  );
}

/** Names at the begin of an operand: loop variables, variables, functions, types. */
export function names(
  context: ServiceContext,
  found: ExpressionAt,
  cursor: CursorContext,
): readonly Proposal[] {
  const environments = context.environments(found.policy);
  const dialect = context.dialectOf(found.policy);
  const [first] = environments;
  const proposals = new Map<string, Proposal>();
  const add = (proposal: Proposal): void => {
    if (!proposals.has(proposal.label)) proposals.set(proposal.label, proposal);
  };
  for (const environment of environments) {
    for (const { name, type } of localsOf(environment, cursor)) {
      add({ label: name, kind: completionKinds.variable, detail: typeLabel(type), rank: 0 });
    }
  }
  for (const [name, type] of first?.names ?? []) {
    if (name.includes('.')) continue;
    if (name === 'variables' && found.view.variables === 0) continue;
    const isObject = name === 'object' || name === 'oldObject';
    const detail = isObject ? kindsText(environments) : typeLabel(type);
    add({
      label: name,
      kind: completionKinds.variable,
      detail,
      words: context.words.variableWords[name],
      rank: 1,
    });
  }
  for (const info of functionsOf(dialect).values()) {
    if (info.forms.some(({ isMember }) => !isMember))
      add(functionProposal(dialect, info, { isMember: false, rank: 3 }));
  }
  for (const label of ['true', 'false', 'null'])
    add({ label, kind: completionKinds.keyword, rank: 4 });
  if (found.policy.isMutating) {
    add({
      label: 'Object',
      kind: completionKinds.class,
      words: 'Part of an apply configuration: `Object{spec: Object.spec{replicas: 1}}`.',
      rank: 2,
    });
    add({
      label: 'JSONPatch',
      kind: completionKinds.class,
      words: 'One operation of a JSON patch: `JSONPatch{op: "add", path: "/spec/x", value: 1}`.',
      rank: 2,
    });
  }
  return [...proposals.values()];
}

function kindsText(environments: readonly KindEnvironment[]): string {
  const kinds = environments.flatMap(({ kind }) => kind?.kind ?? []);
  return kinds.length === 0 ? 'any kind' : [...new Set(kinds)].join(', ');
}

function localsOf(environment: KindEnvironment, { candidates }: CursorContext) {
  for (const text of candidates) {
    const checked = environment.check(text);
    if (checked === undefined) continue;
    const locals = localsAt(
      checked,
      (node) => node.kind === 'identifier' && node.name === placeholder,
    );
    if (locals !== undefined) return locals;
  }
  return [];
}
