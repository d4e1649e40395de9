import { memoize } from '@kubeadmit/base';
import { isAutomatic, RegexAutomaton } from './automaton.ts';
import { RegexMachine } from './machine.ts';
import { longestNativeText, nativeRegex } from './native.ts';
import { type ParsedRegex, parseRegex } from './parse-regex.ts';
import { compileProgram, type RegexProgram } from './program.ts';
import { RegexSyntaxError } from './syntax.ts';

// Patterns without metacharacters and without U+FFFD, which unpaired surrogates decode to. The step machine would take
// time proportional to text × pattern for them, as in Go.
const plain = /^[^\\.+*?()|[\]{}^$\ufffd\p{Cs}]*$/u;

/** As `Regex`, for those who only ask whether there is a match, and load nothing else. */
export class RegexTester {
  protected readonly parsed: ParsedRegex;
  /** Whether the pattern stands for itself. */
  protected readonly isPlain: boolean;
  /** Tells, where it is there, sooner whether a text matches. */
  readonly #native: RegExp | undefined;
  #matchers: Matchers | undefined;

  constructor(parsed: ParsedRegex) {
    this.parsed = parsed;
    this.isPlain = plain.test(parsed.text);
    this.#native = this.isPlain ? undefined : nativeRegex(parsed);
  }

  protected get matchers(): Matchers {
    this.#matchers ??= matchersOf(this.parsed);
    return this.#matchers;
  }

  /** How many characters the machine has read. */
  protected get machineSteps(): number {
    return this.#matchers?.machine.steps ?? 0;
  }

  /** Whether there is a match anywhere in the text. */
  test(text: string): boolean {
    if (this.isPlain) return text.includes(this.parsed.text);
    const native = this.#native;
    if (native !== undefined && text.length <= longestNativeText) return native.test(text);
    const { automaton, machine } = this.matchers;
    return automaton?.test(text) ?? machine.match(text, 0, true) !== undefined;
  }
}

/** The reason why a pattern is not a regular expression, with Go's message: ``error parsing regexp: …: `…` ``. */
export interface RegexError {
  readonly error: string;
}

/** Step-by-step matchers. */
interface Matchers {
  readonly program: RegexProgram;
  readonly machine: RegexMachine;
  /** Decides whether a match exists, for supported expressions. */
  readonly automaton: RegexAutomaton | undefined;
}

function matchersOf({ node }: ParsedRegex): Matchers {
  const program = compileProgram(node);
  return {
    program,
    machine: new RegexMachine(program),
    automaton: isAutomatic(program) ? new RegexAutomaton(program) : undefined,
  };
}

/** Compiles a pattern as one of the classes of regular expressions. */
export function compileAs<Compiled extends RegexTester>(
  Kind: new (parsed: ParsedRegex) => Compiled,
  pattern: string,
): Compiled | RegexError {
  try {
    return new Kind(parseRegex(pattern));
  } catch (error) {
    if (error instanceof RegexSyntaxError) return { error: error.message };
    throw error;
  }
}

/** A pattern that is known only when evaluating, for those who only ask whether there is a match. */
export const recentTester: (pattern: string) => RegexTester | RegexError = memoize(
  (pattern) => compileAs(RegexTester, pattern),
  1024,
);
