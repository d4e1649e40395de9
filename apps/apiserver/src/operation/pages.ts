import type { ApiResponse, Pages } from '@kubeadmit/apiserver';
import {
  type ServiceAccountTokens,
  tokenIssuer,
} from '../authentication/service-account-tokens.ts';
import { type HealthChecks, healthAnswer } from './health.ts';
import type { Metrics } from './metrics.ts';
import { textAnswer } from './status-answer.ts';

/** The sources of the pages beside the API. */
export interface PageOptions {
  readonly health: HealthChecks;
  readonly metrics: Metrics;
  readonly tokens: ServiceAccountTokens;
}

/** Answers `/metrics`, single health checks, and the public keys for checking tokens. */
export function createPages({ health, metrics, tokens }: PageOptions): Pages {
  const pages: Readonly<Record<string, () => Promise<ApiResponse>>> = {
    '/metrics': async () => textAnswer(200, await metrics.text(), metrics.contentType),
    '/openid/v1/jwks': async () =>
      textAnswer(200, JSON.stringify(await tokens.publicKeys()), 'application/jwk-set+json'),
    '/.well-known/openid-configuration': async () =>
      textAnswer(200, JSON.stringify(openidConfiguration), 'application/json'),
  };
  return async (path, query) => {
    if (singleCheck.test(path)) return healthAnswer(path, query, health);
    return Object.hasOwn(pages, path) ? pages[path]?.() : undefined;
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
