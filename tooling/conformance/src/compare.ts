import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Command } from './commands.ts';
import { comparable, findCommand, splitLine } from './commands.ts';
import { type Difference, describeDifferences, differences } from './difference.ts';
import { type JsonObject, printJson } from './json.ts';
import { readObjects } from './ndjson.ts';
import { inOrder, LineProgram } from './program.ts';
import { shrink } from './shrink.ts';
import { complain, oracleProgram, USAGE_EXIT, usageOfCommands } from './usage.ts';

/** A map of five wrong entries names each of them first with a chance of one in five. */
const REPEATS = 32;

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
  const judge = new Judge(command, program);
  const count = { equal: 0, unstable: 0, varying: 0, refused: 0, different: 0 };
  try {
    for await (const verdict of inOrder(readObjects(path), (line) => judge.judge(line))) {
      count[verdict.kind]++;
      if (verdict.kind !== 'different' || count.different > limit) continue;
      await report(judge, verdict, values.shrink === true);
    }
  } finally {
    judge.close();
  }
  complain(
    `${count.equal} equal, ${count.different} different, ${count.unstable} unstable, ${count.varying} varying, ${count.refused} refused by the oracle`,
  );
  return count.different === 0 ? 0 : 1;
}

type Verdict =
  | { readonly kind: 'equal' | 'unstable' | 'varying' | 'refused' }
  | { readonly kind: 'different'; readonly input: JsonObject; readonly found: Difference[] };

/** Asks both sides; a third process tells whether the oracle says the same at another time. */
class Judge {
  readonly #command: Command;
  readonly #oracle: LineProgram;
  readonly #again: LineProgram;
  readonly #ours: LineProgram;

  constructor(command: Command, program: string) {
    this.#command = command;
    this.#oracle = new LineProgram(program, command.oracle);
    this.#again = new LineProgram(program, command.oracle);
    const [ours, ...before] = (
      process.env['KUBEADMIT'] ?? `${process.execPath} ${BUILT_CLI}`
    ).split(' ');
    this.#ours = new LineProgram(ours ?? process.execPath, [...before, ...command.kubeadmit]);
  }

  /** Fields of a case that have to stay when it is made smaller. */
  get kept(): readonly string[] {
    return ['id', ...this.#command.requiredFields];
  }

  async judge(line: JsonObject): Promise<Verdict> {
    const { input } = splitLine(this.#command, line);
    const [expected, actual] = await Promise.all([this.#oracle.ask(input), this.#ours.ask(input)]);
    if (this.#command.refusals.some((key) => Object.hasOwn(expected, key))) {
      return { kind: 'refused' };
    }
    const found = this.#differences(expected, actual);
    if (found.length === 0) return { kind: 'equal' };
    return (await this.#repeat(input, expected, actual)) ?? { kind: 'different', input, found };
  }

  /** What repeating the question shows; nothing when the oracle's answer stays the same. */
  async #repeat(
    input: JsonObject,
    expected: JsonObject,
    actual: JsonObject,
  ): Promise<Verdict | undefined> {
    let isVarying = false;
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const again = await this.#again.ask(input);
      if (this.#differences(again, actual).length === 0) return { kind: 'unstable' };
      isVarying ||= this.#differences(again, expected).length > 0;
    }
    return isVarying ? { kind: 'varying' } : undefined;
  }

  #differences(expected: JsonObject, actual: JsonObject): Difference[] {
    return differences(comparable(this.#command, expected), comparable(this.#command, actual));
  }

  close(): void {
    for (const side of [this.#oracle, this.#again, this.#ours]) side.close();
  }
}

async function report(
  judge: Judge,
  verdict: Verdict & { kind: 'different' },
  isShrinking: boolean,
): Promise<void> {
  let { input, found } = verdict;
  if (isShrinking) {
    input = await shrink(input, judge.kept, async (candidate) => {
      const smaller = await judge.judge(candidate);
      if (smaller.kind !== 'different' || !isSameKind(found, smaller.found)) return false;
      found = smaller.found;
      return true;
    });
  }
  process.stdout.write(`${printJson(input)}\n${describeDifferences(found)}\n`);
}

/** Whether two lists of differences begin in the same field, so that shrinking does not wander off. */
function isSameKind(before: readonly Difference[], after: readonly Difference[]): boolean {
  const head = (list: readonly Difference[]): string | undefined => list[0]?.path.split(/[.[]/)[0];
  return head(before) === head(after);
}

process.exitCode = await main();
