import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Command, findCommand, splitLine } from './commands.ts';
import { Comparison, REPEATS } from './comparison.ts';
import type { JsonObject } from './json.ts';
import { readObjects } from './ndjson.ts';
import { LineProgram } from './program.ts';
import { complain, oracleProgram, USAGE_EXIT, usageOfCommands } from './usage.ts';

const USAGE = `usage: ORACLE=program pnpm compare <command> <cases.ndjson|-> [--shrink] [--limit N]

Sends every case to the oracle and to kubeadmit and prints the cases on which they differ, the first N of
them (20). What differs is asked ${REPEATS} times more: when the oracle gives kubeadmit's answer too, since Go walks
maps in random order, the case counts as unstable, not as different; when it gives several answers and
never kubeadmit's, as with addresses in a text, as varying. With --shrink each printed case is first made
as small as it goes. The exit code is 1 when a case differs.
KUBEADMIT names another program than the built apps/cli.

${usageOfCommands()}`;

const BUILT_CLI = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { shrink: { type: 'boolean' }, limit: { type: 'string', default: '20' } },
  });
  const path = positionals.pop();
  const command = findCommand(positionals.join(' '));
  const program = oracleProgram();
  const limit = Number(values.limit);
  if (path === undefined || command === undefined || program === undefined || !(limit >= 0)) {
    return complain(USAGE, USAGE_EXIT);
  }
  const [name = process.execPath, ...before] = (
    process.env['KUBEADMIT'] ?? `${process.execPath} ${BUILT_CLI}`
  ).split(' ');
  const ours = new LineProgram(name, [...before, ...command.kubeadmit]);
  try {
    const comparison = new Comparison(command, { program, ours: (input) => ours.ask(input) });
    return await comparison.run(casesOf(command, path), {
      limit,
      isShrinking: values.shrink === true,
    });
  } finally {
    ours.close();
  }
}

async function* casesOf(command: Command, path: string): AsyncGenerator<JsonObject> {
  for await (const line of readObjects(path)) yield splitLine(command, line).input;
}

process.exitCode = await main();
