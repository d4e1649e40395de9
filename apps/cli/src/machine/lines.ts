import { type Answerer, answerLine } from '@kubeadmit/machine';
import { openInput } from '../input/streams.ts';
import { jsonWithoutCommands } from '../output/ci-commands.ts';
import { printableLine } from '../output/style.ts';
import { type ExitCode, exitCode, type Terminal, withReader, write } from '../process/terminal.ts';

/** A command that answers lines. */
export interface LineCommand {
  /** Its words behind `kubeadmit machine`. */
  readonly command: string;
  /** Loads the function that answers a case. */
  readonly load: () => Promise<Answerer>;
}

/**
 * Answers every line of a file (`-` for standard input) in order, each as soon as its answer is available.
 *
 * Empty lines are skipped. A line that is not JSON or not a case gets a `failure`. If none of the lines is JSON,
 * the input is probably YAML: standard error names the command that reads manifests, and the exit code is 2.
 *
 * @throws CommandFailure if the file cannot be read.
 */
export async function answerLines(
  file: string,
  { command, load }: LineCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  const input = await openInput(file, terminal);
  const answer = await load();
  const { stdout, stderr } = withReader(terminal);
  let isEmpty = true;
  let isJson = false;
  for await (const line of readLines(input)) {
    if (line.trim() === '') continue;
    isEmpty = false;
    isJson ||= parsesAsJson(line);
    await write(stdout, `${jsonWithoutCommands(await answerLine(line, answer))}\n`);
  }
  const name = printableLine(file === '-' ? '<stdin>' : file);
  if (isEmpty) stderr.write(`warning: ${name}: the file contains no cases\n`);
  if (isEmpty || isJson) return exitCode.success;
  stderr.write(`error: ${name}: no line is JSON; ${meantText(command, file)}\n`);
  return exitCode.usage;
}

function parsesAsJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Names the command for people that a machine command was taken for. */
function meantText(command: string, file: string): string {
  const [first = ''] = command.split(' ');
  const [about, words] = meant[first] ?? ['To check manifests', 'check'];
  const reads = `\`kubeadmit machine ${command}\` reads one JSON case per line`;
  const space = words.endsWith('=') ? '' : ' ';
  return `${reads}. ${about}: kubeadmit ${words}${space}${printableLine(file)}`;
}

const meant: Readonly<Record<string, readonly [about: string, words: string]>> = {
  decode: ['To print manifests with their defaults', 'mutate'],
  lint: ['To lint policies', 'lint'],
  eval: ['To evaluate an expression', "eval '1 + 1' -f object="],
};

/** Yields the lines of a UTF-8 stream as soon as they are complete. */
async function* readLines(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for await (const chunk of stream) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      pieces.push(text.slice(start, end));
      yield pieces.join('');
      pieces.length = 0;
      start = end + 1;
    }
    pieces.push(text.slice(start));
  }
  pieces.push(decoder.decode());
  const last = pieces.join('');
  if (last !== '') yield last;
}
