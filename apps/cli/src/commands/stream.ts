import type { Answerer, MachineCommand } from '@kubeadmit/check/machine';
import { Command } from 'commander';
import type { CommandContext } from './context.ts';

/** What tells one command of the machine interface from another. */
export interface StreamCommand {
  readonly name: string;
  /** Its words behind `kubeadmit machine`. */
  readonly command: string;
  readonly summary: string;
  readonly description: string;
  /** The shape of a line of input. */
  readonly input: string;
  /** The shape of a line of output. */
  readonly output: string;
  /** More to know, before the examples. */
  readonly notes?: string;
  /** Arguments after `kubeadmit`, one example a line. */
  readonly examples: readonly string[];
  /** Loads what answers a case: only now, so that the program starts quickly. */
  readonly load: () => Promise<Answerer>;
}

/** Loads what answers the cases of a command. */
export function answererOf(command: MachineCommand): () => Promise<Answerer> {
  return async () => {
    const { loadAnswerer } = await import('@kubeadmit/check/machine');
    return loadAnswerer(command, { clock: Date.now });
  };
}

/** A command that answers JSON lines: the machine interface. */
export function streamCommand(context: CommandContext, stream: StreamCommand): Command {
  return new Command(stream.name)
    .summary(stream.summary)
    .description(stream.description)
    .argument('<file>', 'a file of JSON lines, or - for standard input')
    .addHelpText('after', guide(stream))
    .action(async (file: string) => {
      const { answerLines } = await import('../machine/lines.ts');
      context.finish(await answerLines(file, stream, context.terminal));
    });
}

function guide({ input, output, notes, examples }: StreamCommand): string {
  return `
For scripts and other programs. Each line of input is one case, and gives one line of output, in
the same order, as soon as it is known:

  in   ${input}
  out  ${output}
${notes === undefined ? '' : `\n${notes}\n`}
A line that is no case gets {"id", "failure"}, and the stream goes on.

Examples:
${examples.map((example) => `  ${example}`).join('\n')}

Exit codes: 0 every line was answered, 2 the input cannot be read or no line of it is JSON.`;
}
