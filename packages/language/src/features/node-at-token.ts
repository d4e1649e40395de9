import type { Type } from '@kubeadmit/cel';
import type { Expression } from '@kubeadmit/cel/syntax';
import { nodesOf } from '../cel/find-node.ts';
import {
  childrenWithLocals,
  type KindEnvironment,
  type LocalVariable,
} from '../cel/kind-environment.ts';
import type { CelToken } from '../cel/tokens.ts';

/** A checked expression. */
export type Checked = NonNullable<ReturnType<KindEnvironment['check']>>;

/** Returns the type of the call of a name whose parenthesis opens at an index. */
export function typeOfCall(
  checked: Checked | undefined,
  open: number,
  name: string,
): Type | undefined {
  if (checked === undefined) return undefined;
  for (const { node } of nodesOf(checked.expression)) {
    const called =
      node.macro?.name ?? (node.kind === 'call' ? node.function.split('.').at(-1) : undefined);
    if (node.position === open && called === name) return known(checked.types[node.id]);
  }
  return undefined;
}

/** Returns a type, unless it is that of an error. */
export function known(type: Type | undefined): Type | undefined {
  return type === undefined || type.kind === 'error' ? undefined : type;
}

/** The loop variable that is declared at a token. */
export function declaredLocal(
  checked: Checked | undefined,
  token: CelToken,
): LocalVariable | undefined {
  if (checked === undefined || token.kind !== 'name') return undefined;
  for (const { node } of nodesOf(checked.expression)) {
    if (node.kind !== 'comprehension') continue;
    const declared = node.macro?.arguments.find(
      (each) =>
        each.kind === 'identifier' && each.position === token.start && each.name === token.text,
    );
    if (declared === undefined) continue;
    const locals =
      childrenWithLocals(checked, node, []).find(
        ([child]) => child === node.step || child === node.result,
      )?.[1] ?? [];
    const found = locals.find(({ name }) => name === token.text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a node is the variable or field of a name. */
export function isNamed(node: Expression, name: string): boolean {
  return (
    (node.kind === 'identifier' && node.name === name) ||
    (node.kind === 'select' && node.field === name)
  );
}

/** Whether a node is the one that is written at a token. */
export function isAtToken(node: Expression, token: CelToken, tokens: readonly CelToken[]): boolean {
  const before = tokens[tokens.indexOf(token) - 1];
  const plain = token.text.replace(/^`|`$/g, '');
  switch (node.kind) {
    case 'identifier':
      return node.position === token.start && node.name.replace(/^\./, '') === token.text;
    case 'select': {
      if (node.field !== plain) return false;
      // The argument of `has` is not evaluated, and is there only as it was written.
      const [written = node] = node.test ? (node.macro?.arguments ?? []) : [];
      return written.position === before?.start;
    }
    case 'literal':
      return node.position === token.start;
    case 'call':
      if (token.text === '?' && node.function.includes('?')) {
        return node.position === token.start || node.position === before?.start;
      }
      if (node.function === '_?._')
        return before?.text === '?' && node.position === tokens[tokens.indexOf(token) - 2]?.start;
      return node.position === token.start && token.kind !== 'name';
    default:
      return node.position === token.start;
  }
}
