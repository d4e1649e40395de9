import process from 'node:process';
import { ApiError } from './api-error.ts';
import { type AccessEntry, readKubeconfig } from './kubeconfig.ts';

/** Where a cluster is, and how the program authenticates. */
export type ClusterAccess =
  | {
      readonly kind: 'kubeconfig';
      readonly file: string;
      /** Default: the current context. */
      readonly context?: string;
    }
  | { readonly kind: 'inCluster' };

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Reads where a cluster is, and how the program authenticates.
 *
 * @throws ApiError when the kubeconfig or the environment of the pod cannot be used.
 */
export function readAccess(access: ClusterAccess): AccessEntry {
  const entry =
    access.kind === 'inCluster' ? inCluster() : readKubeconfig(access.file, access.context);
  if (!URL.canParse(entry.cluster.server)) {
    throw new ApiError(0, addressProblem(access, entry.cluster.server));
  }
  return entry;
}

function addressProblem({ kind }: ClusterAccess, server: string): string {
  return kind === 'inCluster'
    ? '`--in-cluster` needs a pod of a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set'
    : `the kubeconfig has an invalid server address \`${server}\``;
}

function inCluster(): AccessEntry {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = process.env;
  const none = { file: '', data: '' };
  return {
    cluster: {
      server:
        host === '' || port === ''
          ? ''
          : `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      tlsServerName: '',
      skipsVerification: false,
      authority: { file: `${serviceAccountFolder}/ca.crt`, data: '' },
      proxyUrl: '',
    },
    user: {
      certificate: none,
      key: none,
      token: '',
      tokenFile: `${serviceAccountFolder}/token`,
      username: '',
      password: '',
      impersonate: { user: '', uid: '', groups: [], extra: {} },
      exec: undefined,
      authProvider: undefined,
    },
  };
}
