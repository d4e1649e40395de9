import { fileURLToPath } from 'node:url';
import type { ApiServer } from '../server/api-server.ts';
import { scenarios } from './scenarios.ts';
import { Surroundings } from './surroundings.ts';

/** The result of a scenario. */
export interface Told {
  readonly name: string;
  readonly result: string;
  readonly isRight: boolean;
}

const manifests = fileURLToPath(new URL('../../../../apps/webhook/manifests', import.meta.url));

/** Lets things go wrong between a server and a webhook that it starts, one after the other. */
export async function runScenarios(
  server: Pick<ApiServer, 'ask' | 'kubeconfig' | 'port'>,
  options: {
    readonly folder: string;
    readonly program: string;
    readonly changes: number;
    /** Only those that take a few seconds. */
    readonly onlyQuick?: boolean;
  },
): Promise<readonly Told[]> {
  const around = new Surroundings(server, { ...options, port: server.port });
  const told: Told[] = [];
  try {
    await around.start(manifests);
    await around.untilDenied('generation 0');
    const all = scenarios(options.changes);
    const wanted = options.onlyQuick === true ? all.filter(({ isQuick }) => isQuick) : all;
    for (const { name, run } of wanted) {
      try {
        told.push({ name, result: await run(around), isRight: true });
      } catch (error) {
        told.push({ name, result: String(error), isRight: false });
        // Later scenarios would fail for the same reason.
        break;
      }
    }
    return told;
  } finally {
    await around.stop();
  }
}
