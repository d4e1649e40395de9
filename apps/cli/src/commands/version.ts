import { Command } from 'commander';
import { version } from '../process/version.ts';
import type { CommandContext } from './context.ts';

const guide = `
Examples:
  kubeadmit version

Exit codes: 0 always.`;

/** `kubeadmit version`: prints the version. */
export function versionCommand({ terminal }: CommandContext): Command {
  return new Command('version')
    .summary('Print the version')
    .description('Print the version of kubeadmit.')
    .addHelpText('after', guide)
    .action(() => terminal.print(`${version}\n`));
}
