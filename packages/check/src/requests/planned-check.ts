import { describeValue, hasMembers } from '@kubeadmit/base';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { Inputs } from '@kubeadmit/lint';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import type { ReportProblem } from './field-validation.ts';

/** The sorted inputs of a check, before requests are made from them. */
export interface PlannedCheck {
  /** The manifests by their purpose. */
  readonly inputs: Inputs;
  /** The kinds of the server and of the definitions among the inputs. */
  readonly schemas: Schemas;
  /** Every object of the cluster: policies, bindings and their dependencies. */
  readonly held: readonly Manifest[];
  /** The problems of inputs that were skipped; the check continues without them. */
  readonly leftOut: readonly InputProblem[];
  /** Fields of policies and bindings that a server would reject; the policies are evaluated without them. */
  readonly refusedFields: readonly InputProblem[];
  /** Whether no policy was given, so that objects are only checked against schemas, definitions and rules. */
  readonly isSchemaCheck?: boolean;
}

/** A plan whose subjects become requests one by one, on demand. */
export interface CheckPlan extends PlannedCheck {
  /**
   * Makes a request of one of `inputs.subjects`, by its index; undefined if that is impossible. Problems are
   * reported, and passed to `leaveOut` if the subject is left out because of them.
   */
  readonly requestOf: (
    index: number,
    report: ReportProblem,
    leaveOut: (problem: InputProblem) => void,
  ) => PreparedRequest | undefined;
}

/** Everything that a check needs to know, read and in order. */
export interface PreparedCheck extends PlannedCheck {
  /** One for each subject, in their order. */
  readonly requests: readonly PreparedRequest[];
}

/** One request and the manifest that it was made of. */
export interface PreparedRequest {
  /** The manifest. */
  readonly manifest: Manifest;
  /** The request. */
  readonly request: AdmissionRequest;
  /** Whether a client sends the object: false for the request of an AdmissionReview, and for objects of a cluster. */
  readonly isOfClient: boolean;
  /** Why the server would refuse the object before any policy. */
  readonly refusal?: string;
}

/**
 * Requires a result of `prepareCheck` or `planCheck`.
 *
 * @throws TypeError that names the function and the actual value
 */
export function requirePlanned(call: string, planned: unknown): void {
  if (hasMembers(planned) && hasMembers(planned['inputs']) && Array.isArray(planned['held']))
    return;
  throw new TypeError(
    `${call}: expected the result of \`prepareCheck\`, got ${describeValue(planned)}`,
  );
}
