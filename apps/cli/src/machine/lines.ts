import { JsonError, parseJson } from '@kubeadmit/cel';
import { isRecord, stringifyJson } from '@kubeadmit/manifest';
import { openInput } from '../input/streams.ts';
import { type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';

/** A case of the machine interface: one JSON object. */
export type Case = Readonly<Record<string, unknown>>;

/** The answer to a case; `id` is added to it. */
export type Answer = Readonly<Record<string, unknown>>;

/** Answers one case. A {@link CaseFailure} becomes the `failure` of its answer. */
export type Answerer = (input: Case) => Answer | Promise<Answer>;

/** A case that cannot be answered: the text is its `failure`. */
export class CaseFailure extends Error {}

/**
 * Answers every line of a file (`-` for standard input) in order, each as soon as it is known.
 *
 * Empty lines are passed over. A line that is not JSON or no case gets a `failure`.
 *
 * @throws CommandFailure when the file cannot be read.
 */
export async function answerLines(
  file: string,
  load: () => Promise<Answerer>,
  terminal: Terminal,
): Promise<ExitCode> {
  const input = await openInput(file, terminal);
  const answer = await load();
  for await (const line of readLines(input)) {
    if (line.trim() === '') continue;
    await write(terminal.stdout, `${await answerLine(line, answer)}\n`);
  }
  return exitCode.success;
}

async function answerLine(line: string, answer: Answerer): Promise<string> {
  let id: unknown = null;
  try {
    const input = parseCase(line);
    id = Object.hasOwn(input, 'id') ? input['id'] : null;
    return stringifyJson({ id, ...(await answer(input)) });
  } catch (error) {
    if (error instanceof JsonError) {
      return stringifyJson({ id: idOfBrokenLine(line), failure: `not JSON: ${error.message}` });
    }
    const failure =
      error instanceof CaseFailure ? error.message : `internal error: ${String(error)}`;
    return stringifyJson({ id, failure });
  }
}

function parseCase(line: string): Case {
  const input = parseJson(line, { wholeDoubles: true });
  if (!isRecord(input)) throw new CaseFailure('not a case: expected a JSON object');
  return input;
}

/** The id that a line begins with even though the rest of it is not JSON. */
function idOfBrokenLine(line: string): unknown {
  const quoted = /^\s*\{\s*"id"\s*:\s*("(?:[^"\\\n]|\\["\\/bfnrtu])*")/.exec(line)?.[1];
  try {
    return quoted === undefined ? null : JSON.parse(quoted);
  } catch {
    return null;
  }
}

/** The lines of a stream of UTF-8, each as soon as it is complete. */
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
