import { Command } from 'commander';
import { type CommandContext, running } from './context.ts';
import { addInputOptions, formatOption } from './input-options.ts';

const guide = `
Prints manifests after the changes of MutatingAdmissionPolicies, Kyverno's policies and admission plugins,
with the defaults of the server. Fields keep their order. ValidatingAdmissionPolicies are ignored;
\`kubeadmit check\` evaluates them too.

With --diff, each change is shown with the policy, mutation, binding and parameters, or the plugin, that
made it; with -o json as one document.

Examples:
  kubeadmit mutate examples/team-label
  kubeadmit mutate --diff -p policies/ -r pod.yaml
  kubeadmit mutate -o json -p policies/ -r pod.yaml | jq .spec
  kubeadmit mutate --diff -o json -p policies/ -r pods/ | jq '.results[].changes[].policy'

Exit codes: 0 no problems, 1 a policy failed and denied an object, 2 invalid usage, unreadable input,
or no mutating policy that matches any object, 3 a policy that kube-apiserver would reject, 4 the cluster
of --context cannot be reached.`;

/** `kubeadmit mutate`: prints manifests after mutation. */
export function mutateCommand(context: CommandContext): Command {
  const command = new Command('mutate')
    .summary('Show manifests after mutation')
    .description('Show manifests after mutating admission policies were applied.');
  return addInputOptions(command)
    .option('--allow-nothing', 'Accept that no policy matches any object')
    .optionsGroup('Output:')
    .addOption(formatOption('Output format', ['yaml', 'json']))
    .option('--diff', 'Print the changes and the mutations that made them')
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../mutate/mutate.ts')).mutate));
}
