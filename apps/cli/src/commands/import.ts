import { Command } from 'commander';
import { type CommandContext, running } from './context.ts';

const guide = `
Reads kyverno-test.yaml (Kyverno CLI), kaptest.yaml (kaptest), suites of gator and folders called tests
(kat). Templates and constraints of gator become admission policies with their bindings. What a suite
asks, the server decides as a whole: a rule that does not match is \`not concerned\`, and a policy that the
server would refuse is an error.

Examples:
  kubeadmit import policies/kyverno-test.yaml
  kubeadmit import --write policies/

Exit codes: 0 all was rewritten, 2 usage or tests that cannot be read, or that suites have no words for.`;

/** `kubeadmit import`: tests of other tools as suites. */
export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .summary('rewrite tests of other tools as suites')
    .description(
      'Rewrite tests of the Kyverno CLI, kaptest, kat and gator as suites (*.admit.yaml).',
    )
    .argument('<paths...>', 'files and folders with tests')
    .option('--write', 'write each suite beside its tests, and not to standard output')
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../import/import.ts')).importTests));
}
