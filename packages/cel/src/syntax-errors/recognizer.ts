import { lazily } from '@kubeadmit/base';
import { expectedTokens, nextTokens, resumptionTokens, returnState } from './expected-tokens.ts';
import type { RuleName } from './grammar.ts';
import { GrammarGraph, type State, type Transition } from './grammar-graph.ts';
import type { IssuePosition } from './issue.ts';
import { LimitExceeded, parserLimits } from './limits.ts';
import { Predictor } from './prediction.ts';
import { TreeNode } from './syntax-tree.ts';
import {
  describeKinds,
  missingText,
  quoteText,
  type Token,
  type TokenKind,
  tokenKind,
} from './token.ts';
import type { TokenStream } from './token-stream.ts';

/** Called for every syntax error. */
export type SyntaxErrorReport = (message: string, position: IssuePosition) => void;

/** An error from which the rule being parsed cannot recover by itself. */
interface Failure {
  readonly message: string;
  readonly position: IssuePosition;
}

const grammarGraph = lazily(() => new GrammarGraph());

/**
 * Parses tokens into a tree whatever they are: reports errors and recovers from them as cel-go's
 * generated parser does (ANTLR's default strategy of its Go runtime 4.13.1, with the limits that
 * cel-go adds). Instead of recursive functions it walks in the graph of the grammar.
 */
export class Recognizer {
  readonly #tokens: TokenStream;
  readonly #report: SyntaxErrorReport;
  readonly #absent: TokenKind | undefined;
  readonly #predictor: Predictor;
  readonly #graph: GrammarGraph;
  readonly #precedences: number[] = [];
  readonly #depths = new Map<RuleName, number>();
  #node: TreeNode;
  #state: State;
  /** Errors are not reported until a token matches again. */
  #recovering: boolean = false;
  #recoveries = 0;
  #lastErrorPosition = -1;
  readonly #lastErrorStates = new Set<State>();

  /** The grammar has no tokens of the absent kind. */
  constructor(tokens: TokenStream, report: SyntaxErrorReport, absent?: TokenKind) {
    this.#absent = absent;
    this.#graph = grammarGraph();
    this.#tokens = tokens;
    this.#report = report;
    this.#predictor = new Predictor(tokens);
    this.#state = this.#graph.rule('start').first;
    this.#node = new TreeNode('start', tokens.ahead(1));
  }

  /** Parses everything; throws LimitExceeded where cel-go gives up. */
  parse(): TreeNode {
    this.#countRule('start');
    let next: State | undefined = this.#state;
    while (next !== undefined) {
      if (next.form === 'ruleStop') {
        next = this.#leaveRule();
        continue;
      }
      const result: State | Failure = this.#step(next);
      if ('message' in result) {
        this.#recoverFrom(result);
        next = this.#graph.rule(this.#node.rule).last;
      } else {
        next = result;
      }
    }
    return this.#node;
  }

  /** Passes one state and gives the next. */
  #step(state: State): State | Failure {
    if (state.form === 'blockStart' || state.form === 'loopEntry' || state.form === 'loopBack') {
      this.#state = state;
      const failure = this.#synchronize(state);
      if (failure !== undefined) return failure;
    }
    // After an iteration of an optional loop the decision at its entry comes without another check.
    const [only] = state.transitions;
    const back = state.form === 'loopBack' && state.lookahead === undefined;
    const decision = back && only !== undefined ? only.target : state;
    let transition = decision.transitions[0];
    if (decision.lookahead !== undefined) {
      const alternative = this.#choose(decision, decision.lookahead);
      if (typeof alternative !== 'number') return alternative;
      transition = decision.transitions[alternative - 1];
      this.#noteAlternative(decision, alternative);
    }
    if (transition === undefined) throw new Error(`state ${state.id} of the grammar leads nowhere`);
    return this.#take(decision, transition);
  }

  #noteAlternative(decision: State, alternative: number): void {
    if (decision.leftRecursive === true) {
      if (alternative === 1) this.#uncountRule(this.#node.rule);
    } else if (decision.form === 'blockStart' && this.#node.children.length === 0) {
      // Only a choice that is the whole rule comes before its first child.
      if (this.#node.alternative === 0) this.#node.alternative = alternative;
    }
  }

  #choose(decision: State, lookahead: 'one' | 'any'): number | Failure {
    const current = this.#tokens.ahead(1);
    if (lookahead === 'any') {
      const precedence = this.#precedences.at(-1) ?? 0;
      const prediction = this.#predictor.predict({
        state: decision,
        node: this.#node,
        precedence,
      });
      if (prediction.alternative !== undefined) return prediction.alternative;
      return this.#noAlternative(current, prediction.offending);
    }
    const fits = ({ target }: Transition): boolean => nextTokens(target).kinds.has(current.kind);
    const alternative = decision.transitions.findIndex(fits) + 1;
    if (alternative === 1 || decision.otherwise === undefined) {
      return alternative > 0 ? alternative : this.#noAlternative(current, current);
    }
    return decision.otherwise;
  }

  #take(state: State, transition: Transition): State | Failure {
    switch (transition.form) {
      case 'empty':
        return transition.target;
      case 'call':
        this.#state = state;
        this.#enterRule(transition.target.rule, state, transition.precedence);
        return transition.target;
      case 'precedence':
        this.#state = state;
        this.#continueLeftRecursion(transition.alternative);
        return transition.target;
      case 'token': {
        this.#state = state;
        const token = this.#match(transition.kinds);
        if ('message' in token) return token;
        return transition.target;
      }
    }
  }

  #enterRule(rule: RuleName, calledFrom: State, precedence: number): void {
    this.#node = new TreeNode(rule, this.#tokens.ahead(1), this.#node, calledFrom);
    this.#precedences.push(precedence);
    this.#countRule(rule);
  }

  #leaveRule(): State | undefined {
    this.#precedences.pop();
    this.#uncountRule(this.#node.rule);
    const { parent } = this.#node;
    const follow = returnState(this.#node);
    if (parent === undefined || follow === undefined) return undefined;
    parent.children.push(this.#node);
    this.#node = parent;
    return follow;
  }

  /** Moves the parsed part into a new node of the same rule, as its first child. */
  #continueLeftRecursion(alternative: number): void {
    const { rule, start, parent, calledFrom } = this.#node;
    const outer = new TreeNode(rule, start, parent, calledFrom);
    outer.alternative = alternative;
    outer.children.push(this.#node);
    this.#node = outer;
    this.#countRule(rule);
  }

  #countRule(rule: RuleName): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    this.#depths.set(rule, depth);
    if (depth > parserLimits.ruleDepth) {
      throw new LimitExceeded(`expression recursion limit exceeded: ${parserLimits.ruleDepth}`);
    }
  }

  #uncountRule(rule: RuleName): void {
    this.#depths.set(rule, Math.max((this.#depths.get(rule) ?? 0) - 1, 0));
  }

  #match(kinds: ReadonlySet<TokenKind>): Token | Failure {
    const current = this.#tokens.ahead(1);
    if (!kinds.has(current.kind)) {
      const recovered = this.#recoverInPlace();
      if ('message' in recovered) return recovered;
      this.#node.children.push(recovered);
      return recovered;
    }
    this.#endRecovery();
    this.#tokens.advance();
    this.#node.children.push(current);
    return current;
  }

  #endRecovery(): void {
    this.#recovering = false;
    this.#lastErrorStates.clear();
    this.#lastErrorPosition = -1;
  }

  #reportOnce(message: string, position: IssuePosition): void {
    if (this.#recovering) return;
    this.#recovering = true;
    this.#report(message, position);
  }

  #expected(): ReadonlySet<TokenKind> {
    const expected = expectedTokens(this.#state, this.#node);
    if (this.#absent === undefined || !expected.has(this.#absent)) return expected;
    return new Set([...expected].filter((kind) => kind !== this.#absent));
  }

  #mismatch(): Failure {
    const current = this.#tokens.ahead(1);
    const expected = describeKinds(this.#expected());
    const message = `mismatched input ${quoteText(current.text)} expecting ${expected}`;
    return { message, position: current };
  }

  #noAlternative(first: Token, offending: Token): Failure {
    const atEnd = first.kind === tokenKind.endOfInput;
    const input = atEnd ? first.text : this.#tokens.textBetween(first, offending);
    const message = `no viable alternative at input ${quoteText(input)}`;
    return { message, position: offending };
  }

  #reportUnwanted(): void {
    const current = this.#tokens.ahead(1);
    const expected = describeKinds(this.#expected());
    this.#reportOnce(`extraneous input ${quoteText(current.text)} expecting ${expected}`, current);
  }

  /** Before a choice and around loops: deletes a token that is too much, or skips to one that fits. */
  #synchronize(state: State): Failure | undefined {
    if (this.#recovering) return undefined;
    const next = nextTokens(state);
    if (next.ruleMayEnd || next.kinds.has(this.#tokens.kind)) return undefined;
    if (state.form !== 'loopBack') {
      return this.#deleteToken() === undefined ? this.#mismatch() : undefined;
    }
    this.#reportUnwanted();
    this.#skipUntil(new Set([...this.#expected(), ...resumptionTokens(this.#node)]));
    return undefined;
  }

  /** Deletes the current token if the one after it is expected, and returns that one. */
  #deleteToken(): Token | undefined {
    if (!this.#expected().has(this.#tokens.ahead(2).kind)) return undefined;
    this.#reportUnwanted();
    this.#tokens.advance();
    this.#endRecovery();
    return this.#tokens.ahead(1);
  }

  #recoverInPlace(): Token | Failure {
    this.#countRecovery();
    const deleted = this.#deleteToken();
    if (deleted !== undefined) {
      this.#tokens.advance();
      return deleted;
    }
    const after = this.#state.transitions[0];
    const current = this.#tokens.ahead(1);
    if (after !== undefined && expectedTokens(after.target, this.#node).has(current.kind)) {
      return this.#makeUpToken();
    }
    return this.#mismatch();
  }

  #makeUpToken(): Token {
    const current = this.#tokens.ahead(1);
    const expected = this.#expected();
    this.#reportOnce(`missing ${describeKinds(expected)} at ${quoteText(current.text)}`, current);
    const atEnd = current.kind === tokenKind.endOfInput;
    const { line, column } = (atEnd ? this.#tokens.previous : undefined) ?? current;
    const kind = Math.min(...expected);
    return { kind, text: missingText(kind), line, column, index: -1 };
  }

  #recoverFrom({ message, position }: Failure): void {
    this.#reportOnce(message, position);
    this.#countRecovery();
    const stuck =
      this.#lastErrorPosition === this.#tokens.position && this.#lastErrorStates.has(this.#state);
    // An error that comes again at the same place must cost a token, or parsing would not end.
    if (stuck) this.#tokens.advance();
    this.#lastErrorPosition = this.#tokens.position;
    this.#lastErrorStates.add(this.#state);
    this.#skipUntil(resumptionTokens(this.#node), stuck ? 1 : 0);
  }

  #skipUntil(kinds: ReadonlySet<TokenKind>, skippedBefore?: number): void {
    let skipped = skippedBefore ?? Number.NEGATIVE_INFINITY;
    while (this.#tokens.kind !== tokenKind.endOfInput && !kinds.has(this.#tokens.kind)) {
      const limit = parserLimits.recoveryTokens;
      if (skipped >= limit) {
        throw new LimitExceeded(`error recovery token lookahead limit exceeded: ${limit}`);
      }
      skipped += 1;
      this.#tokens.advance();
    }
  }

  #countRecovery(): void {
    const limit = parserLimits.recoveries;
    if (this.#recoveries === limit) {
      this.#report(`error recovery attempt limit exceeded: ${limit}`, this.#tokens.ahead(1));
      throw new LimitExceeded();
    }
    this.#recoveries += 1;
  }
}
