import { Command, InvalidArgumentError, Option } from 'commander';
import { testFormats } from '../output/formats/names.ts';
import { outputOption, outputTarget } from '../output/targets.ts';
import { withoutReader } from '../terminal.ts';
import type { Shard, TestOptions } from '../test/options.ts';
import type { CommandContext } from './context.ts';
import { collect, outsideOption } from './input-options.ts';

const guide = `
Runs tests of policies without a cluster and without a network:

  *.admit.yaml       suites of cases for ValidatingAdmissionPolicy, MutatingAdmissionPolicy and rules of
                     Kyverno: objects or requests, and what is expected of each. A case that no policy
                     concerned fails unless it expects that, and so does a policy that concerned no case
                     (--no-strict leaves that out). The reference of the format and its JSON Schema are
                     part of the documentation.
  kyverno-test.yaml  tests of the Kyverno CLI (cli.kyverno.io/v1alpha1, kind Test). What needs a registry
                     or a cluster (image verification, generation, deletion) is not passed but counted as
                     an error. --strict makes errors of what the Kyverno CLI passes for nothing: excluded
                     rows, resources that nobody has, policies that no row is about.
  kaptest.yaml       tests of kaptest: policies are asked about every object, whatever their rules say.
  kind: Suite        suites of gator (test.gatekeeper.sh), in files of any name, whose templates are in CEL
                     (K8sNativeValidation). A template in Rego is an error, and so is an expansion.
  tests/             tests of kat, beside policy.yaml and binding.yaml. In both a policy that the server
                     would refuse is an error, though these tools take it.

Examples:
  kubeadmit test policies/
  kubeadmit test --run 'replica-limits/.*forty' --verbose
  kubeadmit test --list
  kubeadmit test --watch policies/
  kubeadmit test -o text -o junit=report.xml
  kubeadmit test --coverage --coverage-output lcov=lcov.info --coverage-threshold 90
  kubeadmit test -o json . | jq '.tests[] | select(.result == "fail")'

Coverage is about expressions: whether conditions and validations, operands of && and ||, conditions of ?:
and bodies of loops were true and false, and whether variables, messages and mutations were evaluated.

With --mutate-policies one thing after another is changed in the native policies of suites: operators, limits,
names, guards, conditions, validations, messages, operations and resources of rules. Because of each, a
test that passed should fail.

Exit codes: 0 every test passed, 1 one failed or could not be checked, or too little is covered or noticed, 2 usage or tests that cannot
be read.`;

/** `kubeadmit test`: the tests of policies. */
export function testCommand(context: CommandContext): Command {
  return new Command('test')
    .summary('run the tests of policies')
    .description('Run the tests of policies (*.admit.yaml, kyverno-test.yaml).')
    .argument('[paths...]', 'folders or files with tests (default: this folder)')
    .addOption(outputOption(testFormats))
    .option(
      '--run <regex>',
      'run only tests with such a name (JavaScript regular expression)',
      regexOf,
    )
    .addOption(
      new Option('--list', 'print the names of tests and run none').conflicts([
        ...['output', 'coverage', 'coverageOutput', 'coverageThreshold'],
        ...['mutatePolicies', 'update'],
      ]),
    )
    .option('--fail-fast', 'stop at the first test that does not pass')
    .option('--shard <i/n>', 'run only the i-th of n parts, for example 2/4', shardOf)
    .option('-u, --update', 'write the snapshots of cases anew')
    .option(
      '--kubernetes-version <version>',
      'a version of cases that name none; repeatable',
      collect,
    )
    .option('--strict', 'make errors of what passes for nothing (the default for *.admit.yaml)')
    .option('--no-strict', 'let policies pass that concern no case')
    .option('--coverage', 'show what the tests touch of the expressions of native policies')
    .option(
      '--coverage-output <format[=file]>',
      'coverage as text, json, lcov or html; repeatable',
      outputTarget(['text', 'json', 'lcov', 'html']),
    )
    .option('--coverage-threshold <percent>', 'fail where less is covered', percentOf)
    .option('--mutate-policies', 'change native policies, and show what no test notices')
    .addOption(outsideOption())
    .option('-w, --watch', 'run again what a change concerns, until q is pressed')
    .option('-v, --verbose', 'name the tests that pass too')
    .option('-q, --quiet', 'print nothing where all is well')
    .option(
      '-f, --file-name <name>',
      'what files with tests of Kyverno are called',
      'kyverno-test.yaml',
    )
    .option(
      '-t, --test-case-selector <selector>',
      'which rows of kyverno-test.yaml to run, with wildcards',
      'policy=*,rule=*,resource=*',
    )
    .option('--fail-only', 'show only what failed')
    .option('--detailed-results', 'show what became of all tests')
    .option(
      '--require-tests',
      'as without it: that there are no tests is an error (for scripts of other tools)',
    )
    .addHelpText('after', guide)
    .action(async (paths: readonly string[], options: TestOptions) => {
      if (options.watch === true) {
        const { watchTests } = await import('../test/watch.ts');
        context.finish(await watchTests(paths, options, context.terminal));
        return;
      }
      const { test } = await import('../test/test.ts');
      context.finish(await test(paths, options, withoutReader(context.terminal)));
    });
}

function regexOf(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? `${error.message}.` : '');
  }
}

function shardOf(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw new InvalidArgumentError('Not a part such as 2/4, the second of four.');
}

function percentOf(text: string): number {
  const percent = Number(text.replace(/ ?%$/, ''));
  if (text !== '' && percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError('Not a number from 0 to 100.');
}
