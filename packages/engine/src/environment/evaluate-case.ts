import {
  CelError,
  type EnvironmentOptions,
  formatLiteral,
  type Program,
  type Type,
  type Value,
} from '@kubeadmit/cel';
import {
  dynType,
  formatDeclaredType,
  formatHostLimit,
  type PlanOptions,
  type Source,
  typeOf,
} from '@kubeadmit/cel/internal';
import { type OptionKind, requireOptions, requireText } from '@kubeadmit/go/internal';
import { baseEnvironment } from './base-environment.ts';
import { CaseError, readCaseValue } from './case-value.ts';
import { declaredType } from './declared-type.ts';
import { perCallLimit } from './limits.ts';
import { compatibilityMinor, newestMinor, parseVersion, UnknownVersionError } from './versions.ts';

/** One expression with the values of its variables: a case of `kubeadmit eval --batch`. */
export interface EvaluateCase {
  /** An expression of CEL. */
  readonly expression: string;
  /** JSON; `{"$double": …}`, `{"$uint": …}` and the like are values of these types. */
  readonly variables?: Readonly<Record<string, Value>> | undefined;
  /** Static types of variables, such as `map<string, list<int>>`; all others are `dyn`. */
  readonly declarations?: Readonly<Record<string, string>> | undefined;
  /** The version of the server, such as `1.37`; new expressions get the libraries of the one before. */
  readonly kubernetesVersion?: string | undefined;
  /** The cost limit; that of kube-apiserver where it is absent or 0. */
  readonly budget?: number | undefined;
}

/** What an {@link EvaluateCase} gave; values and types as text. */
export interface EvaluateAnswer {
  /** The value in CEL's own notation; absent after a failure. */
  readonly result?: string;
  /** The type that was found before evaluation. */
  readonly type?: string;
  /** The type of the value. */
  readonly valueType?: string;
  /** Why there is no value. */
  readonly error?: string;
  /** What the evaluation cost; the largest number of 64 bits where cel-go's count wraps. */
  readonly cost?: number | bigint;
  /** What is wrong with the expression; absent where nothing is. */
  readonly issues?: readonly {
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }[];
  /** Why there was nothing to evaluate: the case is none, or a limit of the host was reached. */
  readonly failure?: string;
}

/** A case ready to be evaluated, any number of times. */
export interface PreparedCase {
  readonly source: Source;
  readonly program: Program;
  readonly type: Type;
  readonly values: Readonly<Record<string, Value>>;
  readonly costLimit: number;
}

const caseMembers: Readonly<Record<keyof EvaluateCase, OptionKind>> = {
  expression: 'string',
  variables: 'object',
  declarations: 'object',
  kubernetesVersion: 'string',
  budget: 'number',
};

/** Evaluates one expression as kube-apiserver would a new one. Never throws for a case. */
export function evaluateCase(input: EvaluateCase): EvaluateAnswer {
  requireOptions('evaluateCase', input, caseMembers);
  requireText('evaluateCase: `expression`', input.expression);
  try {
    return evaluate(input);
  } catch (problem) {
    const limit = formatHostLimit(problem);
    if (limit !== undefined) return { failure: limit };
    throw problem;
  }
}

function evaluate(input: EvaluateCase): EvaluateAnswer {
  const prepared = prepareCase(input);
  if (!('program' in prepared)) return prepared;
  const { program, values, costLimit } = prepared;
  const type = formatDeclaredType(prepared.type);
  const { value, cost: counted } = program.evaluate(values, { costLimit });
  const cost = counted < 2 ** 64 ? counted : 2n ** 64n - 1n;
  return value instanceof CelError
    ? { type, error: value.message, cost }
    : { result: formatLiteral(value), type, valueType: typeOf(value).name, cost };
}

/** Compiles the expression of a case and reads its values, or says why that cannot be done. */
export function prepareCase(
  input: EvaluateCase,
  options: PlanOptions = {},
): PreparedCase | EvaluateAnswer {
  try {
    return prepare(input, options);
  } catch (problem) {
    if (problem instanceof CaseError || problem instanceof UnknownVersionError) {
      return { failure: problem.message };
    }
    throw problem;
  }
}

function prepare(input: EvaluateCase, planOptions: PlanOptions): PreparedCase | EvaluateAnswer {
  const server = input.kubernetesVersion ? parseVersion(input.kubernetesVersion) : newestMinor;
  const base = baseEnvironment(compatibilityMinor(server));
  const variables: Record<string, Type> = Object.create(null);
  for (const name of Object.keys(input.variables ?? {})) variables[name] = dynType;
  for (const [name, text] of Object.entries(input.declarations ?? {})) {
    const type = declaredType(text);
    if (type === undefined) {
      throw new CaseError(`declaration of ${name}: ${JSON.stringify(text)} is not a type`);
    }
    variables[name] = type;
  }
  const options: EnvironmentOptions = { variables };
  const environment = base.extend(options);
  // Engines read such an object faster than one without a prototype.
  const values: Readonly<Record<string, Value>> = Object.fromEntries(
    Object.entries(input.variables ?? {}).map(([name, value]) => [
      name,
      readCaseValue(name, value),
    ]),
  );
  const { source, checked, issues } = environment.compile(input.expression);
  if (checked === undefined) {
    const internal = issues.find(({ code }) => code === 'internal');
    if (internal !== undefined) return { failure: internal.message };
    return { issues: issues.map(({ line, column, message }) => ({ line, column, message })) };
  }
  const type = checked.types[checked.expression.id] ?? dynType;
  const program = environment.plan(checked, planOptions);
  if (program instanceof CelError) {
    return { type: formatDeclaredType(type), failure: program.message };
  }
  return { source, program, type, values, costLimit: input.budget || perCallLimit };
}
