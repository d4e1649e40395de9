import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ApiClient, ApiResponse } from '@kubeadmit/apiserver';
import type { UserInfo } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import {
  type ServiceAccountTokens,
  tokenIssuer,
} from '../authentication/service-account-tokens.ts';
import { statusAnswer, textAnswer } from '../http/status-answer.ts';
import { type HealthChecks, healthAnswer } from './health.ts';
import type { Metrics } from './metrics.ts';

/** What the pages beside the API are made of. */
export interface PageOptions {
  readonly client: ApiClient;
  readonly health: HealthChecks;
  readonly metrics: Metrics;
  readonly tokens: ServiceAccountTokens;
}

/** Answers a page beside the API to a user; undefined for paths that are none. */
export type AnswerPage = (
  path: string,
  query: URLSearchParams,
  user: UserInfo,
) => Promise<ApiResponse | undefined>;

/** Answers `/metrics`, single checks of health and what others check tokens with, to those whom the authorizer allows it. */
export function createPages({ client, health, metrics, tokens }: PageOptions): AnswerPage {
  const pages: Readonly<Record<string, () => Promise<ApiResponse>>> = {
    '/metrics': async () => textAnswer(200, await metrics.text(), metrics.contentType),
    '/openid/v1/jwks': async () =>
      textAnswer(200, JSON.stringify(await tokens.publicKeys()), 'application/jwk-set+json'),
    '/.well-known/openid-configuration': async () =>
      textAnswer(200, JSON.stringify(openidConfiguration), 'application/json'),
  };
  return async (path, query, user) => {
    const own = Object.hasOwn(pages, path) ? pages[path] : undefined;
    const page = singleCheck.test(path) ? () => healthAnswer(path, query, health) : own;
    if (!page) return undefined;
    if (await isAllowed(client, path, user)) return page();
    const message = `forbidden: User ${quote(user.username ?? '')} cannot get path ${quote(path)}`;
    return statusAnswer(403, 'Forbidden', message, {});
  };
}

const singleCheck = /^\/(?:healthz|livez|readyz)\//;

const openidConfiguration = {
  issuer: tokenIssuer,
  jwks_uri: `${tokenIssuer}/openid/v1/jwks`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
};

async function isAllowed(client: ApiClient, path: string, user: UserInfo): Promise<boolean> {
  const { username = '', groups, uid, extra } = user;
  const { object } = await client.ask({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user: username,
        groups: [...(groups ?? [])],
        ...(uid ? { uid } : {}),
        ...(extra ? { extra } : {}),
        nonResourceAttributes: { path, verb: 'get' },
      },
    } as KubernetesObject,
  });
  return (object['status'] as { readonly allowed?: boolean } | undefined)?.allowed === true;
}
