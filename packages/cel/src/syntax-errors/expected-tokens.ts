import type { State } from './grammar-graph.ts';
import type { TreeNode } from './syntax-tree.ts';
import { type TokenKind, tokenKind } from './token.ts';

/** The tokens that may come next inside a rule, and whether the rule may end first. */
export interface NextTokens {
  readonly kinds: ReadonlySet<TokenKind>;
  readonly ruleMayEnd: boolean;
}

const known = new WeakMap<State, NextTokens>();

/** The tokens that can come next at a state without leaving its rule. */
export function nextTokens(state: State): NextTokens {
  const found = known.get(state);
  if (found !== undefined) return found;
  const kinds = new Set<TokenKind>();
  let ruleMayEnd = false;
  const seen = new Set<State>([state]);
  for (const current of seen) {
    if (current.form === 'ruleStop') {
      ruleMayEnd = true;
      continue;
    }
    for (const transition of current.transitions) {
      if (transition.form === 'token') {
        for (const kind of transition.kinds) kinds.add(kind);
      } else if (transition.form === 'call') {
        // No rule is empty, so the tokens after the call cannot come next.
        for (const kind of nextTokens(transition.target).kinds) kinds.add(kind);
      } else {
        seen.add(transition.target);
      }
    }
  }
  const result = { kinds, ruleMayEnd };
  known.set(state, result);
  return result;
}

/** The state in which parsing continues after the rule of a node. */
export function returnState(node: TreeNode): State | undefined {
  const transition = node.calledFrom?.transitions[0];
  return transition?.form === 'call' ? transition.follow : undefined;
}

/** The tokens that can come next at a state, seen from the node that is being parsed. */
export function expectedTokens(state: State, node: TreeNode): ReadonlySet<TokenKind> {
  let next = nextTokens(state);
  if (!next.ruleMayEnd) return next.kinds;
  const kinds = new Set(next.kinds);
  for (let outer: TreeNode | undefined = node; outer !== undefined; outer = outer.parent) {
    const follow = returnState(outer);
    if (follow === undefined) {
      kinds.add(tokenKind.endOfInput);
      break;
    }
    next = nextTokens(follow);
    for (const kind of next.kinds) kinds.add(kind);
    if (!next.ruleMayEnd) break;
  }
  return kinds;
}

/** The tokens at which some rule being parsed could go on. */
export function resumptionTokens(node: TreeNode): ReadonlySet<TokenKind> {
  const kinds = new Set<TokenKind>();
  for (let outer: TreeNode | undefined = node; outer !== undefined; outer = outer.parent) {
    const follow = returnState(outer);
    if (follow === undefined) break;
    for (const kind of nextTokens(follow).kinds) kinds.add(kind);
  }
  return kinds;
}
