import { Command, Option } from 'commander';
import { type CommandContext, running } from './context.ts';
import { addReadOptions, wholeNumber } from './input-options.ts';

const guide = `
Every validate and mutate rule of a ClusterPolicy or Policy becomes a policy of Kubernetes itself with
its binding, printed as YAML; so do Kyverno's ValidatingPolicies and MutatingPolicies, and constraints
of Gatekeeper whose templates are in CEL. Definitions of kinds, exceptions, templates and ConfigMaps
among the inputs are taken into account. Enforced rules deny, others audit. Rules about pods cover the pods of
Deployments and other controllers as well, as in Kyverno.

What has no equal (image verification, API calls, generation, …) is told on standard error and in the
report, with the reason and, where there is one, with another way; it is never left out silently.
What is printed has been validated as kube-apiserver of the version would. Where it costs half of
what a server allows for objects of up to 128 KiB, that is told, too (for more than 25 policies, and for
all sizes that etcd takes, with --report or --prove).

Examples:
  kubeadmit convert policies/ > converted.yaml
  kubeadmit convert policies/ crds/ --report report.json --allow-partial | kubectl apply -f -
  kubeadmit convert --prove 2000 --report report.json policies/
  kubeadmit convert --to kyverno --kubernetes-version 1.34 policy.yaml

Exit codes: 0 all rules converted, 1 some were not, or not in full, or a proof found a difference or
nothing to compare, 2 usage or input that cannot be read.`;

/** `kubeadmit convert`: Kubernetes' own policies from the rules of Kyverno. */
export function convertCommand(context: CommandContext): Command {
  const command = new Command('convert')
    .summary('turn Kyverno rules into admission policies')
    .description("Turn the rules of Kyverno policies into Kubernetes' own admission policies.")
    .argument(
      '<paths...>',
      'files, folders or -, with policies of Kyverno and definitions of kinds',
    );
  return addReadOptions(command)
    .addOption(
      new Option('--to <target>', "what comes out: Kubernetes' own policies, or Kyverno's in CEL")
        .choices(['admission', 'kyverno'])
        .default('admission'),
    )
    .option('--kubernetes-version <version>', 'the version of the cluster, for example 1.34')
    .option(
      '--idiomatic',
      'write the simple expression where it means something slightly else, and tell what',
    )
    .option('--allow-partial', 'end with 0 though some rules could not be converted in full')
    .option(
      '--prove <requests>',
      'compare every result with its rule on so many requests made by search',
      wholeNumber(1),
    )
    .option('--report <file>', 'write what became of each rule as JSON')
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../convert/convert.ts')).convert));
}
