import { Command } from 'commander';
import { checkFormats } from '../output/formats/names.ts';
import { type CommandContext, running } from './context.ts';
import {
  addReadOptions,
  addUserOptions,
  addVerdictOptions,
  collectList,
  exceptionOption,
} from './input-options.ts';

const guide = `
Evaluates policies for each object in a cluster, as if it were created now. With paths, these are the
policies in files; without, those of the cluster. Namespaces, definitions, RBAC, parameters and the
version come from the cluster. Objects of every kind that a policy can match are read in pages through
your kubectl. Nothing is written; the reports of -o policyreport can be applied.

Examples:
  kubeadmit scan --context production
  kubeadmit scan --context staging policies/ --namespace shop
  kubeadmit scan --context production -o policyreport=reports.yaml policies/

Exit codes: 0 nothing denied, 1 a policy would deny an object, 2 invalid usage or unreadable input,
3 a policy that kube-apiserver would reject, 4 the cluster cannot be reached.`;

/** `kubeadmit scan`: checks the objects in a cluster. */
export function scanCommand(context: CommandContext): Command {
  const command = new Command('scan')
    .summary('Check the objects in a cluster against policies')
    .description('Check the objects in a cluster against admission policies.')
    .argument('[paths...]', 'Policies (default: those of the cluster)')
    .option('--context <name>', 'Cluster to scan, a context of the kubeconfig (required)')
    .option('--kubeconfig <file>', 'Kubeconfig that contains the context')
    .addOption(exceptionOption());
  const reading = addReadOptions(command)
    .option('-n, --namespace <name>', 'Scan only objects in this namespace')
    .option('--kinds <kinds>', 'Scan only objects of these kinds, comma-separated', collectList)
    .option('--kubernetes-version <version>', 'Kubernetes version (default: that of the cluster)');
  const formats = checkFormats.filter((format) => format !== 'cases');
  return addVerdictOptions(addUserOptions(reading), formats)
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../scan/scan.ts')).scan));
}
