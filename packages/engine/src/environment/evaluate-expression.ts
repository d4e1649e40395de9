import { type OptionKind, requireOptions, requireText } from '@kubeadmit/base';
import {
  CelError,
  type EnvironmentOptions,
  formatLiteral,
  type Program,
  type Type,
  type Value,
} from '@kubeadmit/cel';
import type { Source } from '@kubeadmit/cel/syntax';
import { dynType, formatDeclaredType } from '@kubeadmit/cel/types';
import { formatHostLimit, type PlanOptions } from '@kubeadmit/cel/unstable-internal';
import { typeOf } from '@kubeadmit/cel/values';
import { baseEnvironment } from './base-environment.ts';
import { declaredType } from './declared-type.ts';
import { perCallLimit } from './limits.ts';
import { InputError, readVariable } from './variable-value.ts';
import { compatibilityMinor, newestMinor, parseVersion, UnknownVersionError } from './versions.ts';

/** One expression with the values of its variables. */
export interface ExpressionInput {
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

/** The answer to an {@link ExpressionInput}; values and types as text. */
export interface ExpressionAnswer {
  /** The value in CEL's own notation; absent after a failure. */
  readonly result?: string;
  /** The type that was found before evaluation. */
  readonly type?: string;
  /** The type of the value. */
  readonly valueType?: string;
  /** Why there is no value. */
  readonly error?: string;
  /** The cost of the evaluation; the largest 64-bit number if cel-go's count wraps. */
  readonly cost?: number | bigint;
  /** The issues of the expression; absent if it has none. */
  readonly issues?: readonly {
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }[];
  /** The reason why nothing was evaluated: the input is invalid, or a limit of the host was reached. */
  readonly failure?: string;
}

/** An expression ready to be evaluated, any number of times. */
export interface PreparedExpression {
  readonly source: Source;
  readonly program: Program;
  readonly type: Type;
  readonly values: Readonly<Record<string, Value>>;
  readonly costLimit: number;
}

const inputMembers: Readonly<Record<keyof ExpressionInput, OptionKind>> = {
  expression: 'string',
  variables: 'object',
  declarations: 'object',
  kubernetesVersion: 'string',
  budget: 'number',
};

/** Evaluates one expression as kube-apiserver would a new one. Errors of the expression are part of the answer. */
export function evaluateExpression(input: ExpressionInput): ExpressionAnswer {
  requireOptions('evaluateExpression', input, inputMembers);
  requireText('evaluateExpression: `expression`', input.expression);
  try {
    return evaluate(input);
  } catch (problem) {
    const limit = formatHostLimit(problem);
    if (limit !== undefined) return { failure: limit };
    throw problem;
  }
}

function evaluate(input: ExpressionInput): ExpressionAnswer {
  const prepared = prepareExpression(input);
  if (!('program' in prepared)) return prepared;
  const { program, values, costLimit } = prepared;
  const type = formatDeclaredType(prepared.type);
  const { value, cost: counted } = program.evaluate(values, { costLimit });
  const cost = counted < 2 ** 64 ? counted : 2n ** 64n - 1n;
  return value instanceof CelError
    ? { type, error: value.message, cost }
    : { result: formatLiteral(value), type, valueType: typeOf(value).name, cost };
}

/** Compiles an expression and reads the values of its variables, or says why that cannot be done. */
export function prepareExpression(
  input: ExpressionInput,
  options: PlanOptions = {},
): PreparedExpression | ExpressionAnswer {
  try {
    return prepare(input, options);
  } catch (problem) {
    if (problem instanceof InputError || problem instanceof UnknownVersionError) {
      return { failure: problem.message };
    }
    throw problem;
  }
}

function prepare(
  input: ExpressionInput,
  planOptions: PlanOptions,
): PreparedExpression | ExpressionAnswer {
  const server = input.kubernetesVersion ? parseVersion(input.kubernetesVersion) : newestMinor;
  const base = baseEnvironment(compatibilityMinor(server));
  const variables: Record<string, Type> = Object.create(null);
  for (const name of Object.keys(input.variables ?? {})) variables[name] = dynType;
  for (const [name, text] of Object.entries(input.declarations ?? {})) {
    const type = declaredType(text);
    if (type === undefined) {
      throw new InputError(`declaration of ${name}: ${JSON.stringify(text)} is not a type`);
    }
    variables[name] = type;
  }
  const options: EnvironmentOptions = { variables };
  const environment = base.extend(options);
  // Engines read such an object faster than one without a prototype.
  const values: Readonly<Record<string, Value>> = Object.fromEntries(
    Object.entries(input.variables ?? {}).map(([name, value]) => [name, readVariable(name, value)]),
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
