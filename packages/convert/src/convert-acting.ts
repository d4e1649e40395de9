import { type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { convertCleanup } from './acting/cleanup.ts';
import { convertGeneration } from './acting/generation.ts';
import { convertImages } from './acting/images.ts';
import { refuseBroken } from './acting/refuse-broken.ts';
import {
  type Conversion,
  type ConvertOptions,
  type Made,
  nothingOf,
  reasonOf,
  reportOf,
  statusOf,
} from './conversion.ts';
import { Unsupported } from './notes/unsupported.ts';
import { actionOf } from './policy/action.ts';
import { failurePolicyOf } from './policy/failure-policy.ts';
import { boundedName, namesOf, titleOf } from './policy/names.ts';
import { type Frame, generatingPolicy, policyObjects, type Target } from './policy/output.ts';

/** Refuses parts for which only Kyverno has policies in CEL; `kind` is theirs. */
function requireKyverno(target: Target | undefined, problem: string, kind: string): void {
  if (target === 'kyverno') return;
  throw new Unsupported(problem, `convert to ${kind} of Kyverno (\`--to kyverno\`)`);
}

interface RuleOptions extends ConvertOptions {
  readonly exceptions: readonly unknown[];
}

/** Converts a rule that generates objects. */
export function generating(
  rule: JsonObject,
  frame: Pick<Frame, 'name' | 'policy'>,
  { schemas, target, exceptions }: RuleOptions,
): Made {
  const problem = '`generate`: admission policies cannot create resources';
  requireKyverno(target, problem, 'a GeneratingPolicy');
  const { spec, lost, notes } = convertGeneration(rule, frame.policy, { schemas, exceptions });
  const object = generatingPolicy(frame, spec);
  refuseBroken(object);
  return { objects: [object], lost, notes };
}

/** Converts a rule that verifies images. */
export function verifying(
  rule: JsonObject,
  { policy, name }: Pick<Frame, 'name' | 'policy'>,
  { schemas, target, exceptions }: RuleOptions,
): Made {
  const problem = '`verifyImages`: admission policies cannot verify images';
  requireKyverno(target, problem, 'an ImageValidatingPolicy');
  const { items, lost, notes } = convertImages(rule, policy, { schemas, exceptions });
  const { namespace } = namesOf(policy);
  const policySpec = objectOf(policy['spec']);
  const objects = items.flatMap(({ item, spec }, at) => {
    const { validationActions } = actionOf(item, policySpec, { namespace, hasBindings: false });
    const frame = {
      target: 'kyverno',
      type: 'ImageValidating',
      version: 'v1',
      name: at === 0 ? name : boundedName(`${name}-${at + 1}`),
      policy,
      failurePolicy: failurePolicyOf(policy),
      validationActions,
      namespace,
    } as const;
    return policyObjects(frame, spec);
  });
  for (const object of objects) refuseBroken(object);
  return { objects, lost, notes };
}

/** Converts a CleanupPolicy or ClusterCleanupPolicy. */
export function convertCleanupPolicy(
  policy: JsonObject,
  { schemas, target }: ConvertOptions,
): Conversion {
  const { title } = namesOf(policy);
  try {
    const problem = 'admission policies cannot delete objects on a schedule';
    requireKyverno(target, problem, 'a DeletingPolicy');
    const { object, notes } = convertCleanup(policy, schemas);
    refuseBroken(object);
    const status = statusOf({ lost: [] }, notes);
    return {
      objects: [object],
      rules: [{ policy: title, status, results: [titleOf(object)], ...reportOf(notes) }],
    };
  } catch (problem) {
    return nothingOf(title, reasonOf(problem));
  }
}
