import { getOrMake } from '@kubeadmit/base';
import { type CallStack, CallStacks } from './call-stack.ts';
import { type Configuration, ConfigurationSet } from './configurations.ts';
import { returnState } from './expected-tokens.ts';
import type { State } from './grammar-graph.ts';
import type { TreeNode } from './syntax-tree.ts';
import { type Token, type TokenKind, tokenKind } from './token.ts';
import type { TokenStream } from './token-stream.ts';

/** The result of a decision: an alternative, or the token at which none remained. */
export type Prediction =
  | { readonly alternative: number }
  | { readonly alternative: undefined; readonly offending: Token };

/** A decision to take, at the current token. */
export interface Decision {
  readonly state: State;
  readonly node: TreeNode;
  /** How tightly an operator must bind to be part of the rule. */
  readonly precedence: number;
}

/** A set of configurations with the results of its analysis. */
interface Lookout {
  readonly configurations: ConfigurationSet;
  readonly outcome: number | 'undecidable' | undefined;
  readonly next: Map<TokenKind, Lookout | 'nothing'>;
}

/** How a closure is to be computed. */
interface ClosureOptions {
  readonly fullContext: boolean;
  /** The binding strength to compare with, in the rule of the decision; none after the first token. */
  readonly precedence?: number;
  /** The decision whose configurations are distinguished by binding strength. */
  readonly leftRecursive?: State | undefined;
}

/**
 * Predicts alternatives as ANTLR's ALL(*) does: first with the assumption that rules may be called
 * from anywhere, then, where that leaves a conflict, with the calls as they are. Where the token that
 * a failure is reported at depends on the runtime, it is the one of ANTLR's Go runtime 4.13.1.
 */
export class Predictor {
  readonly #tokens: TokenStream;
  readonly #stacks = new CallStacks();
  readonly #starts = new Map<string, Lookout>();
  readonly #lookouts = new Map<string, Lookout>();

  constructor(tokens: TokenStream) {
    this.#tokens = tokens;
  }

  /** Chooses an alternative; leaves the token stream where it was. */
  predict(decision: Decision): Prediction {
    let previous = this.#start(decision);
    for (let distance = 1; ; ) {
      const token = this.#tokens.ahead(distance);
      const lookout = this.#advance(previous, token.kind, false);
      if (lookout === 'nothing') return failure(previous.configurations, token);
      if (lookout.outcome === 'undecidable') return this.#predictWithCallers(decision);
      if (lookout.outcome !== undefined) return { alternative: lookout.outcome };
      previous = lookout;
      if (token.kind !== tokenKind.endOfInput) distance += 1;
    }
  }

  #predictWithCallers(decision: Decision): Prediction {
    let previous = this.#startWithCallers(decision);
    for (let distance = 1; ; ) {
      const token = this.#tokens.ahead(distance);
      const lookout = this.#advance(previous, token.kind, true);
      if (lookout === 'nothing') return failure(previous.configurations, this.#tokens.ahead(1));
      if (typeof lookout.outcome === 'number') return { alternative: lookout.outcome };
      previous = lookout;
      if (token.kind !== tokenKind.endOfInput) distance += 1;
    }
  }

  #start({ state, precedence }: Decision): Lookout {
    const leftRecursive = state.leftRecursive === true ? state : undefined;
    const key = leftRecursive === undefined ? `${state.id}` : `${state.id}:${precedence}`;
    return this.#memoized(key, () => {
      const options = { fullContext: false, precedence, leftRecursive };
      const closure = this.#closureOfStart(state, this.#stacks.empty, options);
      return leftRecursive === undefined ? closure : this.#filter(closure);
    });
  }

  #startWithCallers({ state, node, precedence }: Decision): Lookout {
    const callers = this.#callers(node);
    return this.#memoized(`${state.id}:${precedence}:${callers.id}`, () =>
      this.#closureOfStart(state, callers, { fullContext: true, precedence }),
    );
  }

  #memoized(key: string, start: () => ConfigurationSet): Lookout {
    return getOrMake(this.#starts, key, () => ({
      configurations: start(),
      outcome: undefined,
      next: new Map(),
    }));
  }

  /** Drops configurations that leave a loop and return to a state that staying in the loop reaches too. */
  #filter(closure: ConfigurationSet): ConfigurationSet {
    const filtered = new ConfigurationSet(this.#stacks);
    const staying = new Map<State, CallStack>();
    for (const configuration of closure.values()) {
      if (configuration.alternative === 1) {
        staying.set(configuration.state, configuration.stack);
        filtered.add(configuration);
      }
    }
    for (const configuration of closure.values()) {
      const { alternative, unfiltered, state, stack } = configuration;
      if (alternative !== 1 && (unfiltered || staying.get(state) !== stack)) {
        filtered.add(configuration);
      }
    }
    return filtered;
  }

  #advance(from: Lookout, kind: TokenKind, fullContext: boolean): Lookout | 'nothing' {
    return getOrMake(from.next, kind, () => {
      const configurations = this.#reach(from.configurations, kind, fullContext);
      return configurations.size === 0 ? 'nothing' : this.#lookout(configurations, fullContext);
    });
  }

  #lookout(configurations: ConfigurationSet, fullContext: boolean): Lookout {
    const key = `${fullContext}|${configurations.key()}`;
    return getOrMake(this.#lookouts, key, () => {
      const outcome = configurations.onlyAlternative() ?? conflictOf(configurations, fullContext);
      return { configurations, outcome, next: new Map() };
    });
  }

  #callers(node: TreeNode): CallStack {
    const follow: State[] = [];
    for (let outer: TreeNode | undefined = node; outer !== undefined; outer = outer.parent) {
      const state = returnState(outer);
      if (state !== undefined) follow.push(state);
    }
    return follow.reduceRight(
      (stack, state) => this.#stacks.push(stack, state),
      this.#stacks.empty,
    );
  }

  #closureOfStart(state: State, stack: CallStack, options: ClosureOptions): ConfigurationSet {
    const closure = new ConfigurationSet(this.#stacks);
    for (const [index, transition] of state.transitions.entries()) {
      const first = { state: transition.target, alternative: index + 1, stack };
      this.#close({ ...first, leftRule: false, unfiltered: false }, closure, options);
    }
    return closure;
  }

  /** Returns the configurations that remain after a token. */
  #reach(from: ConfigurationSet, kind: TokenKind, fullContext: boolean): ConfigurationSet {
    const atEnd = kind === tokenKind.endOfInput;
    const moved = new ConfigurationSet(this.#stacks);
    const ended: Configuration[] = [];
    for (const configuration of from.values()) {
      if (configuration.state.form === 'ruleStop') {
        if (fullContext || atEnd) ended.push(configuration);
        continue;
      }
      for (const transition of configuration.state.transitions) {
        if (transition.form === 'token' && transition.kinds.has(kind)) {
          moved.add({ ...configuration, state: transition.target });
        }
      }
    }
    if (ended.length === 0 && !atEnd && moved.onlyAlternative() !== undefined) return moved;
    const closed = new ConfigurationSet(this.#stacks);
    for (const configuration of moved.values()) this.#close(configuration, closed, { fullContext });
    const endedNow = [...closed.values()].filter(({ state }) => state.form === 'ruleStop');
    const reached = atEnd ? new ConfigurationSet(this.#stacks, endedNow) : closed;
    if (fullContext && endedNow.length > 0) return reached;
    for (const configuration of ended) reached.add(configuration);
    return reached;
  }

  /** Adds the configurations that can be reached without a token and wait for one. */
  #close(first: Configuration, result: ConfigurationSet, options: ClosureOptions): void {
    const seen = new Set<string>();
    const pending: { configuration: Configuration; depth: number }[] = [];
    const visit = (configuration: Configuration, depth: number): void => {
      const { state, stack, leftRule, unfiltered } = configuration;
      const key = `${state.id}:${stack.id}:${depth}:${Number(leftRule)}${Number(unfiltered)}`;
      if (seen.has(key)) return;
      seen.add(key);
      pending.push({ configuration, depth });
    };
    visit(first, 0);
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      const { configuration, depth } = entry;
      if (configuration.state.form === 'ruleStop') {
        this.#leave(configuration, depth, result, options, visit);
      } else {
        this.#step(configuration, depth, result, options, visit);
      }
    }
  }

  #step(
    configuration: Configuration,
    depth: number,
    result: ConfigurationSet,
    { precedence }: ClosureOptions,
    visit: (configuration: Configuration, depth: number) => void,
  ): void {
    const { state, stack } = configuration;
    const skipped = repeatsCaller(configuration) ? 0 : -1;
    for (const [index, transition] of state.transitions.entries()) {
      if (index === skipped) continue;
      const moved = { ...configuration, state: transition.target };
      if (transition.form === 'token') {
        result.add(configuration);
      } else if (transition.form === 'call') {
        const deeper = this.#stacks.push(stack, transition.follow);
        visit({ ...moved, stack: deeper }, depth >= 0 ? depth + 1 : depth);
      } else if (transition.form === 'empty') {
        visit(moved, depth);
      } else if (precedence === undefined || depth !== 0 || transition.atLeast >= precedence) {
        visit(moved, depth);
      }
    }
  }

  #leave(
    configuration: Configuration,
    depth: number,
    result: ConfigurationSet,
    { fullContext, leftRecursive }: ClosureOptions,
    visit: (configuration: Configuration, depth: number) => void,
  ): void {
    const { state, stack } = configuration;
    for (const { follow, below } of stack.frames) {
      visit({ ...configuration, state: follow, stack: below, unfiltered: false }, depth);
    }
    if (stack !== this.#stacks.empty) return;
    if (fullContext || state.transitions.length === 0) {
      result.add(configuration);
      return;
    }
    for (const transition of state.transitions) {
      const again =
        transition.form === 'empty' &&
        leftRecursive !== undefined &&
        transition.returnOf === leftRecursive.rule;
      const unfiltered = configuration.unfiltered || again;
      visit({ ...configuration, state: transition.target, leftRule: true, unfiltered }, -1);
    }
  }
}

/** Whether the loop that called the rule would do the same as this loop. */
function repeatsCaller({ state, stack }: Configuration): boolean {
  return (
    state.leftRecursive === true &&
    stack.frames.length > 0 &&
    stack.frames.every(({ follow }) => follow.rule === state.rule)
  );
}

/** With known callers a conflict has an outcome if its lowest alternative is always the same. */
function conflictOf(configurations: ConfigurationSet, fullContext: boolean): Lookout['outcome'] {
  if (!fullContext) return configurations.isUndecidable() ? 'undecidable' : undefined;
  const lowest = new Set(
    configurations.conflicts().map((alternatives) => Math.min(...alternatives)),
  );
  return lowest.size === 1 ? [...lowest][0] : undefined;
}

/** Without an alternative left, one that could have ended is taken. */
function failure(configurations: ConfigurationSet, offending: Token): Prediction {
  const ended = [...configurations.values()]
    .filter(({ state, leftRule }) => leftRule || state.form === 'ruleStop')
    .map(({ alternative }) => alternative);
  return ended.length > 0
    ? { alternative: Math.min(...ended) }
    : { alternative: undefined, offending };
}
