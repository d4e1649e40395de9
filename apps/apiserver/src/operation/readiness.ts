import type { HealthCheck } from './health.ts';

/** Whether a server has started and does not end. */
export class Readiness implements HealthCheck {
  readonly name = 'started';
  isReady = false;

  problem(): string | undefined {
    return this.isReady ? undefined : 'the server starts or ends';
  }
}

/** That the process answers at all. */
export const ping: HealthCheck = { name: 'ping', problem: () => undefined };
