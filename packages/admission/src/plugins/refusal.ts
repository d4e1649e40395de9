import type { Status } from '@kubeadmit/apimachinery';
import { failureStatus, forbiddenStatus, type StatusCause } from '@kubeadmit/apimachinery/status';
import { requestSubject } from './denial.ts';
import type { PluginOutcome, PluginRequest } from './plugin.ts';

/** Refuses a request with 403 (apiserver admission.NewForbidden), with more causes where a plugin adds them. */
export function forbid(
  request: PluginRequest,
  text: string,
  causes: readonly StatusCause[] = [],
): PluginOutcome {
  const { resource, name } = requestSubject(request);
  return { denial: withCauses(forbiddenStatus(resource, name, text), causes) };
}

function withCauses(status: Status, causes: readonly StatusCause[]): Status {
  return causes.length === 0 ? status : { ...status, details: { ...status.details, causes } };
}

/** Refuses a request with another Status, such as those of `@kubeadmit/apimachinery`. */
export function refuse(denial: Status): PluginOutcome {
  return { denial };
}

/** Whether a request is about a resource of the core group itself, and not about a subresource. */
export function isAbout(
  { resource, subresource }: PluginRequest,
  plural: string,
  group = '',
): boolean {
  return resource.resource === plural && resource.group === group && subresource === '';
}

/** Fails a request with 500 and a plain text, as the server does for an error without a Status. */
export function fail(text: string): PluginOutcome & { readonly denial: Status } {
  return { denial: failureStatus(500, text) };
}
