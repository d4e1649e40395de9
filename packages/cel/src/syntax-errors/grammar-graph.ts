import { grammar, type Lookahead, type Part, type RuleName } from './grammar.ts';
import type { TokenKind } from './token.ts';

/** The kind of a state in the grammar; error recovery depends on it. */
export type StateForm =
  | 'plain'
  | 'blockStart'
  | 'loopEntry'
  | 'loopBack'
  | 'ruleStart'
  | 'ruleStop';

/** A way from one place in the grammar to another. */
export type Transition =
  | { readonly form: 'empty'; readonly target: State; readonly returnOf?: RuleName }
  | { readonly form: 'token'; readonly target: State; readonly kinds: ReadonlySet<TokenKind> }
  | {
      readonly form: 'call';
      readonly target: State;
      readonly follow: State;
      readonly precedence: number;
    }
  | {
      readonly form: 'precedence';
      readonly target: State;
      readonly atLeast: number;
      readonly alternative: number;
    };

/** A place in the grammar. */
export interface State {
  readonly id: number;
  readonly rule: RuleName;
  readonly form: StateForm;
  readonly transitions: Transition[];
  /** How to choose between several transitions; their order is the order of alternatives. */
  readonly lookahead?: Lookahead;
  /** The alternative to take, looking at one token, if it does not fit the first. */
  readonly otherwise?: number;
  /** Set at loops of rules that call themselves on the left. */
  readonly leftRecursive?: boolean;
}

/** Two states that enclose a part. */
interface Section {
  readonly first: State;
  readonly last: State;
}

const leftRecursiveRules: readonly RuleName[] = ['relation', 'calculation', 'member'];

/** The grammar as a graph of states, in which the parser and its predictions walk. */
export class GrammarGraph {
  readonly #rules = new Map<RuleName, Section>();
  #count = 0;

  constructor() {
    const names = Object.keys(grammar) as RuleName[];
    for (const name of names) {
      const first = this.#state(name, 'ruleStart');
      this.#rules.set(name, { first, last: this.#state(name, 'ruleStop') });
    }
    for (const name of names) {
      const { first, last } = this.rule(name);
      const body = this.#section(name, grammar[name]);
      link(first, body.first);
      link(body.last, last);
    }
  }

  /** The first and the last state of a rule. */
  rule(name: RuleName): Section {
    const section = this.#rules.get(name);
    if (section === undefined) throw new Error(`unknown grammar rule ${name}`);
    return section;
  }

  #state(rule: RuleName, form: StateForm, choice?: Partial<State>): State {
    this.#count += 1;
    return { id: this.#count, rule, form, transitions: [], ...choice };
  }

  /** Adds a part; ends it in a given state where alternatives meet, so that they meet early. */
  #section(rule: RuleName, part: Part, exit?: State): Section {
    switch (part.form) {
      case 'token':
        return this.#step(rule, exit, (target) => ({
          form: 'token',
          target,
          kinds: new Set(part.kinds),
        }));
      case 'precedence':
        return this.#step(rule, exit, (target) => ({ ...part, target }));
      case 'call':
        return this.#call(rule, part, exit);
      case 'sequence':
        return this.#sequence(rule, part.parts, exit);
      case 'choice':
        return this.#choice(rule, part.parts, part.lookahead);
      case 'optional':
        return this.#optional(rule, part.part);
      case 'any':
        return this.#any(rule, part.part, part.lookahead);
      case 'some':
        return this.#some(rule, part.part, part.lookahead);
    }
  }

  #step(
    rule: RuleName,
    exit: State | undefined,
    transition: (target: State) => Transition,
  ): Section {
    const first = this.#state(rule, 'plain');
    const last = exit ?? this.#state(rule, 'plain');
    first.transitions.push(transition(last));
    return { first, last };
  }

  #call(rule: RuleName, part: Part & { form: 'call' }, exit: State | undefined): Section {
    const { precedence } = part;
    const { first: target, last: stop } = this.rule(part.rule);
    const section = this.#step(rule, exit, (follow) => ({
      form: 'call',
      target,
      follow,
      precedence,
    }));
    const outermost = leftRecursiveRules.includes(part.rule) && precedence === 0;
    const back: Transition = { form: 'empty', target: section.last };
    stop.transitions.push(outermost ? { ...back, returnOf: part.rule } : back);
    return section;
  }

  #sequence(rule: RuleName, parts: readonly Part[], exit: State | undefined): Section {
    const first = this.#state(rule, 'plain');
    let last = first;
    for (const [index, part] of parts.entries()) {
      const section = this.#section(rule, part, index === parts.length - 1 ? exit : undefined);
      link(last, section.first);
      last = section.last;
    }
    return { first, last };
  }

  #choice(rule: RuleName, parts: readonly Part[], lookahead: Lookahead): Section {
    const first = this.#state(rule, 'blockStart', { lookahead });
    const last = this.#state(rule, 'plain');
    for (const part of parts) {
      const section = this.#section(rule, part, last);
      link(first, section.first);
      if (section.last !== last) link(section.last, last);
    }
    return { first, last };
  }

  #optional(rule: RuleName, part: Part): Section {
    const first = this.#state(rule, 'blockStart', { lookahead: 'one', otherwise: 2 });
    const last = this.#state(rule, 'plain');
    const section = this.#section(rule, part);
    link(first, section.first);
    link(section.last, last);
    link(first, last);
    return { first, last };
  }

  #any(rule: RuleName, part: Part, lookahead: Lookahead): Section {
    const leftRecursive = leftRecursiveRules.includes(rule);
    const first = this.#state(rule, 'loopEntry', { lookahead, leftRecursive, otherwise: 2 });
    const last = this.#state(rule, 'plain');
    const back = this.#state(rule, 'loopBack');
    const section = this.#section(rule, part);
    link(first, section.first);
    link(first, last);
    link(section.last, back);
    link(back, first);
    return { first, last };
  }

  #some(rule: RuleName, part: Part, lookahead: Lookahead): Section {
    const first = this.#state(rule, 'blockStart');
    const last = this.#state(rule, 'plain');
    const back = this.#state(rule, 'loopBack', { lookahead, otherwise: 2 });
    const section = this.#section(rule, part);
    link(first, section.first);
    link(section.last, back);
    link(back, section.first);
    link(back, last);
    return { first, last };
  }
}

function link(from: State, target: State): void {
  from.transitions.push({ form: 'empty', target });
}
