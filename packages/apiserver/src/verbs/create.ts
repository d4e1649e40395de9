import { withRequester } from '@kubeadmit/admission/writes';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { mutate, validate } from '../admission/admission-chain.ts';
import type { AdmissionAttributes } from '../admission/attributes.ts';
import { checkPolicyPermissions } from '../admission/policy-permissions.ts';
import { checkEscalation } from '../authorization/escalation.ts';
import { badRequest } from '../errors/failures.ts';
import type { ApiResponse } from '../http/response.ts';
import { isCore } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { metadataOf, nameOf, withMetadata } from '../objects/metadata.ts';
import { readWriteOptions } from '../options/write-options.ts';
import { createObject, inNamespace } from '../registry/create-object.ts';
import { decodeRequest, tracked, withoutRepeatedOwners } from './decode-request.ts';
import { resourceResponse } from './response.ts';

/** Answers `create` (handlers.CreateResource). */
export async function createResource(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info, request } = exchange;
  const options = readWriteOptions(request.query, 'CreateOptions');
  const decoded = await decodeRequest(exchange, options);
  const wiped = withMetadata(decoded, {
    uid: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  } as never);
  const placed = inNamespace(wiped, endpoint, info.namespace);
  const name = nameOf(placed);
  if (info.name !== '' && name !== '' && info.name !== name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${info.name})`,
    );
  }
  const recorded = tracked(exchange, options, {}, withoutRepeatedOwners(exchange, placed));
  const attributes: AdmissionAttributes = {
    endpoint,
    operation: 'CREATE',
    namespace: namespaceOf(exchange, placed),
    name,
    object: recorded,
    oldObject: null,
    options: options.object,
    isDryRun: options.isDryRun,
  };
  const mutated = (await mutate(exchange, attributes)) ?? recorded;
  checkEscalation(exchange, mutated);
  const created = await createObject(machinery, {
    endpoint,
    namespace: info.namespace,
    object: withRequester(endpoint, withoutRepeatedOwners(exchange, mutated), request.user),
    isDryRun: options.isDryRun,
    admit: async (object) => {
      const named = { ...attributes, name: metadataOf(object).name ?? '', object };
      checkPolicyPermissions(exchange, named);
      await validate(exchange, named);
    },
    warn: (text) => void exchange.warnings.push(text),
  });
  return resourceResponse(exchange, 201, created);
}

/** The namespace of a request as admission sees it: that of the object, and for namespaces their own name. */
export function namespaceOf(
  { endpoint, info }: ResourceExchange,
  object: KubernetesObject,
): string {
  const isNamespace = isCore(endpoint, 'namespaces');
  return isNamespace ? nameOf(object) : info.namespace;
}
