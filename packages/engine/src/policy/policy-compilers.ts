import { getOrMake } from '@kubeadmit/base';
import {
  CelError,
  formatIssues,
  type Library,
  type Program,
  type StructProvider,
  type Type,
  type Value,
} from '@kubeadmit/cel';
import {
  anyType,
  boolType,
  dynType,
  isSameType,
  listOf,
  mapOf,
  nullType,
  stringType,
} from '@kubeadmit/cel/types';
import type { CheckedExpression, ValueEnvironment } from '@kubeadmit/cel/unstable-internal';
import { baseEnvironment } from '../environment/base-environment.ts';
import { perCallLimit } from '../environment/limits.ts';
import {
  joinStructs,
  namespaceType,
  requestStructs,
  requestType,
} from '../environment/request-structs.ts';
import { compatibilityMinor, newestMinor } from '../environment/versions.ts';
import { authorizerType, resourceCheckType } from '../libraries/authorizer.ts';
import { jsonPatchLibrary } from '../libraries/json-patch.ts';
import { type EvaluationWithValues, evaluateObserved } from './evaluate-observed.ts';
import type {
  ExpressionChecker,
  ExpressionCheckers,
  ExpressionEnvironment,
  ExpressionHome,
  ExpressionProblem,
  ExpressionRequest,
  ExpressionResult,
  ExpressionScope,
} from './expression.ts';
import { variablesType } from './lazy-variables.ts';
import { jsonPatchType, objectType, patchTypes, unknownFieldType } from './patch-types.ts';
import type { CompiledExpression, PolicyCompiler, PolicyProgram } from './program.ts';

const resultTypes: Readonly<Record<ExpressionResult, readonly Type[]>> = {
  any: [anyType],
  bool: [boolType],
  string: [stringType],
  stringOrNull: [stringType, nullType],
  object: [objectType],
  jsonPatch: [listOf(jsonPatchType)],
};

/** The types of a policy's variables that are declared so far, by name. */
export type VariableTypes = Map<string, Type>;

/** A recorded evaluation of an expression, with the values of its parts. */
export interface ObservedEvaluation extends EvaluationWithValues {
  /** The position of the expression; absent for one that was compiled alone. */
  readonly home?: ExpressionHome | undefined;
  /** The value of `params` during the evaluation. */
  readonly parameter?: Value | undefined;
}

/** Receives every evaluation of a policy's expressions, variables before the expressions that read them. */
export interface ObserveEvaluation {
  /** Receives an evaluation. */
  (evaluation: ObservedEvaluation): void;
  /**
   * Whether to observe the next evaluation, called each time (default: always). Evaluations that are not observed
   * take no longer.
   */
  readonly wants?: ((home: ExpressionHome | undefined) => boolean) | undefined;
}

/**
 * Makes compilers for policies. They share environments: one for each set of declarations, made when it is first
 * needed (apiserver plugin/cel/compile.go).
 */
export class PolicyCompilers implements ExpressionCheckers {
  /** A checker without `variables`. */
  readonly plain: ExpressionChecker = new Compiler(this, undefined);
  readonly #serverMinor: number;
  readonly code: number;
  readonly observe: ObserveEvaluation | undefined;
  readonly #libraries: readonly Library[];
  readonly #made: Map<string, ValueEnvironment> = new Map();
  // INVARIANT: the argument of the last `compile`; environments read it only while they compile.
  #variables: VariableTypes | undefined;

  /**
   * @param serverMinor the minor version of the server, which decides what new expressions may use.
   * @param libraries additional libraries.
   * @param observe receives every evaluation; evaluations then take longer.
   * @param code the minor version of the server's code (default: the newest).
   */
  constructor(
    serverMinor: number,
    libraries: readonly Library[] = [],
    observe?: ObserveEvaluation,
    code: number = newestMinor,
  ) {
    this.#serverMinor = serverMinor;
    this.code = code;
    this.#libraries = libraries;
    this.observe = observe;
  }

  /** A new compiler with `variables`, for one policy. */
  composing(): PolicyCompiler {
    return new Compiler(this, new Map());
  }

  /** Parses and checks an expression with the variables that are declared so far; without any for `undefined`. */
  compile(
    { expression, environment: mode, scope }: Omit<ExpressionRequest, 'result'>,
    variables: VariableTypes | undefined,
  ): CompiledIn {
    const environment = this.#environment(mode, scope, variables !== undefined);
    this.#variables = variables;
    const compiled = environment.compile(expression);
    this.#variables = undefined;
    return { environment, compiled };
  }

  #environment(
    mode: ExpressionEnvironment,
    scope: ExpressionScope,
    hasVariables: boolean,
  ): ValueEnvironment {
    const key = [mode, scope.params, scope.authorizer, scope.patchTypes, hasVariables].join();
    return getOrMake(this.#made, key, () => this.#make(mode, scope, hasVariables));
  }

  #make(
    mode: ExpressionEnvironment,
    scope: ExpressionScope,
    hasVariables: boolean,
  ): ValueEnvironment {
    const minor = mode === 'new' ? compatibilityMinor(this.#serverMinor) : undefined;
    const providers: StructProvider[] = [requestStructs];
    if (scope.patchTypes) providers.push(patchTypes);
    if (hasVariables) {
      providers.push({
        has: (name) => name === variablesType.name,
        fieldType: (_name, field) => this.#variables?.get(field),
      });
    }
    return baseEnvironment(minor, this.code).extend({
      structs: joinStructs(...providers),
      libraries: [...(scope.patchTypes ? [jsonPatchLibrary] : []), ...this.#libraries],
      variables: {
        object: dynType,
        oldObject: dynType,
        namespaceObject: namespaceType,
        request: requestType,
        ...(scope.params ? { params: dynType } : {}),
        ...(scope.authorizer
          ? {
              authorizer: authorizerType,
              'authorizer.requestResource': resourceCheckType,
            }
          : {}),
        ...(hasVariables ? { variables: variablesType } : {}),
      },
    });
  }
}

interface CompiledIn {
  readonly environment: ValueEnvironment;
  readonly compiled: ReturnType<ValueEnvironment['compile']>;
}

class Compiler implements PolicyCompiler {
  readonly #compilers: PolicyCompilers;
  /** The variables declared so far; `undefined` for a compiler without them. */
  readonly #variables: VariableTypes | undefined;

  constructor(compilers: PolicyCompilers, variables: VariableTypes | undefined) {
    this.#compilers = compilers;
    this.#variables = variables;
  }

  check(request: ExpressionRequest): ExpressionProblem | undefined {
    return this.compile(request).problem;
  }

  define(name: string, request: ExpressionRequest): ExpressionProblem | undefined {
    return this.compileVariable(name, request).problem;
  }

  compile(request: ExpressionRequest): CompiledExpression {
    return this.#compiled(request, this.#plan(request));
  }

  compileVariable(name: string, request: ExpressionRequest): CompiledExpression {
    const planned = this.#plan(request);
    this.#variables?.set(name, 'detail' in planned ? dynType : declarable(planned.program.type));
    return this.#compiled(request, planned);
  }

  #compiled(
    { expression, home }: ExpressionRequest,
    planned: Planned | ExpressionProblem,
  ): CompiledExpression {
    if ('detail' in planned) return { expression, problem: planned };
    const { program } = planned;
    const { observe } = this.#compilers;
    if (observe !== undefined) {
      return { expression, program: observedProgram(planned, home, observe) };
    }
    return {
      expression,
      program: {
        readsVariables: readsVariables(program),
        isConstant: program.variables.length === 0,
        evaluate: (variables, formOf) => program.evaluate(variables, limits, formOf),
      },
    };
  }

  #plan(request: ExpressionRequest): Planned | ExpressionProblem {
    const { scope, result, tellsSums = false } = request;
    const { environment, compiled } = this.#compilers.compile(request, this.#variables);
    const { checked, issues, source } = compiled;
    if (checked === undefined) {
      return { type: 'invalid', detail: `compilation failed: ${formatIssues(source, issues)}` };
    }
    const type = checked.types[checked.expression.id] ?? dynType;
    const wanted = resultTypes[result];
    if (result !== 'any' && !wanted.some((each) => isSameType(each, type))) {
      const expected = wanted.length === 1 ? `${wanted[0]}` : `one of [${wanted.join(' ')}]`;
      return { type: 'invalid', detail: `must evaluate to ${expected} but got ${type}` };
    }
    if (scope.patchTypes && checked.types.includes(unknownFieldType)) {
      const reason = `missing type conversion to proto: ${unknownFieldType}`;
      return { type: 'internal', detail: `unexpected compilation error: ${reason}` };
    }
    const { observe } = this.#compilers;
    const isAlwaysObserved = observe !== undefined && observe.wants === undefined;
    const options = { observe: isAlwaysObserved, tellsSums: tellsSums || scope.patchTypes };
    const program = environment.plan(checked, options);
    if (program instanceof CelError) {
      return { type: 'internal', detail: `program instantiation failed: ${program.message}` };
    }
    let observed = isAlwaysObserved ? program : undefined;
    return {
      program,
      checked,
      observed: () => {
        // INVARIANT: a program that can be planned can also be planned with observation.
        observed ??= environment.plan(checked, { ...options, observe: true }) as Program;
        return observed;
      },
    };
  }
}

interface Planned {
  readonly program: Program;
  readonly checked: CheckedExpression;
  /** The program that reports inner values, planned on first use. */
  readonly observed: () => Program;
}

const limits = { costLimit: perCallLimit };

function readsVariables({ variables }: Program): boolean {
  return variables.includes('variables');
}

function observedProgram(
  { program, checked, observed }: Planned,
  home: ExpressionHome | undefined,
  observe: ObserveEvaluation,
): PolicyProgram {
  return {
    readsVariables: readsVariables(program),
    evaluate: (variables, formOf) => {
      if (observe.wants?.(home) === false) {
        return program.evaluate(variables, limits, formOf);
      }
      const evaluation = evaluateObserved(observed(), checked, variables, limits, formOf);
      observe({ ...evaluation, home, parameter: variables('params') });
      return evaluation;
    },
  };
}

// Lists, maps and simple types keep their type as fields of `variables`, others become dyn.
/** The type with which a variable is declared, as a field of `variables`. */
export function declarable(type: Type): Type {
  switch (type.kind) {
    case 'list':
      return listOf(declarable(type.parameters[0] ?? dynType));
    case 'map':
      return mapOf(
        declarable(type.parameters[0] ?? dynType),
        declarable(type.parameters[1] ?? dynType),
      );
    case 'struct':
    case 'opaque':
    case 'type':
    case 'param':
    case 'error':
    case 'function':
      return dynType;
    default:
      return type.nullable ? dynType : type;
  }
}
