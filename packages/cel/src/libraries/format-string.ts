import { encodeUtf8, parseInt64, quote } from '@kubeadmit/go';
import type { FunctionImplementation } from '../declarations/function-declaration.ts';
import type { FunctionRow } from '../standard/functions-of.ts';
import { type FormatClause, FormatProblem, type FormatVerb } from './format-verbs.ts';

/** The arguments of a format string. */
export interface FormatTarget {
  /** How many arguments there are. */
  readonly size: number;
  /**
   * Whether a missing argument is found before anything else, as when evaluating; when checking,
   * the end of the text comes first.
   */
  readonly eager: boolean;
  /** The largest precision that a clause can have; without limit when absent. */
  readonly maximalPrecision?: number | undefined;
  /** Formats the argument of a number by a clause, or throws an `ArgumentProblem`. */
  format(index: number, clause: FormatClause): string;
}

/** The outcome of {@link applyFormat}: the text, and how many clauses there were. */
export interface Formatted {
  readonly text: string;
  readonly clauses: number;
}

const verbs: ReadonlySet<string> = new Set('bdefosxX');

/** Replaces the clauses of a format string by arguments, or gives the first problem. */
export function applyFormat(format: string, target: FormatTarget): Formatted | FormatProblem {
  try {
    return replaceClauses(format, target);
  } catch (failure) {
    if (failure instanceof FormatProblem) return failure;
    throw failure;
  }
}

function replaceClauses(format: string, target: FormatTarget): Formatted {
  let text = '';
  let clauses = 0;
  for (let index = 0; index < format.length; ) {
    const percent = format.indexOf('%', index);
    if (percent === -1) {
      text += format.slice(index);
      break;
    }
    text += format.slice(index, percent);
    if (format.charAt(percent + 1) === '%') {
      text += '%';
      index = percent + 2;
      continue;
    }
    const isMissing = clauses >= target.size;
    if (percent + 1 >= format.length && !(target.eager && isMissing)) {
      throw new FormatProblem('unexpected end of string');
    }
    if (isMissing) throw new FormatProblem(`index ${clauses} out of range`);
    const { clause, end } = parseClause(format, percent + 1, target.maximalPrecision);
    text += target.format(clauses, clause);
    index = end;
    clauses++;
  }
  return { text, clauses };
}

function parseClause(
  format: string,
  start: number,
  maximalPrecision: number | undefined,
): { readonly clause: FormatClause; readonly end: number } {
  let at = start;
  let precision: number | undefined;
  if (format.charAt(at) === '.') {
    const digits = /[0-9]*/y;
    digits.lastIndex = at + 1;
    const written = digits.exec(format)?.[0] ?? '';
    at += 1 + written.length;
    if (at >= format.length) throw precisionProblem('could not find end of precision specifier');
    const value = parseInt64(written);
    if (typeof value !== 'bigint') {
      const reason = `strconv.Atoi: parsing ${quote(written)}: ${value}`;
      throw precisionProblem(`error while converting precision to integer: ${reason}`);
    }
    precision = Number(value);
    if (maximalPrecision !== undefined && precision > maximalPrecision) {
      throw precisionProblem(
        `precision ${precision} exceeds maximum allowed precision ${maximalPrecision}`,
      );
    }
  }
  const verb = format.charAt(at);
  if (!verbs.has(verb)) {
    throw clauseProblem(`unrecognized formatting clause "${firstByte(format.slice(at))}"`);
  }
  return { clause: { verb: verb as FormatVerb, precision }, end: at + 1 };
}

function precisionProblem(reason: string): FormatProblem {
  return clauseProblem(`error while parsing precision: ${reason}`);
}

function clauseProblem(reason: string): FormatProblem {
  return new FormatProblem(`could not parse formatting clause: ${reason}`);
}

// cel-go looks at bytes, and prints the first one of a longer character as if it were one itself.
function firstByte(text: string): string {
  const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return String.fromCharCode(encodeUtf8(character)[0] ?? 0);
}

/** Returns the function `format` for a formatter of a list of values. */
export function formatRow(evaluate: FunctionImplementation): FunctionRow {
  return ['format', 'string_format', 'string.(list<dyn>) -> string', evaluate, { variadic: true }];
}
