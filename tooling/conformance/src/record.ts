import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Command, comparable, findCommand, joinLine, splitLine, steady } from './commands.ts';
import { describeDifferences, differences } from './difference.ts';
import { field, type JsonObject, printJson } from './json.ts';
import { readObjects } from './ndjson.ts';
import { inOrder, LineProgram } from './program.ts';
import { complain, oracleProgram, USAGE_EXIT, usageOfCommands } from './usage.ts';

const USAGE = `usage: ORACLE=program pnpm record <command> <cases.ndjson|-> [-o recorded.ndjson]

Asks the oracle about every case, twice and in two processes, and writes each case with its answer in one
line. A line that has an answer already is asked anew. Cases without a stable answer are left out and named
on standard error; the exit code is then 1.

${usageOfCommands()}`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { output: { type: 'string', short: 'o' } },
  });
  const path = positionals.pop();
  const command = findCommand(positionals.join(' '));
  const program = oracleProgram();
  if (path === undefined || command === undefined || program === undefined) {
    return complain(USAGE, USAGE_EXIT);
  }
  const recorded: string[] = [];
  let refused = 0;
  for await (const outcome of recordAll(command, program, path)) {
    if ('line' in outcome) recorded.push(printJson(outcome.line));
    else {
      refused++;
      complain(`left out ${outcome.id}: ${outcome.reason}`);
    }
  }
  const text = recorded.map((line) => `${line}\n`).join('');
  if (values.output === undefined) process.stdout.write(text);
  else await writeFile(values.output, text);
  complain(`${recorded.length} recorded, ${refused} left out`);
  return refused === 0 ? 0 : 1;
}

type Outcome = { readonly line: JsonObject } | { readonly id: string; readonly reason: string };

async function* recordAll(
  command: Command,
  program: string,
  path: string,
): AsyncGenerator<Outcome> {
  const first = new LineProgram(program, command.oracle);
  const second = new LineProgram(program, command.oracle);
  const seen = new Set<string>();
  try {
    yield* inOrder(readObjects(path), async (line): Promise<Outcome> => {
      const { input } = splitLine(command, line);
      const id = String(field(input, 'id') ?? '');
      if (id === '' || seen.has(id)) return { id, reason: 'no identifier of its own' };
      seen.add(id);
      const [answer, again] = await Promise.all([first.ask(input), second.ask(input)]);
      const reason = refusal(command, answer, again);
      return reason === undefined ? { line: joinLine(input, steady(answer)) } : { id, reason };
    });
  } finally {
    first.close();
    second.close();
  }
}

function refusal(command: Command, answer: JsonObject, again: JsonObject): string | undefined {
  const name = command.refusals.find((key) => Object.hasOwn(answer, key));
  if (name !== undefined) return `${name}: ${printJson(field(answer, name) ?? null)}`;
  const found = differences(comparable(command, answer), comparable(command, again));
  return found.length === 0 ? undefined : `unstable\n${describeDifferences(found)}`;
}

process.exitCode = await main();
