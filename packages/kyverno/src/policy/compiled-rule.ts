import type { JsonObject } from '@kubeadmit/apimachinery';
import type { ComputedRule } from '../autogen/autogen.ts';
import type { RuleObserver } from '../cel/observed-rules.ts';
import { field, listField, objectField } from '../fields/fields.ts';
import { compileGeneration, type Generation, hasGeneration } from '../generate/rule.ts';
import { compileMutation, type Mutation } from '../mutate/rule.ts';
import { compilePodSecurity, type PodSecurityHandler } from '../pod-security/rule.ts';
import { type Rule, readRuleHead } from '../rule/rule.ts';
import { type CelHandler, compileCel } from '../validate/cel.ts';
import { compileLevels, type LevelsHandler } from '../validate/rule.ts';
import { compileImageVerification, type ImageVerification } from '../verify-images/rule.ts';

/** A rule with its handlers, each compiled on first use. */
export interface CompiledRule extends Rule {
  readonly validation: Validation | undefined;
  readonly mutation: Mutation | undefined;
  readonly generation: Generation | undefined;
  readonly images: ImageVerification | undefined;
}

/** The handler of `validate`; the fields of `validate` select it. */
export type Validation = ManifestsHandler | PodSecurityHandler | CelHandler | LevelsHandler;

/** A rule with `validate.manifests`: signatures cannot be verified without keys and a network. */
export interface ManifestsHandler {
  readonly kind: 'manifests';
  readonly source: JsonObject;
}

/** Compiles a rule; an observer receives its CEL evaluations. */
export function compileRule(computed: ComputedRule, observer?: RuleObserver): CompiledRule {
  const { source } = computed;
  const rule = readRuleHead(computed);
  const validate = presentField(source, 'validate', validateFields);
  const mutate = presentField(source, 'mutate', mutateFields);
  const generate = objectField(source, 'generate');
  return {
    ...rule,
    validation: validate && compileValidation(rule, validate, observer),
    mutation: mutate && compileMutation(rule, mutate),
    generation: generate && hasGeneration(generate) ? compileGeneration(generate) : undefined,
    images: compileImageVerification(source),
  };
}

function compileValidation(
  rule: Rule,
  validate: JsonObject,
  observer: RuleObserver | undefined,
): Validation {
  const manifests = objectField(validate, 'manifests');
  if (manifests !== undefined && listField(manifests, 'attestors').length > 0) {
    return { kind: 'manifests', source: validate };
  }
  if (presentField(validate, 'podSecurity', podSecurityFields)) return compilePodSecurity(validate);
  return presentField(validate, 'cel', celFields)
    ? compileCel(rule, validate, observer)
    : compileLevels(validate);
}

const mutateFields: readonly string[] = [
  ...['targets', 'foreach', 'patchStrategicMerge', 'patchesJson6902'],
  'mutateExistingOnPolicyUpdate',
];
const validateFields: readonly string[] = [
  ...['message', 'failureAction', 'failureActionOverrides', 'allowExistingViolations', 'manifests'],
  ...['foreach', 'pattern', 'anyPattern', 'deny', 'podSecurity', 'cel', 'assert'],
];
const podSecurityFields: readonly string[] = ['level', 'version', 'exclude'];
const celFields: readonly string[] = [
  ...['generate', 'expressions', 'paramKind', 'paramRef', 'auditAnnotations', 'variables'],
];

/** A part of a rule that says something: other fields than these are not in Go's type. */
function presentField(
  source: JsonObject,
  name: string,
  fields: readonly string[],
): JsonObject | undefined {
  const value = objectField(source, name);
  if (value === undefined) return undefined;
  const isPresent = fields.some((key) => {
    const said = field(value, key);
    return said !== undefined && said !== null && said !== '';
  });
  return isPresent ? value : undefined;
}
