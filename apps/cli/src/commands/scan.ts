import { Command } from 'commander';
import { checkFormats } from '../output/formats/names.ts';
import { type CommandContext, running } from './context.ts';
import { addReadOptions, addUserOptions, addVerdictOptions, collectList } from './input-options.ts';

const guide = `
Asks policies what they would say of each object that a cluster holds, as if it was created now. With
paths these are the policies of files, else those of the cluster itself. Namespaces, definitions, RBAC,
parameters and the version are the cluster's. Objects are read in pages through your kubectl, of every
kind that a policy can concern, and nothing is written: with -o policyreport the reports can be applied.

Examples:
  kubeadmit scan --context production
  kubeadmit scan --context staging policies/ --namespace shop
  kubeadmit scan --context production -o policyreport=reports.yaml policies/

Exit codes: 0 nothing denied, 1 a policy would deny, 2 usage or input that cannot be read, 3 a policy
that kube-apiserver would refuse, 4 a cluster that cannot be reached.`;

/** `kubeadmit scan`: policies on what a cluster holds. */
export function scanCommand(context: CommandContext): Command {
  const command = new Command('scan')
    .summary('ask policies about what a cluster holds')
    .description('Ask admission policies what they would say of the objects of a cluster.')
    .argument('[paths...]', 'policies; without any, those of the cluster')
    .requiredOption('--context <name>', 'the cluster, a context of the kubeconfig')
    .option('--kubeconfig <file>', 'where that context stands');
  const reading = addReadOptions(command)
    .option('-n, --namespace <name>', 'only the objects of this namespace')
    .option('--kinds <kinds>', 'only objects of these kinds, with commas between', collectList)
    .option('--kubernetes-version <version>', 'another version than the one of the cluster');
  const formats = checkFormats.filter((format) => format !== 'cases');
  return addVerdictOptions(addUserOptions(reading, 'the user who would create them'), formats)
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../scan/scan.ts')).scan));
}
