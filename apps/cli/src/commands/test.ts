import { Command, Option } from 'commander';
import type { TestOptions } from '../test/test.ts';
import type { CommandContext } from './context.ts';

const guide = `
Runs files called kyverno-test.yaml (cli.kyverno.io/v1alpha1, kind Test) as the Kyverno CLI does, without
a cluster and without a network: ClusterPolicy, Policy, ValidatingPolicy and MutatingPolicy of Kyverno,
and ValidatingAdmissionPolicy and MutatingAdmissionPolicy. What needs a registry or a cluster (image
verification, generation, deletion) is not passed but counted as an error.

Examples:
  kubeadmit test policies/
  kubeadmit test --fail-only --detailed-results .
  kubeadmit test -t 'policy=require-*,resource=bad-pod' policies/
  kubeadmit test -o json . | jq '.tests[] | select(.result == "fail")'

Exit codes: 0 every row passed, 1 a row failed or could not be checked, 2 usage or tests that cannot
be read.`;

/** `kubeadmit test`: the tests of Kyverno policies. */
export function testCommand(context: CommandContext): Command {
  return new Command('test')
    .summary('run kyverno-test.yaml files')
    .description('Run the tests of policies (kyverno-test.yaml).')
    .argument('[paths...]', 'folders or files with tests (default: this folder)')
    .addOption(
      new Option('-o, --output <format>', 'how to print the results')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('-f, --file-name <name>', 'what files with tests are called', 'kyverno-test.yaml')
    .option(
      '-t, --test-case-selector <selector>',
      'which rows to run, with wildcards',
      'policy=*,rule=*,resource=*',
    )
    .option('--fail-only', 'show only what failed')
    .option('--detailed-results', 'show the messages of all results')
    .option('--require-tests', 'fail when there are no tests')
    .addHelpText('after', guide)
    .action(async (paths: readonly string[], options: TestOptions) => {
      const { test } = await import('../test/test.ts');
      context.finish(await test(paths, options, context.terminal));
    });
}
