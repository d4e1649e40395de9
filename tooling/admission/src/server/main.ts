import { parseArgs } from 'node:util';
import { startKubeApiserver } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { readLines } from '@kubeadmit/test-support';
import { Player, writers } from './play.ts';
import { isPlayable, type RecordedCase } from './recorded-case.ts';

const USAGE = `usage: SERVER=program play <cases.ndjson>… [--limit N] [--seed N]

Plays recorded cases of \`admit\` as real requests with dryRun=All on the real kube-apiserver, up to N of
each file that get as far as the policies, and compares code, message, warnings and object. Cases that
cannot be said in a real request are left out, and those are skipped whose objects the server refuses
before it asks the policies.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string', default: '100' },
    seed: { type: 'string', default: '0' },
    verbose: { type: 'boolean', default: false },
  },
});

const program = process.env['SERVER'] ?? '';
if (positionals.length === 0 || program === '') {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await playFiles(positionals);
}

async function playFiles(paths: readonly string[]): Promise<number> {
  const { client, stop } = await startKubeApiserver(program);
  let different = 0;
  try {
    await client.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'writers' },
      subjects: [{ kind: 'Group', name: writers, apiGroup: 'rbac.authorization.k8s.io' }],
      roleRef: {
        kind: 'ClusterRole',
        name: 'cluster-admin',
        apiGroup: 'rbac.authorization.k8s.io',
      },
    });
    const player = new Player(client);
    for (const path of paths) different += await playFile(player, path);
  } finally {
    await stop();
  }
  return different === 0 ? 0 : 1;
}

async function playFile(player: Player, path: string): Promise<number> {
  const count = { equal: 0, different: 0, skipped: 0, denied: 0 };
  const cases = readLines<RecordedCase>(path).filter(isPlayable);
  await player.prepare(cases);
  for (const recorded of cases.slice(Number(values.seed))) {
    if (count.equal + count.different >= Number(values.limit)) break;
    const played = await player.play(recorded).catch((error: unknown) => ({
      outcome: 'skipped' as const,
      reason: String(error),
    }));
    count[played.outcome]++;
    if (played.outcome === 'equal' && recorded.response?.allowed === false) count.denied++;
    if (played.outcome === 'different') {
      const { expected, actual } = played;
      console.log(JSON.stringify({ id: recorded.id, expected, actual }));
    }
    if (played.outcome === 'skipped' && values.verbose) {
      console.error(`${recorded.id} skipped: ${played.reason}`);
    }
  }
  const { equal, denied, different, skipped } = count;
  console.error(
    `${path}: ${equal} equal (${denied} of them denials), ${different} different, ${skipped} skipped`,
  );
  return different;
}
