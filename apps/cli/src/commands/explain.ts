import { Command } from 'commander';
import { type CommandContext, running } from './context.ts';
import { addInputOptions, formatOption } from './input-options.ts';

const guide = `
Tells for every manifest what becomes of it, with the sentence that the user would see, and why: what
failed, with the values that decided it, the line of the policy and the line of the manifest; what
holds and what does not match in a line each, with the selector or rule that does not fit and what is
there instead. Policies of Kyverno are told of rule by rule. With -v, every expression that was
evaluated, with its value, its cost and the values of what it reads; -o json has all of it, whole
(schema/explain.schema.json of this package). Of \`&&\`, \`||\` and \`? :\` the parts are told with the one
that decided, and what mutations changed step by step. The inputs are those of \`kubeadmit check\`.
On a terminal the text goes through PAGER (default less).

Examples:
  kubeadmit explain examples/replica-limits
  kubeadmit explain --policy replica-limits -p policies/ -r deployment.yaml
  kubeadmit explain -o json policies/ pod.yaml | jq '.results[].policies[] | select(.matched)'

Exit codes: 0 nothing denied, 1 a policy denied, 2 usage or input that cannot be read,
3 a policy that kube-apiserver would refuse.`;

/** `kubeadmit explain`: why policies decide as they do. */
export function explainCommand(context: CommandContext): Command {
  const command = new Command('explain')
    .summary('tell why policies decide as they do')
    .description('Tell what each admission policy makes of manifests, and why.');
  return addInputOptions(command)
    .option('--policy <name>', 'tell of this policy only')
    .option('-v, --verbose', 'show everything that was evaluated, also what holds')
    .addOption(formatOption('how to print the explanation', ['text', 'json']))
    .option('--no-pager', 'print on a terminal as elsewhere, and not through PAGER')
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../explain/explain.ts')).explain));
}
