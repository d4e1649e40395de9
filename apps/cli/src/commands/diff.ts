import { Command } from 'commander';
import type { DiffOptions } from '../diff/diff.ts';
import { withoutReader } from '../terminal.ts';
import type { CommandContext } from './context.ts';
import { collect, formatOption, wholeNumber } from './input-options.ts';

const guide = `
Compares verdicts, messages, warnings and mutated objects of two sets of policies: native ones with
their bindings, and Kyverno's. The requests are those for the resources given with -r, and with --search
others that are made by chance from the schemas of the matched kinds, steered by the fields, literals
and limits that the policies name. Each difference is made as small as it goes.

The search keeps to requests that take new branches of the policies. One that finds nothing proves
little by itself: the summary says how many policies of each side had anything to say, and which
conditions were never true, or never false; a side none of whose policies said anything is an error.

Examples:
  kubeadmit diff old/ new/ -r manifests/
  kubeadmit diff old/policy.yaml new/policy.yaml --search 5000
  kubeadmit diff old/ new/ --search 5000 --seed 7 -o json | jq '.differences[0].case'
  kubeadmit diff old/ new/ --search 5000 -o markdown > comment.md

Exit codes: 0 no difference, 1 a difference, 2 usage or input that cannot be read, 3 a policy that
kube-apiserver would refuse.`;

/** `kubeadmit diff`: of which requests two sets of policies do not say the same. */
export function diffCommand(context: CommandContext): Command {
  return new Command('diff')
    .summary('find where two sets of policies differ')
    .description('Find requests of which two sets of policies do not say the same.')
    .argument('<old>', 'a file or folder with policies and what they need')
    .argument('<new>', 'the same after a change')
    .option('-r, --resources <path>', 'objects to ask about; repeatable', collect, [])
    .option('--search <requests>', 'how many requests to make by search', wholeNumber(1))
    .option(
      '--seed <number>',
      'what the search begins with; the same seed, the same requests',
      wholeNumber(0),
    )
    .option(
      '--export <folder>',
      'write each difference into this new or empty folder as a test, with both sides, for `kubeadmit test`',
    )
    .option('--kubernetes-version <version>', 'the version of the server, for example 1.34')
    .addOption(formatOption('how to print the differences', ['text', 'json', 'markdown']))
    .addHelpText('after', guide)
    .action(async (before: string, after: string, options: DiffOptions) => {
      const { diff } = await import('../diff/diff.ts');
      context.finish(await diff([before, after], options, withoutReader(context.terminal)));
    });
}
