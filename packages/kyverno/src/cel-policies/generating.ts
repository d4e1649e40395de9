import type { JsonObject } from '@kubeadmit/apimachinery';
import { CelError } from '@kubeadmit/cel';
import { quote } from '@kubeadmit/go';
import { metadataText } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { requireCelArguments } from './arguments.ts';
import { auditAnnotationsOf, prepare } from './evaluate.ts';
import { GeneratedObjects, type GenerationPlace } from './generated-objects.ts';
import type { Template } from './generation-template.ts';
import { GeneratorValue } from './libraries/generator.ts';
import type { CelPolicy, CompiledSpec } from './policy.ts';
import {
  type CelRequest,
  type CelResult,
  matchesConstraints,
  matchesRequest,
  policyBindings,
} from './request.ts';
import { brokenPolicy } from './validating.ts';
import type { Lookup } from './variables.ts';

/** The result of a GeneratingPolicy for a request, and the objects that it generates. */
export interface GeneratingResponse {
  readonly result: CelResult;
  readonly generated: readonly JsonObject[];
}

/**
 * Evaluates a GeneratingPolicy for a request. Returns `undefined` if the policy does not match it.
 *
 * @throws TypeError if the policy was not created by `compileCelPolicy`, or the request is invalid
 */
export function generateForRequest(
  policy: CelPolicy,
  request: CelRequest,
  place: GenerationPlace,
): GeneratingResponse | undefined {
  requireCelArguments('generateForRequest', policy, request);
  const { kind, name, namespace } = policy;
  request.trace?.policy({ kind, policy: name, namespace, type: 'Generation' });
  const response = (status: 'pass' | 'error', message: string): GeneratingResponse => ({
    result: { rule: name, status, message },
    generated: [],
  });
  const broken = brokenPolicy(policy);
  if (broken !== undefined) return response('error', broken.message);
  const [spec] = policy.specs;
  if (spec === undefined) return undefined;
  const matches = matchesPlace(policy, spec, request, place);
  if (typeof matches === 'string') {
    return response('error', `failed to execute matching: ${matches}`);
  }
  if (!matches) return undefined;
  const generated = new GeneratedObjects(policy, request, place);
  const generator = new GeneratorValue((target, objects) => generated.generate(target, objects));
  const prepared = prepare(policy, spec, { ...policyBindings(request, false), generator });
  if (prepared.outcome === 'unmatched') return undefined;
  if (prepared.outcome === 'decided') {
    const { result } = prepared;
    const isExempted = result.rule === 'exception';
    return { result: isExempted ? result : { ...result, rule: name }, generated: [] };
  }
  const problem = generate(policy, spec, prepared.lookup, generated);
  if (problem !== undefined) return response('error', `failed to evaluate policy: ${problem}`);
  const { result } = response('pass', 'policy evaluated successfully');
  return { result, generated: generated.objects };
}

/**
 * Whether a spec matches a request: Kyverno reads the namespace from the new object, and its CLI applies policies of a
 * namespace to objects of all.
 */
function matchesPlace(
  policy: CelPolicy,
  spec: CompiledSpec,
  request: CelRequest,
  { form }: GenerationPlace,
): boolean | string {
  if (form === 'cluster') return matchesRequest(policy, spec, request);
  const { attributes } = request;
  const asked =
    attributes.object === null
      ? { ...request, attributes: { ...attributes, namespace: '' } }
      : request;
  return spec.match === undefined ? false : matchesConstraints(spec.match, asked);
}

/** Evaluates the generations of a spec, and then its audit annotations; returns the first error. */
function generate(
  policy: CelPolicy,
  spec: CompiledSpec,
  lookup: Lookup,
  generated: GeneratedObjects,
): string | undefined {
  for (const generation of spec.generations) {
    if ('template' in generation) {
      const problem = applyTemplate(policy, generation.template, lookup, generated);
      if (problem !== undefined) return problem;
      continue;
    }
    const { value } = generation.program.evaluate(lookup);
    if (value instanceof CelError) return value.message;
  }
  const annotations = auditAnnotationsOf(spec, lookup, quote);
  return typeof annotations === 'string' ? annotations : undefined;
}

function applyTemplate(
  { namespace: own }: CelPolicy,
  template: Template,
  lookup: Lookup,
  generated: GeneratedObjects,
): string | undefined {
  const objects = template.render((program) => program.evaluate(lookup).value);
  if (objects instanceof Failure) return `failed to render generation template: ${objects.message}`;
  const byNamespace = new Map<string, JsonObject[]>();
  for (const object of objects) {
    const namespace = metadataText(object, 'namespace') || own;
    if (own !== '' && namespace !== own) {
      return `cross-namespace generation denied: a policy in namespace ${quote(own)} cannot generate resources into namespace ${quote(namespace)}`;
    }
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), object]);
  }
  for (const [namespace, group] of byNamespace) {
    const problem = generated.generate(namespace, group);
    if (problem !== undefined) return `failed to generate resources: ${problem}`;
  }
  return undefined;
}
