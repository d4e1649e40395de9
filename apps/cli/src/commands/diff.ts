import { Command, Option } from 'commander';
import type { DiffOptions } from '../diff/diff.ts';
import { withoutReader } from '../process/terminal.ts';
import type { CommandContext } from './context.ts';
import { collect, formatOption, wholeNumber } from './input-options.ts';

const guide = `
Compares verdicts, messages, warnings and mutated objects of two policy sets: native policies with their
bindings, and Kyverno's. The requests are those for the objects given with -r. With --search, more are
generated from the schemas of the matched kinds and the fields, literals and limits that the policies
use. Each difference is reduced to the smallest request. With --verdicts, two denials with different
messages are equal, and so are a warning and an audit annotation; use it for converted policies.

A search without a difference does not prove that the sets are equal. The summary shows how many policies
of each side matched, and which conditions were never true or never false. If no policy of one side
matched, it is an error.

Examples:
  kubeadmit diff old/ new/ -r manifests/
  kubeadmit diff old/policy.yaml new/policy.yaml --search 5000
  kubeadmit diff old/ new/ --search 5000 --seed 7 -o json | jq '.differences[0].case'
  kubeadmit diff old/ new/ --search 5000 -o markdown > comment.md
  kubeadmit diff policies/ converted.yaml --verdicts --search 5000

Exit codes: 0 no difference, 1 a difference, 2 invalid usage or unreadable input, 3 a policy that
kube-apiserver would reject.`;

/** `kubeadmit diff`: finds requests on which two policy sets differ. */
export function diffCommand(context: CommandContext): Command {
  return new Command('diff')
    .summary('Find requests on which two policy sets differ')
    .description('Find requests on which two policy sets differ.')
    .argument('<old>', 'File or folder with policies and their dependencies')
    .argument('<new>', 'File or folder to compare with: the policies after a change')
    .addOption(
      new Option('-r, --resources <path>', 'Objects to compare (repeatable)')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--search <requests>', 'Number of requests to generate', wholeNumber(1))
    .option(
      '--seed <number>',
      'Seed of the search; the same seed gives the same requests',
      wholeNumber(0),
    )
    .option('--verdicts', 'Ignore messages: compare verdicts and objects only')
    .option('--export <folder>', 'Write each difference as a test into this new or empty folder')
    .option('--kubernetes-version <version>', 'Kubernetes version, for example 1.34')
    .addOption(formatOption('Output format', ['text', 'json', 'markdown']))
    .addHelpText('after', guide)
    .action(async (before: string, after: string, options: DiffOptions) => {
      const { diff } = await import('../diff/diff.ts');
      context.finish(await diff([before, after], options, withoutReader(context.terminal)));
    });
}
