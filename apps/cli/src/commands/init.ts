import { Command, Option } from 'commander';
import { ciSystems } from '../init/templates.ts';
import { type CommandContext, running } from './context.ts';

const guide = `
Examples:
  kubeadmit init
  kubeadmit init --ci gitlab admission/policies

Exit codes: 0 all was written, 2 one of the files is there already or cannot be written, and nothing was.`;

/** `kubeadmit init`: files to start from. */
export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .summary('write a policy, its tests and a job of CI to start from')
    .description('Write a policy, its binding, their tests and a job of CI to start from.')
    .argument('[folder]', 'where the policy and its tests are written', 'policies')
    .addOption(
      new Option('--ci <system>', 'the CI system whose file is written')
        .choices(ciSystems)
        .default('github'),
    )
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../init/init.ts')).init));
}
