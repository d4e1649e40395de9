import type { Answerer } from '@kubeadmit/machine';
import { Command } from 'commander';
import type { CommandContext } from './context.ts';

/** One command of the machine interface. */
export interface StreamCommand {
  readonly name: string;
  /** The words after `kubeadmit machine`. */
  readonly command: string;
  readonly summary: string;
  readonly description: string;
  /** The shape of a line of input. */
  readonly input: string;
  /** The shape of a line of output. */
  readonly output: string;
  /** Notes before the examples. */
  readonly notes?: string;
  /** Arguments after `kubeadmit`, one example a line. */
  readonly examples: readonly string[];
  /** Loads the function that answers a case, on demand. */
  readonly load: () => Promise<Answerer>;
}

/** Defines a command that answers JSON lines. */
export function streamCommand(context: CommandContext, stream: StreamCommand): Command {
  return new Command(stream.name)
    .summary(stream.summary)
    .description(stream.description)
    .argument('<file>', 'File of JSON Lines, or - for standard input')
    .addHelpText('after', guide(stream))
    .action(async (file: string) => {
      const { answerLines } = await import('../machine/lines.ts');
      context.finish(await answerLines(file, stream, context.terminal));
    });
}

function guide({ input, output, notes, examples }: StreamCommand): string {
  return `
For scripts and other programs. Each line of input is one case. Its answer is one line of output, in the
same order, written immediately:

  in   ${input}
  out  ${output}
${notes === undefined ? '' : `\n${notes}\n`}
An invalid line is answered by {"id", "failure"}, and the stream continues.

Examples:
${examples.map((example) => `  ${example}`).join('\n')}

Exit codes: 0 every line was answered, 2 unreadable input, or no line is JSON.`;
}
