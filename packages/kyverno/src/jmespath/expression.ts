import { describeValue, memoize, requireOptions } from '@kubeadmit/base';
import { compile } from './compile.ts';
import { functionTable } from './functions/table.ts';
import { parse } from './parse.ts';
import { Failure } from './steps/failure.ts';
import type { Run, Step } from './steps/step.ts';
import { JmesPathSyntaxError } from './syntax-error.ts';
import { callsFunction } from './uses.ts';
import { Scales } from './weight.ts';

/** How many elements one evaluation may handle before it is stopped. */
const elementLimit = 2_000_000;

/** The context of an evaluation in addition to its data. */
export interface SearchOptions {
  /** The time in milliseconds since 1970 for functions such as `time_now`; without it they fail. */
  readonly now?: number | undefined;
}

/** A compiled JMESPath expression in Kyverno's dialect. */
export interface Expression {
  /** The value that the expression has over some data, or a `Failure`; never throws. */
  readonly search: (data: unknown, options?: SearchOptions) => unknown;
  /** Whether an evaluation may change the order of lists in its data (`sort_by`). */
  readonly reorders: boolean;
}

const compiled = memoize(makeExpression, 4096, 2000);

/**
 * Reads a JMESPath expression (Kyverno's go-jmespath, with Kyverno's functions); a `Failure` has the text of
 * its syntax error. The latest expressions are remembered.
 */
export function compileExpression(text: string): Expression | Failure {
  if (typeof text !== 'string') {
    throw new TypeError(`an expression is a string, not ${describeValue(text)}`);
  }
  return compiled(text);
}

function makeExpression(text: string): Expression | Failure {
  let step: Step;
  let reorders: boolean;
  try {
    const tree = parse(text);
    step = compile(tree, functionTable);
    reorders = callsFunction(tree, 'sort_by');
  } catch (problem) {
    if (problem instanceof JmesPathSyntaxError) return new Failure(problem.message);
    throw problem;
  }
  return { search: (data, options) => step(data, new Evaluation(options?.now)), reorders };
}

const tooMany = new Failure('the expression handles too many elements');

class Evaluation implements Run {
  readonly now: number | undefined;
  #left = elementLimit;
  #scales: Scales | undefined;

  constructor(now: number | undefined) {
    this.now = now;
  }

  spend(elements: number): Failure | undefined {
    this.#left -= elements;
    return this.#left < 0 ? tooMany : undefined;
  }

  weigh(value: unknown): Failure | undefined {
    this.#scales ??= new Scales();
    return this.#scales.weightOf(value) > elementLimit ? tooMany : undefined;
  }
}

/** Evaluates an expression over some data: a value, or a `Failure`. */
export function search(text: string, data: unknown, options?: SearchOptions): unknown {
  if (options !== undefined) requireOptions('search', options, { now: 'number' });
  const expression = compileExpression(text);
  return expression instanceof Failure ? expression : expression.search(data, options);
}
