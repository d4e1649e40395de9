import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { RuleTracer } from '@kubeadmit/kyverno/traces';
import { jsonOf } from '../readers/json.ts';
import type { KyvernoPolicies } from '../readers/policies.ts';
import type { RequestReader } from './asked-request.ts';
import { applyDeleting } from './cel.ts';
import { applyCleanup } from './cleanup.ts';
import type { Response } from './response.ts';

/** An object that may be deleted on a schedule. */
interface AskedObject {
  readonly request: AdmissionRequest;
  readonly object: KubernetesObject;
  readonly trace?: RuleTracer | undefined;
}

/** Returns which policies would delete an object on their schedules. */
export function deletionsBy(
  { cel, cleanup }: Pick<KyvernoPolicies, 'cel' | 'cleanup'>,
  requests: RequestReader,
  { request, object, trace }: AskedObject,
): readonly Response[] {
  const given = jsonOf(object);
  const within = metadataString(given, 'namespace');
  // The controller lists the objects of a namespaced policy in its namespace; Kyverno's CLI does not look at it.
  const policies = cel
    .map(({ policy }) => policy)
    .filter(
      ({ type, namespace }) => type === 'Deletion' && (namespace === '' || namespace === within),
    );
  if (policies.length + cleanup.length === 0) return [];
  const { namespaceLabels, now } = requests.classic(request, given, undefined).facts;
  const { sources } = requests;
  return [
    ...applyDeleting(policies, requests.cel(request, given, trace)),
    ...applyCleanup(cleanup, given, { namespaceLabels, now, sources }),
  ];
}
