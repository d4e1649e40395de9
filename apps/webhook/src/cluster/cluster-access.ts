import { dirname } from 'node:path';
import { readErrorText, readText } from '@kubeadmit/files';
import type { KubeConfig } from '@kubernetes/client-node';
import { ApiError } from './api-error.ts';

/** Where a cluster is, and who asks it. */
export type ClusterAccess =
  | { readonly kind: 'kubeconfig'; readonly file: string }
  | { readonly kind: 'inCluster' };

/**
 * Reads where a cluster is, and what says who asks it.
 *
 * @throws ApiError when that cannot be read.
 */
export async function readAccess(
  access: ClusterAccess,
): Promise<{ readonly config: KubeConfig; readonly server: URL }> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  if (access.kind === 'inCluster') config.loadFromCluster();
  else readKubeconfig(config, access.file);
  const server = config.getCurrentCluster()?.server ?? '';
  if (!URL.canParse(server)) throw new ApiError(0, addressProblem(access, server));
  return { config, server: new URL(server) };
}

function addressProblem({ kind }: ClusterAccess, server: string): string {
  return kind === 'inCluster'
    ? 'this does not run in a pod of a cluster, as `--in-cluster` says: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set'
    : `the kubeconfig has \`${server}\` for a server, which is no address`;
}

function readKubeconfig(config: KubeConfig, file: string): void {
  const text = kubeconfigText(file);
  if (text.trim() === '') throw new ApiError(0, `the kubeconfig ${file} is empty`);
  try {
    config.loadFromString(text);
    config.makePathsAbsolute(dirname(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError(0, `${file} cannot be read as a kubeconfig: ${reason}`);
  }
  const problem = contextProblem(config, file);
  if (problem !== '') throw new ApiError(0, problem);
}

function kubeconfigText(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw new ApiError(0, `${file}: ${readErrorText(error)}`);
  }
}

// Without its cluster or user, others would be asked or nobody would ask.
function contextProblem(config: KubeConfig, file: string): string {
  const contexts = (config.getContexts() ?? []).map(({ name }) => `\`${name}\``).join(', ');
  const name = config.getCurrentContext() ?? '';
  const choose = `: choose one by \`kubectl config use-context NAME --kubeconfig ${file}\``;
  const known = contexts === '' ? 'it has no contexts' : `it has ${contexts}${choose}`;
  if (name === '') return `the kubeconfig ${file} has no current context; ${known}`;
  const context = config.getContextObject(name);
  if (context === null) {
    return `the kubeconfig ${file} has no context \`${name}\`, which is to be the current one; ${known}`;
  }
  for (const [kind, wanted, found] of [
    ['cluster', context.cluster, config.getCurrentCluster()],
    ['user', context.user, config.getCurrentUser()],
  ] as const) {
    if (found !== null || (kind === 'user' && !wanted)) continue;
    return `the kubeconfig ${file} has no ${kind} \`${wanted}\`, of which its context \`${name}\` is`;
  }
  return '';
}
