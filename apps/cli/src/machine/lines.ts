import { type Answerer, answerLine } from '@kubeadmit/check/machine';
import { openInput } from '../input/streams.ts';
import { type ExitCode, exitCode, type Terminal, withReader, write } from '../terminal.ts';

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
  const { stdout, stderr } = withReader(terminal);
  let isEmpty = true;
  for await (const line of readLines(input)) {
    if (line.trim() === '') continue;
    isEmpty = false;
    await write(stdout, `${await answerLine(line, answer)}\n`);
  }
  if (isEmpty) stderr.write(`warning: ${file === '-' ? '<stdin>' : file}: no case in this file\n`);
  return exitCode.success;
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
