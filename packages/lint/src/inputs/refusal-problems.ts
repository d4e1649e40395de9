import { groupBy } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import {
  expressionOffset,
  type InputProblem,
  type Manifest,
  type Path,
  parseFieldPath,
  valueAt,
} from '@kubeadmit/manifest';
import { namesIn, withNearestNames } from '../expressions/nearest-names.ts';
import { type CompilerCause, compilerCause } from '../issue/compiler-cause.ts';
import { located, tokenAt } from '../issue/located.ts';

/** Why kube-apiserver would refuse to create an object. */
export interface Refusal {
  /** `Kind/name`. */
  readonly resource: string;
  readonly message: string;
  /** Complete texts of the field errors; none when the object could not be decoded. */
  readonly fields?: readonly string[];
}

/** A problem of a policy object, and the part of it that is meant. */
export interface PolicyProblem extends InputProblem {
  readonly manifest: Manifest;
  /** The path of the field as kube-apiserver writes it, such as `spec.validations[0].expression`. */
  readonly field: string;
  readonly code:
    | 'cannot-be-decoded'
    | 'invalid-field'
    | 'expression-error'
    | 'static-manifest'
    | 'type-warning';
  /** The compiler's error; absent for problems outside of expressions. */
  readonly cause?: CompilerCause;
}

/**
 * A refusal as problems with places in the file: one for each field error, and one for each issue
 * of an expression that does not compile. `pathOf` gives the way to a field in the manifest where the server calls it
 * by another.
 */
export function refusalProblems(
  manifest: Manifest,
  refusal: Refusal,
  pathOf: (field: string) => Path = parseFieldPath,
): PolicyProblem[] {
  const { fields } = refusal;
  if (fields === undefined || fields.length === 0) {
    const field = wrongType.exec(refusal.message)?.[1] ?? '';
    const message = `${manifest.title}: ${refusal.message}`;
    const problem = at(manifest, { field, path: parseFieldPath(field) }, message);
    return [{ ...problem, code: 'cannot-be-decoded' }];
  }
  return fields.flatMap((text) => fieldProblems(manifest, text, pathOf));
}

/** Where Go's decoder names the field that has the wrong type, list indexes left out. */
const wrongType = /Go struct field \w+\.(\S+) of type/;
const compilation = 'compilation failed: ';
const issue = /^(?:(\S.*): )?ERROR: <input>:(\d+):(\d+): (.*)$/gm;

function fieldProblems(
  manifest: Manifest,
  text: string,
  pathOf: (field: string) => Path,
): PolicyProblem[] {
  const end = fieldEnd(text);
  const field = text.slice(0, end);
  const place = { field, path: pathOf(field) };
  const start = text.indexOf(compilation, end);
  const found =
    start === -1 ? [] : expressionProblems(manifest, place, text.slice(start + compilation.length));
  if (found.length === 0) return [{ ...at(manifest, place, text), code: 'invalid-field' }];
  return found.map((problem) => ({ ...problem, code: 'expression-error' }));
}

/** A warning of the type checker as problems with places. */
export function typeWarningProblems(
  manifest: Manifest,
  field: string,
  warning: string,
): PolicyProblem[] {
  const place = { field, path: parseFieldPath(field) };
  const found = expressionProblems(manifest, place, warning);
  const problems = found.length > 0 ? found : [at(manifest, place, warning)];
  return problems.map((problem) => ({ ...problem, code: 'type-warning' }));
}

type Found = Omit<PolicyProblem, 'code'>;

/** A field as messages call it, and the way to it in the manifest. */
interface FieldPlace {
  readonly field: string;
  readonly path: Path;
}

function at(manifest: Manifest, { field, path }: FieldPlace, message: string): Found {
  return { ...manifest.problem(path, message), manifest, field };
}

/**
 * One problem for each `ERROR: <input>:line:column: …` that a text has about an expression. Equal errors about several
 * kinds are one problem.
 */
export function expressionProblems(
  manifest: Manifest,
  { field, path }: FieldPlace,
  text: string,
): Found[] {
  const expression = valueAt(manifest.object as Value, path);
  if (typeof expression !== 'string') return [];
  let of: string | undefined;
  const errors = [...text.matchAll(issue)].map(
    ([, kind, line = '1', column = '1', message = '']) => {
      // Of several errors about a kind the first alone names it.
      of = kind ?? of;
      const offset = expressionOffset(expression, Number(line), Number(column) - 1);
      return { message, offset, kind: of, cause: compilerCause(message) };
    },
  );
  const named = withNearestNames(errors, expression, namesIn(manifest));
  const alike = groupBy(named, ({ offset, message }) => `${offset} ${message}`);
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { offset: within, message, cause } = first;
    const kinds = group.flatMap(({ kind }) => kind ?? []);
    const about = kinds.length === 0 ? field : `${field} for ${kinds.join('; ')}`;
    const { start } = manifest.range(path, { start: within, end: within });
    return {
      ...located(manifest, path, tokenAt(expression, within)),
      // The place is the server's, though the range may begin before it.
      place: manifest.origin.source.placeAt(start),
      manifest,
      field,
      message: `${message} (${about})`,
      cause,
    };
  });
}

/** Where the field path of a field error ends: at the first `: ` outside of brackets. */
function fieldEnd(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') depth++;
    else if (text[at] === ']') depth--;
    else if (depth === 0 && text.startsWith(': ', at)) return at;
  }
  return 0;
}
