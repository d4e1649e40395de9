import { type JsonObject, memberObject } from '@kubeadmit/apimachinery';
import { requireKind } from '@kubeadmit/apimachinery/unstable-internal';
import { requireOptions, requireValue } from '@kubeadmit/base';
import type { Type } from '@kubeadmit/cel';
import type { ObserveEvaluation } from '@kubeadmit/engine';
import type { CompiledMatch } from '@kubeadmit/matcher';
import { asWritten } from '../autogen/template-place.ts';
import { objectField, objectsField, stringField } from '../fields/fields.ts';
import type { RuleType } from '../trace/rule-result.ts';
import {
  type AuthorizationMode,
  authorizationEnvironment,
  isAuthorizationMode,
  modeMessages,
} from './authorization-environment.ts';
import { generateMutating, generateValidating } from './autogen.ts';
import {
  type CelProgram,
  type CompiledValidation,
  type CompileProblem,
  ExpressionCompiler,
} from './compile-expressions.ts';
import { type CompiledGeneration, compileGenerations } from './compile-generations.ts';
import {
  type CompiledImages,
  compileExtractors,
  compileImages,
  compileReferences,
} from './compile-images.ts';
import {
  type CompiledMutation,
  type CompiledTargets,
  compileMutations,
  compileTargets,
} from './compile-mutations.ts';
import { compileConstraints } from './constraints.ts';
import { policyEnvironment } from './environment.ts';
import type { CelException, CompiledCelException } from './exceptions.ts';
import type { Clock } from './libraries/time.ts';
import { refusalsOf } from './refusals.ts';

/** One spec of a policy: the one that was written, or one that is generated for pod controllers. */
export interface CompiledSpec {
  /** As it was written or generated. */
  readonly source: JsonObject;
  /** Returns the original source of an expression. */
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
  readonly generations: readonly CompiledGeneration[];
  readonly auditAnnotations: ReadonlyMap<string, CelProgram>;
  /** Undefined where existing objects are left alone. */
  readonly targets: CompiledTargets | undefined;
  readonly exceptions: readonly CompiledCelException[];
  /** Undefined for policies that verify no images. */
  readonly images: CompiledImages | undefined;
}

/** A policy of `policies.kyverno.io` ready to be evaluated. */
export interface CelPolicy {
  /** Its `metadata.name`. */
  readonly name: string;
  /** The namespace of a Namespaced… policy, which applies to no other; empty for other policies. */
  readonly namespace: string;
  /** Such as `ValidatingPolicy`. */
  readonly kind: string;
  /** The effect of the policy. */
  readonly type: RuleType;
  /** `Kubernetes`, `JSON` for any JSON object, or `HTTP` and `Envoy` for requests to services. */
  readonly mode: string;
  /** The actions of a failed validation: `Deny`, `Audit` and `Warn`. */
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

/** The types of policies by their kinds, without the prefix of namespaced kinds. */
const typesOfKinds: ReadonlyMap<string, RuleType> = new Map([
  ['ValidatingPolicy', 'Validation'],
  ['MutatingPolicy', 'Mutation'],
  ['GeneratingPolicy', 'Generation'],
  ['DeletingPolicy', 'Deletion'],
  ['ImageValidatingPolicy', 'ImageVerify'],
]);

const celKinds = [...typesOfKinds.keys()].flatMap((kind) => [kind, `Namespaced${kind}`]);

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
  requireValue(`${call}: \`clock\``, options.clock, 'function', 'a function that returns the time');
}

/**
 * Compiles a ValidatingPolicy, MutatingPolicy, GeneratingPolicy, DeletingPolicy or ImageValidatingPolicy, or the
 * namespaced form of one.
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
  const type = typesOfKinds.get(kind.replace(/^Namespaced/, '')) ?? 'Validation';
  const namespace = kind.startsWith('Namespaced') ? stringField(metadata, 'namespace') : '';
  const evaluation = objectField(spec, 'evaluation') ?? {};
  const mode = stringField(evaluation, 'mode') || 'Kubernetes';
  // Kyverno's CLI applies each exception to each policy that generates.
  const appliesToAll = type === 'Generation' && options.ignoresExpiry === true;
  const exceptions = (options.exceptions ?? []).filter(
    ({ policies }) =>
      appliesToAll || policies.some((policy) => policy.kind === kind && policy.name === name),
  );
  const authorization = type === 'Validation' && isAuthorizationMode(mode) ? mode : undefined;
  const setting = { ...options, namespace, type, exceptions, authorization };
  const isGenerated = mode !== 'JSON' && authorization === undefined;
  const compiled = [
    compileSpec(spec, (expression) => expression, setting),
    ...(isGenerated ? generatedSpecs(type, spec) : []).map((one) =>
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
    type,
    mode,
    actions: actions.length > 0 ? actions : ['Deny'],
    specs: compiled.map(({ spec: one }) => one),
    problems,
    refusals: refusalsOf({ type, mode, spec, namespace, names: compiled[0]?.names ?? new Set() }),
  };
}

/** The specs that Kyverno generates for pod controllers. */
function generatedSpecs(type: RuleType, spec: JsonObject): ReturnType<typeof generateValidating> {
  if (type === 'Validation' || type === 'ImageVerify') return generateValidating(spec);
  return type === 'Mutation' ? generateMutating(spec) : [];
}

function objectActions(spec: JsonObject): readonly string[] {
  const actions = spec['validationActions'];
  return Array.isArray(actions) ? actions.map(String) : [];
}

interface SpecSetting extends CompileOptions {
  readonly namespace: string;
  readonly type: RuleType;
  readonly exceptions: readonly CelException[];
  /** The mode of a policy about requests to services; undefined for every other policy. */
  readonly authorization: AuthorizationMode | undefined;
}

function compileSpec(
  spec: JsonObject,
  written: CompiledSpec['asWritten'],
  { namespace, type, exceptions, authorization, ignoresExpiry, clock, observe }: SpecSetting,
): {
  readonly spec: CompiledSpec;
  readonly problems: readonly CompileProblem[];
  readonly names: ReadonlySet<string>;
} {
  const types = new Map<string, Type>();
  const compiler = new ExpressionCompiler(
    authorization === undefined
      ? policyEnvironment(type, namespace, clock, types)
      : authorizationEnvironment(authorization, clock, types),
    spec,
    observe,
  );
  // Match conditions of policies that validate or generate are compiled before there are variables.
  const verifies = type === 'ImageVerify';
  const isEarly = type === 'Validation' || type === 'Generation' || verifies;
  const early = isEarly ? compiler.conditions(spec, 'matchConditions') : [];
  const selected = verifies ? compileReferences(spec, observe) : undefined;
  const extractors = selected && compileExtractors(spec, compiler);
  const variables = compiler.variables(spec, types);
  const conditionsField = type === 'Deletion' ? 'conditions' : 'matchConditions';
  const matchConditions = isEarly ? early : compiler.conditions(spec, conditionsField);
  const constraints = objectField(spec, 'matchConstraints');
  const targets = type === 'Mutation' ? compileTargets(spec, compiler) : undefined;
  const operations = type === 'Deletion' ? ['*'] : undefined;
  const images =
    selected &&
    extractors &&
    compileImages(spec, compiler, { references: selected.references, extractors });
  const compiled: CompiledSpec = {
    source: spec,
    asWritten: written,
    match: constraints && compileConstraints(constraints, operations),
    isSilent: constraints !== undefined && isSimple(constraints),
    failurePolicy: stringField(spec, 'failurePolicy') || 'Fail',
    matchConditions,
    variables,
    validations:
      type === 'Validation' || verifies ? compileValidations(spec, compiler, authorization) : [],
    mutations: type === 'Mutation' ? compileMutations(spec, compiler) : [],
    generations: type === 'Generation' ? compileGenerations(spec, compiler) : [],
    auditAnnotations: compiler.auditAnnotations(spec),
    targets,
    images,
    exceptions: exceptions.map((exception) => ({
      exception,
      conditions: compiler.conditions(exception.spec, 'matchConditions'),
      // Kyverno's background controller, which generates, ignores `expiresAt` as its CLI does.
      isExpired: () =>
        ignoresExpiry !== true &&
        type !== 'Generation' &&
        exception.expiresAt !== undefined &&
        clock() > exception.expiresAt,
    })),
  };
  const problems = [...compiler.problems, ...(selected?.problems ?? [])];
  return { spec: compiled, problems, names: compiler.names };
}

/** The validations of a policy: conditions, or responses to requests to services. */
function compileValidations(
  spec: JsonObject,
  compiler: ExpressionCompiler,
  authorization: AuthorizationMode | undefined,
): readonly CompiledValidation[] {
  return authorization === undefined
    ? compiler.validations(spec)
    : compiler.responses(spec, modeMessages[authorization].response);
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
