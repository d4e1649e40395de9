import type { ApiResponse } from '@kubeadmit/apiserver';
import { textAnswer } from './status-answer.ts';

/** One health check. */
export interface HealthCheck {
  readonly name: string;
  /** Returns the problem, or `undefined` if the check passes. */
  problem(): string | undefined | Promise<string | undefined>;
}

/** The checks for liveness and for readiness of a server. */
export interface HealthChecks {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
}

/** The health paths that need no authorization; paths of single checks need it. */
export const publicHealthPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

/** Returns the answer to `/healthz`, `/livez`, `/readyz` and their single checks; `undefined` for other paths. */
export async function healthAnswer(
  path: string,
  query: URLSearchParams,
  { livez, readyz }: HealthChecks,
): Promise<ApiResponse | undefined> {
  const [, page = '', name] = /^\/(healthz|livez|readyz)(?:\/(.+?))?\/?$/.exec(path) ?? [];
  if (page === '') return undefined;
  const checks = page === 'readyz' ? readyz : livez;
  const chosen = name === undefined ? checks : checks.filter((check) => check.name === name);
  if (chosen.length === 0) return textAnswer(404, '404 page not found\n');
  const excluded = query.getAll('exclude');
  const results = await Promise.all(
    chosen.map(async (check) => ({
      name: check.name,
      problem: excluded.includes(check.name) ? undefined : await check.problem(),
    })),
  );
  const isWell = results.every(({ problem }) => problem === undefined);
  if (isWell && !query.has('verbose')) return textAnswer(200, 'ok');
  const lines = results.map(({ name: of, problem }) =>
    problem === undefined ? `[+]${of} ok\n` : `[-]${of} failed: ${problem}\n`,
  );
  const end = `${page} check ${isWell ? 'passed' : 'failed'}\n`;
  return textAnswer(isWell ? 200 : 500, lines.join('') + end);
}
