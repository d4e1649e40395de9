import { Command } from 'commander';
import { type CommandContext, running } from './context.ts';
import { addInputOptions, formatOption } from './input-options.ts';

const guide = `
Prints manifests as MutatingAdmissionPolicies leave them, with the defaults of the server; fields
keep the order in which they were written. ValidatingAdmissionPolicies are left out: \`kubeadmit
check\` asks them too.

With --diff, each change is told with the policy, the mutation, the binding and the parameters that
made it; with -o json as one document.

Examples:
  kubeadmit mutate examples/team-label
  kubeadmit mutate --diff -p policies/ -r pod.yaml
  kubeadmit mutate -o json -p policies/ -r pod.yaml | jq .spec
  kubeadmit mutate --diff -o json -p policies/ -r pods/ | jq '.results[].changes[].policy'

Exit codes: 0 all right, 1 a policy failed and denied, 2 usage or input that cannot be read,
3 a policy that kube-apiserver would refuse.`;

/** `kubeadmit mutate`: manifests after mutation. */
export function mutateCommand(context: CommandContext): Command {
  const command = new Command('mutate')
    .summary('show manifests after mutation')
    .description('Show what mutating admission policies make of manifests.');
  return addInputOptions(command)
    .addOption(formatOption('how to print the objects', ['yaml', 'json']))
    .option('--diff', 'print what changed, and which mutation changed it, instead of the objects')
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../mutate/mutate.ts')).mutate));
}
