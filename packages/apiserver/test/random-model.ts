/**
 * Plays random operations on our server and on a real kube-apiserver, and prints the cases that differ.
 *
 * A case differs in an answer, the final state or a watch event, and is reduced as far as possible before it is
 * printed.
 *
 *   SERVER=program pnpm --filter @kubeadmit/apiserver random [--cases 20] [--length 40] [--seed 1]
 */
import { parseArgs } from 'node:util';
import {
  type Ask,
  cleanUp,
  endings,
  loadProtobufForms,
  type Normalized,
  normalizeAnswers,
  playCase,
  type RestCase,
  randomCase,
  startRealServer,
} from '@kubeadmit/apiserver-tools';
import { Random } from '@kubeadmit/random';
import { startLocalServer } from './local-server.ts';

const webhook = { url: 'https://127.0.0.1:9443', authority: 'YXV0aG9yaXR5' };
const protobuf = await loadProtobufForms();
const pause = async (): Promise<void> => {};

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '20' },
      length: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
    },
  });
  const real = await startRealServer(process.env['SERVER'] ?? '');
  const local = await startLocalServer();
  const servers = [local.ask, real.ask] as const;
  let different = 0;
  try {
    for (let i = 0; i < Number(values.cases); i++) {
      const seed = Number(values.seed) + i;
      const restCase = randomCase(new Random(seed), `random/${seed}`, Number(values.length));
      if ((await differenceOf(restCase, servers)) === undefined) continue;
      different++;
      const small = await shrink(restCase, servers);
      const difference = await differenceOf(small, servers);
      process.stdout.write(`${JSON.stringify({ ...small, difference })}\n`);
    }
  } finally {
    await real.stop();
    await local.server.close();
  }
  const operations = Number(values.cases) * Number(values.length);
  process.stderr.write(`${operations} operations, ${different} cases differ\n`);
  return different === 0 ? 0 : 1;
}

type Servers = readonly Ask[];

interface Difference {
  readonly step: number;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** The first answer that is not the same. */
async function differenceOf(restCase: RestCase, servers: Servers): Promise<Difference | undefined> {
  const [ours = [], theirs = []] = await Promise.all(
    servers.map(async (ask) => {
      const answers = await playCase(restCase, { ask, pause, webhook, protobuf });
      await cleanUp(ask);
      return normalizeAnswers(answers, webhook);
    }),
  );
  for (const [step, our] of ours.entries()) {
    if (textOf(our) !== textOf(theirs[step])) {
      return { step: step + 1, ours: our.body, theirs: theirs[step]?.body };
    }
  }
  return undefined;
}

// Times of one second do not say in which order entries are, so that they are compared in any.
function textOf(answer: Normalized | undefined): string {
  return JSON.stringify(inOrder(answer));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    const isRecord = items.every((item) => typeof item === 'object' && item && 'manager' in item);
    return isRecord ? items.map((item) => JSON.stringify(item)).sort() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

/** A case with as few operations as still differ; the others become reads of the version, so that places stay. */
async function shrink(restCase: RestCase, servers: Servers): Promise<RestCase> {
  const nothing = { request: 'GET /healthz' };
  const kept = endings().length;
  let small = restCase;
  for (let i = small.steps.length - kept - 1; i > 0; i--) {
    const steps = small.steps.map((step, place) => (place === i ? nothing : step));
    const candidate = { ...small, steps };
    if ((await differenceOf(candidate, servers)) !== undefined) small = candidate;
  }
  return small;
}

process.exitCode = await main();
