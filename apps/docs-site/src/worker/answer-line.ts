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
 * What a command needs is loaded when it is first asked for.
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
