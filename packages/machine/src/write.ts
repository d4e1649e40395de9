import { RefusedResourcesError } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { createWriteServer, type WriteRequest, type WriteServer } from '@kubeadmit/apiserver';
import { errorText } from '@kubeadmit/base';
import { stringifyJson } from '@kubeadmit/go';
import { isRecord } from '@kubeadmit/manifest';
import { type Answer, type Answerer, type Case, CaseFailure } from './case.ts';
import { clusterOf, optionalObject, optionalText, ownField, pluginsOf } from './fields.ts';
import { pluginSet } from './plugin-set.ts';
import { createSchemaSource } from './schema-source.ts';

/**
 * Answers the cases of `kubeadmit write -`: the complete write of one object to a cluster, as a dry run.
 *
 * @param clock milliseconds since 1970
 */
export function createWriteAnswerer(clock: () => number): Answerer {
  const serverOf = createServerSource(clock);
  return async (input: Case): Promise<Answer> => {
    const server = await serverOf(input);
    return { ...(await server.answer(requestOf(input))) };
  };
}

/** Returns the server of a case; that of the case before is kept, because cases in a row often share it. */
function createServerSource(clock: () => number): (input: Case) => Promise<WriteServer> {
  const schemasOf = createSchemaSource();
  let last: { readonly key: string; readonly server: WriteServer } | undefined;
  return async (input) => {
    const { kubernetesVersion, resources } = clusterOf(input);
    const plugins = pluginsOf(input, 'default');
    const key = stringifyJson({ kubernetesVersion, resources, plugins });
    if (last?.key === key) return last.server;
    if (!resources.every(isRecord)) throw new CaseFailure('a resource is not an object');
    last?.server.close();
    last = undefined;
    const server = await orFailure(
      createWriteServer({
        resources,
        schemas: await schemasOf(kubernetesVersion),
        kubernetesVersion,
        plugins: await pluginSet(plugins, kubernetesVersion),
        now: clock,
        randomUid: uidSequence(),
      }),
    );
    last = { key, server };
    return server;
  };
}

/** Makes uids in sequence, so that a case always has the same answer. */
function uidSequence(): () => string {
  let last = 0;
  return () => {
    last++;
    return `00000000-0000-4000-8000-${last.toString(16).padStart(12, '0')}`;
  };
}

/** Resources that a server would refuse are a mistake in the case. */
async function orFailure(made: Promise<WriteServer>): Promise<WriteServer> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof RefusedResourcesError) {
      const problems = error.errors.map(({ resource, message }) => `${resource}: ${message}`);
      throw new CaseFailure(`the server would reject resources: ${problems.join('; ')}`);
    }
    const message = errorText(error);
    throw new CaseFailure(`the server would reject a resource: ${message}`);
  }
}

const verbs: readonly string[] = ['create', 'update', 'patch', 'delete'];

function requestOf(input: Case): WriteRequest {
  const request = optionalObject(input, 'request') ?? {};
  const verb = optionalText(request, 'verb');
  if (verb === undefined || !verbs.includes(verb)) {
    throw new CaseFailure('not a case: `request.verb` must be create, update, patch or delete');
  }
  const resource = optionalObject(request, 'resource') ?? {};
  return {
    verb: verb as WriteRequest['verb'],
    resource: {
      group: optionalText(resource, 'group') ?? '',
      version: optionalText(resource, 'version') ?? '',
      resource: optionalText(resource, 'resource') ?? '',
    },
    subresource: optionalText(request, 'subresource'),
    namespace: optionalText(request, 'namespace'),
    name: optionalText(request, 'name'),
    object: optionalObject(request, 'object') as KubernetesObject | undefined,
    oldObject: optionalObject(request, 'oldObject') as KubernetesObject | undefined,
    patch: ownField(request, 'patch') ?? undefined,
    patchType: optionalText(request, 'patchType'),
    options: optionalObject(request, 'options') as KubernetesObject | undefined,
    user: optionalObject(request, 'user') as WriteRequest['user'],
  };
}
