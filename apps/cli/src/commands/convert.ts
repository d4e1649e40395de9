import { Command, Option } from 'commander';
import { type CommandContext, running } from './context.ts';
import { addReadOptions, wholeNumber } from './input-options.ts';

const guide = `
Each validate or mutate rule of a ClusterPolicy or Policy becomes an admission policy with its binding,
printed as YAML; so do Kyverno's ValidatingPolicies and MutatingPolicies, and Gatekeeper constraints
whose templates are in CEL. CustomResourceDefinitions, exceptions, templates and ConfigMaps among the
inputs are taken into account. Enforced rules deny, others audit. Rules about pods also cover the pods
of Deployments and other controllers, as in Kyverno.

With --to kyverno, rules that generate objects or verify images and cleanup policies become
GeneratingPolicies, ImageValidatingPolicies and DeletingPolicies. Other targets report them.

Each result is validated as kube-apiserver of the version would, and compared with its rule on 300
generated requests, which are the same in every run. A rule that differs counts as partly converted;
its reason shows the smallest object found. --prove compares more requests and prints the outcome of each rule.

Rules that cannot be converted in full (API calls, roles, mutation of existing objects, ...) are reported on
standard error and in the report, with the reason and, where one exists, an alternative. Results that
use at least half of a server's cost limits are reported too (for at most 25 policies and objects of up
to 128 KiB; --prove measures all policies and sizes).

Examples:
  kubeadmit convert policies/ > converted.yaml
  kubeadmit convert policies/ crds/ --report report.json --allow-partial | kubectl apply -f -
  kubeadmit convert --prove 2000 --report report.json policies/
  kubeadmit convert --to kyverno --kubernetes-version 1.34 policy.yaml

Exit codes: 0 all rules converted, 1 a rule was not converted in full, or --prove found a difference or
nothing to compare, 2 invalid usage or unreadable input.`;

/** `kubeadmit convert`: converts Kyverno rules to admission policies. */
export function convertCommand(context: CommandContext): Command {
  const command = new Command('convert')
    .summary('Convert Kyverno rules to admission policies')
    .description('Convert Kyverno rules to Kubernetes admission policies.')
    .argument('<paths...>', 'Files, folders, or - for standard input');
  return addReadOptions(command)
    .addOption(
      new Option('--to <target>', "Convert to Kubernetes' own policies or to Kyverno's in CEL")
        .choices(['admission', 'kyverno'])
        .default('admission'),
    )
    .option('--kubernetes-version <version>', 'Kubernetes version, for example 1.34')
    .option('--idiomatic', 'Prefer simpler expressions even if they differ slightly')
    .option('--allow-partial', 'Exit with 0 even if rules were not converted in full')
    .option(
      '--prove <requests>',
      'Number of generated requests per rule (default: 300)',
      wholeNumber(1),
    )
    .option('--no-search', 'Do not compare results with their rules')
    .option('--report <file>', 'Write the outcome of each rule as JSON')
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../convert/convert.ts')).convert));
}
