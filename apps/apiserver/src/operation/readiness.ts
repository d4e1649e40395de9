import type { HealthCheck, HealthChecks } from './health.ts';
import { startedParts } from './health-names.ts';

/** Whether a server has started and does not end. */
export class Readiness {
  hasStarted = false;
  isEnding = false;

  /** Returns the checks of a server, including the check of its store. */
  checks(store: HealthCheck): HealthChecks {
    const started = startedParts.map((name) =>
      check(name, () => (this.hasStarted ? undefined : 'not finished')),
    );
    // A store that rejects writes does not require a restart of the process.
    const livez = [ping, check('etcd', () => undefined), ...started];
    const shutdown = check('shutdown', () =>
      this.isEnding ? 'process is shutting down' : undefined,
    );
    const synced = ['etcd-readiness', 'informer-sync'].map((name) => check(name, () => undefined));
    return { livez, readyz: [ping, store, ...synced, ...started, shutdown] };
  }
}

/** Passes whenever the process answers. */
const ping: HealthCheck = check('ping', () => undefined);

function check(name: string, problem: () => string | undefined): HealthCheck {
  return { name, problem };
}
