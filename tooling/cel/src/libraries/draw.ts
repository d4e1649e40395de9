import { Random } from '@kubeadmit/random';
import type { GeneratedCase } from '../generate/case.ts';

/** Makes a call of one library. */
export type Family = (draw: Draw) => string;

/** Draws from a seed, and collects the variables of one case. */
export class Draw extends Random {
  #variables: Record<string, unknown> = {};

  /** Up to so many texts, joined. */
  many(most: number, make: () => string): string {
    return Array.from({ length: this.below(most + 1) }, make).join('');
  }

  digits(most: number): string {
    return this.many(most, () => this.pick(digits));
  }

  /** The text with none, one or a few characters changed. */
  mutate(text: string): string {
    if (!this.chance(0.15)) return text;
    const characters = [...text];
    const at = this.below(characters.length + 1);
    const change = this.below(3);
    if (change === 1) {
      characters.splice(at, 1);
    } else {
      characters.splice(at, change, this.pick(oddCharacters));
    }
    return this.mutate(characters.join(''));
  }

  /** A value as a literal, hidden behind `dyn`, or as a variable. */
  value(value: string | number | boolean | null): string {
    switch (this.below(5)) {
      case 0:
      case 1:
        return literal(value);
      case 2:
        return `dyn(${literal(value)})`;
      default:
        return this.variable(value);
    }
  }

  /** A variable with any JSON value. */
  variable(value: unknown): string {
    const name = `v${Object.keys(this.#variables).length}`;
    this.#variables[name] = value;
    return name;
  }

  /** A value of a type that the call may not take, now and then, in place of the expression. */
  rarelyWrong(expression: string): string {
    return this.chance(0.03) ? this.value(this.pick([1, 'x', true, null, 2.5])) : expression;
  }

  /** The case with the variables that were drawn since the last one. */
  finish(expression: string): Pick<GeneratedCase, 'expression' | 'variables'> {
    const variables = this.#variables;
    this.#variables = {};
    return { expression, variables };
  }
}

const digits = [...'0123456789'];
const oddCharacters = [...'0129aAzZ.:-+/%[]@?#&=; _éß😀\\"\n\t~!$*(),{}^|e<>\'`'];

/** A string, number, boolean or null as CEL source. */
function literal(value: string | number | boolean | null): string {
  return JSON.stringify(value);
}
