import type { RuleName } from './grammar.ts';
import type { State } from './grammar-graph.ts';
import type { Token, TokenKind } from './token.ts';

/** The parse result of one rule invocation; incomplete after errors. */
export class TreeNode {
  readonly rule: RuleName;
  readonly start: Token;
  readonly parent: TreeNode | undefined;
  /** The place from which the rule was called; none for the whole expression. */
  readonly calledFrom: State | undefined;
  /** The alternative that was chosen, counted from 1; 0 if none fitted. */
  alternative: number = 0;
  /** Nodes and matched tokens, those included that recovery made up. */
  readonly children: (TreeNode | Token)[] = [];

  constructor(rule: RuleName, start: Token, parent?: TreeNode, calledFrom?: State) {
    this.rule = rule;
    this.start = start;
    this.parent = parent;
    this.calledFrom = calledFrom;
  }

  /** The nodes of a rule among the children. */
  nodes(rule: RuleName): readonly TreeNode[] {
    return this.children.filter(
      (child): child is TreeNode => child instanceof TreeNode && child.rule === rule,
    );
  }

  /** The matched tokens of a kind among the children. */
  tokens(kind: TokenKind): readonly Token[] {
    return this.leaves().filter((token) => token.kind === kind);
  }

  /** The matched tokens among the children. */
  leaves(): readonly Token[] {
    return this.children.flatMap((child) => (child instanceof TreeNode ? [] : [child]));
  }
}
