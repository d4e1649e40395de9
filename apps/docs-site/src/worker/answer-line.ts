import {
  type Answerer,
  answerLine as answerWith,
  isMachineCommand,
  loadAnswerer,
  type MachineCommand,
  machineCommands,
} from '@kubeadmit/machine';

const loaded = new Map<MachineCommand, Promise<Answerer>>();

/**
 * Answers one line of a command of the machine interface, such as `admit`, with another.
 *
 * The code of a command is loaded on its first use.
 */
export async function answerLine(command: string, line: string): Promise<string> {
  if (!isMachineCommand(command)) {
    const known = machineCommands.map((name) => `\`${name}\``).join(', ');
    return answerWith(line, () => ({
      failure: `unknown command \`${command}\`; expected one of ${known}`,
    }));
  }
  let answerer = loaded.get(command);
  if (answerer === undefined) {
    answerer = loadAnswerer(command, { clock: () => Date.now() });
    loaded.set(command, answerer);
  }
  return answerWith(line, await answerer);
}
