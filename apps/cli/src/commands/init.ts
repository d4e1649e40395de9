import { Command, Option } from 'commander';
import { ciSystems } from '../init/templates.ts';
import { type CommandContext, running } from './context.ts';
import { collect } from './input-options.ts';

const guide = `
Examples:
  kubeadmit init
  kubeadmit init --ci gitlab admission/policies
  kubeadmit init --from drop-all-capabilities --from image-digests

Exit codes: 0 all files were written, 2 a file already exists, cannot be written, or a policy is unknown;
then nothing is written.`;

/** `kubeadmit init`: creates a policy with tests and a CI job. */
export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .summary('Create a policy with tests and a CI job')
    .description('Create a policy with a binding, tests and a CI job.')
    .argument('[folder]', 'Folder for the policy and its tests', 'policies')
    .addOption(new Option('--ci <system>', 'CI system').choices(ciSystems).default('github'))
    .option('--from <name>', 'Copy this policy from the library, or all (repeatable)', collect)
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../init/init.ts')).init));
}
