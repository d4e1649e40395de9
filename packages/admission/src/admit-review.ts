import { type KubernetesObject, member, textOf } from '@kubeadmit/apimachinery';
import { badRequestStatus } from '@kubeadmit/apimachinery/status';
import { describeValue, hasMembers, requireOptions } from '@kubeadmit/base';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { structOf } from '@kubeadmit/schemas/types';
import { type AdmissionResponse, respond } from './admit.ts';
import { requireCluster } from './arguments.ts';
import type { Cluster } from './cluster.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { mutateRequest } from './mutate-request.ts';
import { orFailure } from './or-failure.ts';
import { denialText } from './plugins/denial.ts';
import { type PreparedRequest, prepareRequest } from './prepare-request.ts';
import { validateRequest } from './validate-request.ts';
import { plainJson, withEmptyLists } from './write/plain-json.ts';

/** An AdmissionReview of `admission.k8s.io/v1` or `v1beta1` with its response. */
export interface AdmissionReview {
  /** `admission.k8s.io/v1`, or `v1beta1` where the question was. */
  readonly apiVersion: string;
  /** Always `AdmissionReview`. */
  readonly kind: 'AdmissionReview';
  /** The answer. */
  readonly response: AdmissionResponse;
}

/** Which policies answer a review. */
export interface ReviewOptions {
  /**
   * `mutating` for a MutatingWebhookConfiguration, `validating` for a ValidatingWebhookConfiguration, whose
   * answers must not have a patch; default both.
   */
  readonly policies?: 'both' | 'mutating' | 'validating' | undefined;
  /**
   * The time as in `2026-01-02T03:04:05Z`, for defaults that read the clock, such as `timeAdded` of device taints;
   * default the beginning of 1970.
   */
  readonly now?: string | undefined;
}

const versions = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/**
 * Answers an AdmissionReview, as kube-apiserver sends it to a webhook, with a complete AdmissionReview of the same
 * version.
 *
 * A review that cannot be read is denied with code 400 and the reason. The message of a denial omits the subject
 * that kube-apiserver's own plugins add (`pods "web" is forbidden: `), because the server adds the webhook's name
 * instead.
 *
 * @throws TypeError if the first argument is not a cluster, or the options are invalid
 */
export function admitReview(
  cluster: Cluster,
  review: unknown,
  options: ReviewOptions = {},
): AdmissionReview {
  requireCluster('admitReview', cluster);
  requireOptions('admitReview', options, { policies: Object.keys(steps), now: 'string' });
  const { policies = 'both', now } = options;
  const given = member(review, 'apiVersion');
  const apiVersion = versions.find((version) => version === given) ?? 'admission.k8s.io/v1';
  const request = member(review, 'request');
  const problem = reviewProblem(review);
  const answer = orFailure(request, () => {
    if (problem !== undefined) return { failure: problem };
    const prepared = prepareRequest(cluster, request as AdmissionRequest, { now });
    return prepared.failure === undefined
      ? { response: readable(respondToServer(prepared, steps[policies](prepared))) }
      : prepared;
  });
  const response =
    'failure' in answer && answer.failure !== undefined
      ? refusal(member(request, 'uid'), answer.failure)
      : (answer as { readonly response: AdmissionResponse }).response;
  return { apiVersion, kind: 'AdmissionReview', response };
}

const steps: Readonly<
  Record<NonNullable<ReviewOptions['policies']>, (prepared: PreparedRequest) => Decision>
> = {
  both: decide,
  mutating: mutateRequest,
  validating: (prepared) => validateRequest(prepared, prepared.attributes.object),
};

function respondToServer(prepared: PreparedRequest, decision: Decision): AdmissionResponse {
  return respond(prepared, decision, (object) => objectForServer(prepared, object)).response;
}

/** Returns the object of a decision as a webhook has to make it by its patch. */
export function objectForServer(
  { cluster: { schemas }, attributes }: PreparedRequest,
  object: KubernetesObject | null,
): KubernetesObject | null {
  const isCustom = structOf(schemas, attributes.kind) === undefined;
  return (isCustom ? withEmptyLists(object) : plainJson(object)) as KubernetesObject | null;
}

function reviewProblem(review: unknown): string | undefined {
  const problem = (text: string): string => `not an AdmissionReview: ${text}`;
  if (!hasMembers(review)) return problem(`it is ${describeValue(review)}`);
  const { apiVersion, kind, request } = review;
  if (kind !== 'AdmissionReview') return problem(`its \`kind\` is ${describeValue(kind)}`);
  if (!versions.includes(apiVersion as string)) {
    return problem(
      `its \`apiVersion\` must be one of ${versions.join(', ')}, got ${describeValue(apiVersion)}`,
    );
  }
  if (!hasMembers(request)) return problem(`its \`request\` is ${describeValue(request)}`);
  const { uid } = request;
  if (typeof uid === 'string' && uid !== '') return undefined;
  return problem('its `request` has no `uid`, which the answer needs');
}

function readable(response: AdmissionResponse): AdmissionResponse {
  const { status } = response;
  if (status === undefined) return response;
  return { ...response, status: { ...status, message: denialText(status) } };
}

function refusal(uid: unknown, message: string): AdmissionResponse {
  const status = badRequestStatus(message);
  return { uid: textOf(uid), allowed: false, status };
}
