import { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { answererOf, streamCommand } from './stream.ts';

/** `kubeadmit kyverno`: the parts of Kyverno's rules, one by one. */
export function kyvernoCommand(context: CommandContext): Command {
  return new Command('kyverno')
    .summary('answer parts of Kyverno rules (JSON lines)')
    .description('The parts that Kyverno rules are made of, for scripts and other programs.')
    .addCommand(
      streamCommand(context, {
        name: 'conditions',
        summary: 'evaluate preconditions and deny conditions',
        description: 'Evaluate any/all conditions over a context, as Kyverno does.',
        input: '{"id", "context", "conditions"}',
        output: '{"id", "result", "message"?, "error"?, "failure"?}',
        examples: ['kubeadmit kyverno conditions - < cases.ndjson'],
        load: answererOf('kyverno conditions'),
      }),
    )
    .addCommand(
      streamCommand(context, {
        name: 'jmespath',
        summary: "evaluate JMESPath in Kyverno's dialect",
        description: 'Evaluate a JMESPath expression with the functions of Kyverno.',
        input: '{"id", "expression", "input"}',
        output: '{"id", "result"?, "error"?, "failure"?}',
        examples: ['kubeadmit kyverno jmespath - < cases.ndjson'],
        load: answererOf('kyverno jmespath'),
      }),
    )
    .addCommand(
      streamCommand(context, {
        name: 'substitute',
        summary: 'replace variables and references in a document',
        description: 'Replace {{variables}} and $(references) in a document, as Kyverno does.',
        input: '{"id", "context", "document"}',
        output: '{"id", "result"?, "error"?, "failure"?}',
        examples: ['kubeadmit kyverno substitute - < cases.ndjson'],
        load: answererOf('kyverno substitute'),
      }),
    )
    .addCommand(
      streamCommand(context, {
        name: 'rules',
        summary: 'apply policies to a resource',
        description: 'Apply the mutate and validate rules of Kyverno policies to a resource.',
        input:
          '{"id", "policies": […], "resource", "oldResource"?, "operation"?, "userInfo"?, "namespaceLabels"?, "context"?, "exceptions"?, …}',
        output: '{"id", "results": […], "patched"?, "error"?, "failure"?}',
        examples: ['kubeadmit kyverno rules - < cases.ndjson'],
        load: answererOf('kyverno rules'),
      }),
    )
    .addCommand(
      streamCommand(context, {
        name: 'autogen',
        summary: 'show the rules that pod controllers get',
        description: 'Generate the rules for pod controllers that Kyverno adds to a policy.',
        input: '{"id", "policy", "kind"?}',
        output: '{"id", "rules": […], "error"?, "failure"?}',
        examples: ['kubeadmit kyverno autogen - < cases.ndjson'],
        load: answererOf('kyverno autogen'),
      }),
    );
}
