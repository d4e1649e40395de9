import { compileFinder } from '@kubeadmit/go/unstable-internal';
import { Command, InvalidArgumentError, Option } from 'commander';
import { testFormats } from '../output/formats/names.ts';
import { outputOption, outputTarget } from '../output/targets.ts';
import { withoutReader } from '../process/terminal.ts';
import type { NameFilter, Shard, TestOptions } from '../test/options.ts';
import type { CommandContext } from './context.ts';
import { collect, imageDataOption, outsideOption, trustedRootOption } from './input-options.ts';
import { pluginsOption } from './plugins-option.ts';

const guide = `
Runs policy tests without a cluster and without network access:

  *.admit.yaml       Suites for ValidatingAdmissionPolicy, MutatingAdmissionPolicy and Kyverno rules: objects
                     or requests, and the expected outcome of each. A case that no policy matches fails
                     unless it expects that, and so does a policy that matches no case (see --no-strict).
                     The docs contain the format and its JSON Schema.
  kyverno-test.yaml  Tests of the Kyverno CLI (cli.kyverno.io/v1alpha1, kind Test). Images are verified
                     with --image-data. Unknown resources, rules and kinds in rows, and values
                     that match nothing, are warnings. --strict makes them errors, and reports excluded rows
                     and policies without a row.
  kaptest.yaml       Tests of kaptest: every policy is evaluated for every object, whatever its rules select.
  kind: Suite        Suites of gator (test.gatekeeper.sh), in files of any name, with templates in CEL
                     (K8sNativeValidation). Templates in Rego and expansions are errors.
  tests/             Tests of kat, next to policy.yaml and binding.yaml.

A policy that the server would reject is an error, even if the other tool accepts it.

Examples:
  kubeadmit test policies/
  kubeadmit test --run 'replica-limits/.*forty' --verbose
  kubeadmit test --list
  kubeadmit test --watch policies/
  kubeadmit test -o text -o junit=report.xml
  kubeadmit test --coverage --coverage-output lcov=lcov.info --coverage-threshold 90
  kubeadmit test -o json . | jq '.tests[] | select(.result == "fail")'

Coverage counts expressions: whether conditions, validations, operands of && and ||, conditions of ?: and
bodies of loops were both true and false, and whether variables, messages and mutations were evaluated.

--mutate-policies changes one thing at a time in the native policies of suites: operators, limits, names,
guards, conditions, validations, messages, operations and resources. Each change should make a test fail.

Exit codes: 0 all tests passed, 1 a test failed or had an error, or coverage is below the threshold,
or a mutation was not caught, 2 invalid usage or unreadable tests.`;

/** `kubeadmit test`: runs policy tests. */
export function testCommand(context: CommandContext): Command {
  return new Command('test')
    .summary('Run policy tests')
    .description('Run policy tests (*.admit.yaml, kyverno-test.yaml and others).')
    .argument('[paths...]', 'Folders or files with tests (default: the working directory)')
    .addOption(outputOption(testFormats))
    .option('--run <regex>', 'Run only tests whose name matches (RE2 syntax)', regexOf)
    .addOption(
      new Option('--list', 'Print the names of tests without running them').conflicts([
        ...['output', 'coverage', 'coverageOutput', 'coverageThreshold'],
        ...['mutatePolicies', 'update'],
      ]),
    )
    .option('--fail-fast', 'Stop at the first test that does not pass')
    .option('--shard <i/n>', 'Run only the i-th of n parts, for example 2/4', shardOf)
    .option('-u, --update', 'Update the snapshots of cases')
    .option(
      '--kubernetes-version <version>',
      'Kubernetes version for cases without one (repeatable)',
      collect,
    )
    .addOption(pluginsOption())
    .option('--strict', 'Report tests that test nothing (default for *.admit.yaml)')
    .option('--no-strict', 'Accept policies that match no case')
    .option('--coverage', 'Show the coverage of native policies')
    .option(
      '--coverage-output <format[=file]>',
      'Coverage as text, json, lcov or html (repeatable)',
      outputTarget(['text', 'json', 'lcov', 'html']),
    )
    .option('--coverage-threshold <percent>', 'Fail if coverage is lower', percentOf)
    .option('--mutate-policies', 'Mutation testing: list policy changes that no test catches')
    .addOption(imageDataOption())
    .addOption(trustedRootOption())
    .addOption(outsideOption())
    .option('-w, --watch', 'Run affected tests after each change, until q is pressed')
    .option('-v, --verbose', 'Also list tests that pass')
    .option('-q, --quiet', 'Print nothing if all tests pass')
    .option('-f, --file-name <name>', 'Name of files with Kyverno tests', 'kyverno-test.yaml')
    .option(
      '-t, --test-case-selector <selector>',
      'Rows of kyverno-test.yaml to run, with wildcards',
      'policy=*,rule=*,resource=*',
    )
    .option('--fail-only', 'Show only failed tests')
    .option('--detailed-results', 'Show all results')
    .option('--require-tests', 'No effect: missing tests are always an error')
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

/** In linear time: people choose the expression, and authors of tests the names. */
function regexOf(text: string): NameFilter {
  const found = compileFinder(text);
  if ('error' in found) throw new InvalidArgumentError(`${found.error}.`);
  return { source: text, test: (name) => found.test(name) };
}

function shardOf(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw new InvalidArgumentError('Expected a part such as 2/4, the second of four.');
}

function percentOf(text: string): number {
  const percent = Number(text.replace(/ ?%$/, ''));
  if (text !== '' && percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError('Expected a number from 0 to 100.');
}
