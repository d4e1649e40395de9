import { Command, Option } from 'commander';
import { ciSystems } from '../init/templates.ts';
import { type CommandContext, running } from './context.ts';

const guide = `
Examples:
  kubeadmit init
  kubeadmit init --ci gitlab admission/policies

Exit codes: 0 all files were written, 2 a file exists or cannot be written, and nothing was written.`;

/** `kubeadmit init`: creates a policy with tests and a CI job. */
export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .summary('Create a policy with tests and a CI job')
    .description('Create a policy with a binding, tests and a CI job.')
    .argument('[folder]', 'Folder for the policy and its tests', 'policies')
    .addOption(new Option('--ci <system>', 'CI system').choices(ciSystems).default('github'))
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../init/init.ts')).init));
}
