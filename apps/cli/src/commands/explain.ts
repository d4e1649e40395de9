import { Command } from 'commander';
import { type CommandContext, running } from './context.ts';
import { addInputOptions, formatOption } from './input-options.ts';

const guide = `
For every manifest, shows the verdict with the message that the user would see, and the reason:

  - failed validations, with the values that decided them and the lines in the policy and the manifest
  - policies that do not match, with the rule or selector that differs and the actual value
  - fields that admission plugins changed
  - Kyverno policies rule by rule, and mutations change by change

With -v, every evaluated expression is shown with its value, its cost and the values that it reads.
-o json contains everything (schema/explain.schema.json of this package). Inputs are those of
\`kubeadmit check\`. On a terminal, the output goes through PAGER (default: less).

Examples:
  kubeadmit explain examples/replica-limits
  kubeadmit explain --policy replica-limits -p policies/ -r deployment.yaml
  kubeadmit explain -o json policies/ pod.yaml | jq '.results[].policies[] | select(.matched)'

Exit codes: 0 nothing denied, 1 a policy denied an object, 2 invalid usage or unreadable input,
3 a policy that kube-apiserver would reject, 4 the cluster of --context cannot be reached.`;

/** `kubeadmit explain`: explains verdicts. */
export function explainCommand(context: CommandContext): Command {
  const command = new Command('explain')
    .summary('Explain why policies allowed or denied an object')
    .description('Explain why admission policies allowed or denied each manifest.');
  return addInputOptions(command)
    .optionsGroup('Output:')
    .option('--policy <name>', 'Explain only this policy')
    .option('-v, --verbose', 'Show every evaluated expression')
    .addOption(formatOption('Output format', ['text', 'json']))
    .option('--no-pager', 'Do not use PAGER on a terminal')
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../explain/explain.ts')).explain));
}
