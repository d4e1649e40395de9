/**
 * Runs the same invocations of kubectl on two servers and prints the differences:
 *   pnpm --filter @kubeadmit/apiserver-tools kubectl --kubectl PATH --ours KUBECONFIG --theirs KUBECONFIG [--only TEXT]
 * Both servers are fresh and run without controllers; both kubeconfigs have the contexts `admin` and `alice`. The exit
 * code is 1 if a difference is not on the list of known ones.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createFolder, type Ended, removeFolder } from '@kubeadmit/test-support';
import { type Invocation, readInvocations } from './kubectl/invocations.ts';
import { normalize } from './kubectl/normalize.ts';
import { runInvocation } from './kubectl/run-invocation.ts';

/** Commands that change objects, and with them the record of who set which fields. */
const writing =
  /(?:^|\s)(?:annotate|apply|autoscale|create|delete|edit|expose|label|patch|replace|rollout|run|scale|set|taint)\s/;

/**
 * Waits for the next second. Entries of the record are ordered by their times, in seconds, and by their names within one:
 * two writes of one second on one server and of two on the other would not come out in the same order.
 */
function nextSecond(): Promise<void> {
  return sleep(1010 - (Date.now() % 1000));
}

const cases = fileURLToPath(new URL('../kubectl-cases/', import.meta.url));

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      kubectl: { type: 'string', default: 'kubectl' },
      ours: { type: 'string' },
      theirs: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const { kubectl, ours, theirs, only } = values;
  if (ours === undefined || theirs === undefined) throw new Error('--ours and --theirs are needed');
  const known = readKnown();
  const homes = [ours, theirs].map((kubeconfig) => ({
    kubectl,
    kubeconfig,
    manifests: join(cases, 'manifests'),
    home: createFolder(),
  }));
  const count = { same: 0, known: 0, different: 0 };
  for (const invocation of readInvocations(readFileSync(join(cases, 'invocations.txt'), 'utf8'))) {
    const [our, their] = await Promise.all(homes.map((home) => runInvocation(invocation, home)));
    if (writing.test(invocation.line)) await nextSecond();
    if (invocation.program !== 'kubectl' || !our || !their) continue;
    const difference = compare(our, their);
    if (difference === undefined) {
      count.same++;
      // Where a server visits maps in no fixed order, that may be so by chance.
      if (known.has(invocation.line))
        process.stdout.write(`listed, and the same: ${invocation.line}\n`);
    }
    if (difference !== undefined && known.has(invocation.line)) count.known++;
    else if (difference !== undefined) count.different++;
    const isWanted = only === undefined || invocation.line.includes(only);
    if (difference !== undefined && !known.has(invocation.line) && isWanted) {
      print(invocation, difference);
    }
  }
  for (const { home } of homes) removeFolder(home);
  process.stdout.write(`${JSON.stringify(count)}\n`);
  return count.different === 0 ? 0 : 1;
}

/** The lines that are known to differ: each is followed by an indented reason. */
function readKnown(): ReadonlySet<string> {
  const lines = readFileSync(join(cases, 'known-differences.txt'), 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !/^[#\s]/.test(line)));
}

function compare(ours: Ended, theirs: Ended): string | undefined {
  const parts = (['exitCode', 'stdout', 'stderr'] as const).flatMap((part) => {
    const [our, their] = [ours[part], theirs[part]].map((value) => normalize(String(value)));
    return our === their
      ? []
      : [`${part}\n${indent(our ?? '')}\n  instead of\n${indent(their ?? '')}`];
  });
  return parts.length === 0 ? undefined : parts.join('\n');
}

function print({ line, input }: Invocation, difference: string): void {
  process.stdout.write(`== ${line}\n${input}${difference}\n\n`);
}

function indent(text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.length > 40 ? [...lines.slice(0, 40), `… ${lines.length - 40} more`] : lines;
  return shown.map((line) => `    ${line}`).join('\n');
}

process.exitCode = await main();
