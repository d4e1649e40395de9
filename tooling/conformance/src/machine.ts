import { answerLine, loadAnswerer, type MachineCommand } from '@kubeadmit/machine';
import type { Command } from './commands.ts';
import { Comparison, type ComparisonOptions } from './comparison.ts';
import { type JsonObject, parseJson, printJson } from './json.ts';

/** Compares this process's answers to the cases of a command with those of an oracle. */
export async function machineComparison(
  command: Command,
  options: Omit<ComparisonOptions, 'ours'>,
): Promise<Comparison> {
  const answerer = await loadAnswerer(command.name as MachineCommand, { clock: Date.now });
  const ours = async (input: JsonObject): Promise<JsonObject> =>
    parseJson(await answerLine(printJson(input), answerer)) as JsonObject;
  return new Comparison(command, { ...options, ours });
}
