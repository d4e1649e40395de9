import type { JsonObject } from '@kubeadmit/apimachinery';
import { memberObject, requireKind } from '@kubeadmit/apimachinery/internal';
import type { Type } from '@kubeadmit/cel';
import { isSameType, listOf } from '@kubeadmit/cel/internal';
import { jsonPatchType, type ObserveEvaluation, objectType } from '@kubeadmit/engine/internal';
import { requireOptions, requireValue } from '@kubeadmit/go/internal';
import type { CompiledMatch } from '@kubeadmit/matcher';
import { asWritten } from '../autogen/template-place.ts';
import { objectField, objectsField, stringField } from '../policy/fields.ts';
import { generateMutating, generateValidating } from './autogen.ts';
import {
  type CelProgram,
  type CompiledValidation,
  type CompileProblem,
  ExpressionCompiler,
} from './compile-expressions.ts';
import { compileConstraints } from './constraints.ts';
import { policyEnvironment } from './environment.ts';
import type { CelException, CompiledCelException } from './exceptions.ts';
import { resourceObjectType } from './libraries/resource.ts';
import type { Clock } from './libraries/time.ts';
import type { PatchType } from './patch.ts';

/** One spec of a policy: the one that was written, or one that is generated for pod controllers. */
export interface CompiledSpec {
  /** As it was written or generated. */
  readonly source: JsonObject;
  /** Gives an expression of it in the words of the spec that was written. */
  readonly asWritten: (expression: string) => string;
  /** Undefined where the spec has no `matchConstraints`, and so matches nothing. */
  readonly match: CompiledMatch | undefined;
  /** Whether a single rule selects objects: then objects that do not match have no result. */
  readonly isSilent: boolean;
  readonly failurePolicy: string;
  readonly matchConditions: readonly CelProgram[];
  readonly variables: ReadonlyMap<string, CelProgram>;
  readonly validations: readonly CompiledValidation[];
  readonly mutations: readonly CompiledMutation[];
  readonly auditAnnotations: ReadonlyMap<string, CelProgram>;
  /** Undefined where existing objects are left alone. */
  readonly targets: CompiledTargets | undefined;
  readonly exceptions: readonly CompiledCelException[];
}

/** The existing objects that a MutatingPolicy changes (`spec.evaluation.mutateExisting`). */
export interface CompiledTargets {
  /** Chooses them where no expression names them; undefined chooses none. */
  readonly match: CompiledMatch | undefined;
  /** Gives one of them, or a list of them as `items`. */
  readonly expression: CelProgram | undefined;
  readonly conditions: readonly CelProgram[];
}

/** A mutation of a MutatingPolicy. */
export interface CompiledMutation {
  readonly type: PatchType;
  readonly program: CelProgram;
}

/** A ValidatingPolicy or MutatingPolicy ready to be evaluated. */
export interface CelPolicy {
  /** Its `metadata.name`. */
  readonly name: string;
  /** The namespace of a Namespaced… policy, which concerns nothing else. */
  readonly namespace: string;
  /** Such as `ValidatingPolicy`. */
  readonly kind: string;
  /** Whether it changes objects. */
  readonly isMutating: boolean;
  /** `Kubernetes`, or `JSON` for any JSON object; other modes are not evaluated. */
  readonly mode: string;
  /** `Deny`, `Audit` and `Warn`: what a failed validation does. */
  readonly actions: readonly string[];
  /** Its own, and those that are generated for pod controllers. */
  readonly specs: readonly CompiledSpec[];
  /** Compilation errors: such a policy is an error for every object. */
  readonly problems: readonly CompileProblem[];
  /** Why Kyverno refuses to store the policy although it compiles. */
  readonly refusals: readonly CompileProblem[];
}

/** The context of compiling policies. */
export interface CompileOptions {
  readonly exceptions?: readonly CelException[];
  /** Whether expired exceptions still apply, as in Kyverno's CLI; default false, as in a cluster. */
  readonly ignoresExpiry?: boolean | undefined;
  /** Answers `time.now()`. */
  readonly clock: Clock;
  /** Receives every evaluation of an expression; evaluations then take longer. */
  readonly observe?: ObserveEvaluation | undefined;
}

const celKinds = [
  'ValidatingPolicy',
  'MutatingPolicy',
  'NamespacedValidatingPolicy',
  'NamespacedMutatingPolicy',
];

/**
 * Requires the options of policies in CEL.
 *
 * @throws TypeError when they are something else, or there is no clock
 */
export function requireCompileOptions(call: string, options: CompileOptions): void {
  requireOptions(call, options, {
    exceptions: 'list',
    ignoresExpiry: 'boolean',
    clock: 'function',
    observe: 'function',
  });
  requireValue(`${call}: \`clock\``, options.clock, 'function', 'a function that gives the time');
}

/**
 * Compiles a ValidatingPolicy, a MutatingPolicy, or the namespaced form of one.
 *
 * @throws TypeError for any other object
 */
export function compileCelPolicy(source: JsonObject, options: CompileOptions): CelPolicy {
  requireKind('compileCelPolicy', source, celKinds);
  requireCompileOptions('compileCelPolicy', options);
  const kind = stringField(source, 'kind');
  const metadata = memberObject(source, 'metadata');
  const name = stringField(metadata, 'name');
  const spec = objectField(source, 'spec') ?? {};
  const isMutating = kind.endsWith('MutatingPolicy');
  const namespace = kind.startsWith('Namespaced') ? stringField(metadata, 'namespace') : '';
  const evaluation = objectField(spec, 'evaluation') ?? {};
  const mode = stringField(evaluation, 'mode') || 'Kubernetes';
  const exceptions = (options.exceptions ?? []).filter(({ policies }) =>
    policies.some((policy) => policy.kind === kind && policy.name === name),
  );
  const generated = isMutating ? generateMutating(spec) : generateValidating(spec);
  const setting = { ...options, namespace, isMutating, exceptions };
  const compiled = [
    compileSpec(spec, (expression) => expression, setting),
    ...(mode === 'JSON' ? [] : generated).map((one) =>
      compileSpec(one.spec, (expression) => asWritten(expression, one.place), setting),
    ),
  ];
  const problems = compiled[0]?.problems.length
    ? compiled[0].problems
    : compiled.flatMap((one) => one.problems);
  const actions = objectActions(spec);
  return {
    name,
    namespace,
    kind,
    isMutating,
    mode,
    actions: actions.length > 0 ? actions : ['Deny'],
    specs: compiled.map(({ spec: one }) => one),
    problems,
    refusals: namespace === '' ? [] : foreignNames(compiled[0]?.names ?? new Set()),
  };
}

/**
 * Reports names that policies of a namespace must not use, because they reach beyond the namespace (Kyverno's
 * `Validate`).
 */
function foreignNames(names: ReadonlySet<string>): readonly CompileProblem[] {
  const forbidden = [
    ['globalContext', 'globalContext.* is not allowed in namespaced policies'],
    [
      'http',
      'http.* is not allowed in namespaced policies; set --allowHTTPInNamespacedPolicies to enable',
    ],
  ] as const;
  return forbidden
    .filter(([name]) => names.has(name))
    .map(([, reason]) => ({ path: 'spec', message: `spec: Forbidden: ${reason}` }));
}

function objectActions(spec: JsonObject): readonly string[] {
  const actions = spec['validationActions'];
  return Array.isArray(actions) ? actions.map(String) : [];
}

interface SpecSetting extends CompileOptions {
  readonly namespace: string;
  readonly isMutating: boolean;
  readonly exceptions: readonly CelException[];
}

function compileSpec(
  spec: JsonObject,
  written: CompiledSpec['asWritten'],
  { namespace, isMutating, exceptions, ignoresExpiry, clock, observe }: SpecSetting,
): {
  readonly spec: CompiledSpec;
  readonly problems: readonly CompileProblem[];
  readonly names: ReadonlySet<string>;
} {
  const types = new Map<string, Type>();
  const compiler = new ExpressionCompiler(
    policyEnvironment(namespace, clock, types),
    spec,
    observe,
  );
  // Match conditions of validating policies are compiled before there are variables.
  const early = isMutating ? [] : compiler.conditions(spec, 'matchConditions');
  const variables = compiler.variables(spec, types);
  const matchConditions = isMutating ? compiler.conditions(spec, 'matchConditions') : early;
  const constraints = objectField(spec, 'matchConstraints');
  const targets = isMutating ? compileTargets(spec, compiler) : undefined;
  const compiled: CompiledSpec = {
    source: spec,
    asWritten: written,
    match: constraints && compileConstraints(constraints),
    isSilent: constraints !== undefined && isSimple(constraints),
    failurePolicy: stringField(spec, 'failurePolicy') || 'Fail',
    matchConditions,
    variables,
    validations: compiler.validations(spec),
    mutations: isMutating ? compileMutations(spec, compiler) : [],
    auditAnnotations: compiler.auditAnnotations(spec),
    targets,
    exceptions: exceptions.map((exception) => ({
      exception,
      conditions: compiler.conditions(exception.spec, 'matchConditions'),
      isExpired: () =>
        ignoresExpiry !== true &&
        exception.expiresAt !== undefined &&
        clock() > exception.expiresAt,
    })),
  };
  return { spec: compiled, problems: compiler.problems, names: compiler.names };
}

/** Of the constraints everything counts but the operations. */
function compileTargets(
  spec: JsonObject,
  compiler: ExpressionCompiler,
): CompiledTargets | undefined {
  const own = objectField(spec, 'targetMatchConstraints') ?? {};
  const expression = compileTargetExpression(stringField(own, 'expression'), compiler);
  const conditions = compiler.conditions(spec, 'targetMatchConditions');
  const existing = objectField(objectField(spec, 'evaluation') ?? {}, 'mutateExisting') ?? {};
  if (existing['enabled'] !== true) return undefined;
  const hasRules = objectsField(own, 'resourceRules').length > 0;
  const constraints = hasRules ? own : objectField(spec, 'matchConstraints');
  const match = constraints && compileConstraints(constraints, ['*']);
  return { match, expression, conditions };
}

function compileTargetExpression(
  expression: string,
  compiler: ExpressionCompiler,
): CelProgram | undefined {
  if (expression === '') return undefined;
  const path = 'spec.targetMatchConstraints.expression';
  const program = compiler.compile(expression, path);
  if (program === undefined || isSameType(program.type, resourceObjectType)) return program;
  compiler.report(path, expression, 'output type must be a map');
  return undefined;
}

/** Whether constraints are one rule without names, and nothing else (the Kyverno CLI's `hasSelector`). */
function isSimple(constraints: JsonObject): boolean {
  const selects = (name: string): boolean => {
    const selector = objectField(constraints, name) ?? {};
    return (
      Object.keys(objectField(selector, 'matchLabels') ?? {}).length > 0 ||
      objectsField(selector, 'matchExpressions').length > 0
    );
  };
  if (selects('namespaceSelector') || selects('objectSelector')) return false;
  if (objectsField(constraints, 'excludeResourceRules').length > 0) return false;
  const [rule, ...others] = objectsField(constraints, 'resourceRules');
  if (rule === undefined || others.length > 0) return false;
  const names = rule['resourceNames'];
  return !Array.isArray(names) || names.length === 0;
}

function compileMutations(
  spec: JsonObject,
  compiler: ExpressionCompiler,
): readonly CompiledMutation[] {
  return objectsField(spec, 'mutations').flatMap((mutation, index): CompiledMutation[] => {
    const path = `spec.mutations[${index}]`;
    const type = stringField(mutation, 'patchType');
    const [field, result] =
      type === 'JSONPatch'
        ? ['jsonPatch', listOf(jsonPatchType)]
        : ['applyConfiguration', objectType];
    const patch = objectField(mutation, field);
    if (patch === undefined || (type !== 'JSONPatch' && type !== 'ApplyConfiguration')) return [];
    const expression = stringField(patch, 'expression');
    const program = compiler.compile(expression, `${path}.${field}.expression`, [result]);
    return program === undefined ? [] : [{ type, program }];
  });
}
