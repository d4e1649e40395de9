import type { BenchCommand, MachineCommand } from '@kubeadmit/check/machine';
import { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { answererOf, type StreamCommand, streamCommand } from './stream.ts';

type Described = Omit<StreamCommand, 'name' | 'load'>;

const requests = '{"id", "kubernetesVersion"?, "resources": […], "request": AdmissionRequest}';
const conditions = '{"id", "context", "conditions"}';
const result = '{"id", "result"?, "error"?, "failure"?}';

/** The commands that do nothing but answer cases; `eval` and `lint` answer them besides. */
const answering = {
  admit: {
    summary: 'answer a stream of admission requests (JSON lines)',
    description:
      'Run admission requests through mutating and validating policies, as kube-apiserver does.',
    input: requests,
    output: '{"id", "response": AdmissionResponse, "object"?, "errors"?, "failure"?}',
    notes: `Resources are whatever the cluster holds: policies, bindings, parameters, namespaces,
CustomResourceDefinitions, RBAC. Policies that kube-apiserver would refuse come back in "errors" and
do not act. A namespace that is not given exists with its name label.`,
    examples: [
      'kubeadmit admit - < cases.ndjson',
      "kubeadmit admit cases.ndjson | jq -c 'select(.response.allowed | not) | .id'",
    ],
  },
  decode: {
    summary: 'answer how a server would hold objects (JSON lines)',
    description: 'Decode objects as kube-apiserver does: unknown fields pruned, defaults set.',
    input: '{"id", "kubernetesVersion"?, "resources": […]}',
    output: '{"id", "objects": […], "errors"?, "failure"?}',
    notes: `CustomResourceDefinitions among the resources make their kinds known. An object that the
server would refuse is null, and its error is in "errors".`,
    examples: ['kubeadmit decode - < cases.ndjson'],
  },
  validate: {
    summary: 'answer what a server finds wrong with custom resources (JSON lines)',
    description:
      'Validate a CustomResourceDefinition as at its creation, and an object against its schema and rules.',
    input: '{"id", "definition": CustomResourceDefinition, "object"?, "oldObject"?}',
    output: '{"id", "definition": [field errors], "object": [field errors], "failure"?}',
    notes: `With "oldObject" the object is an update of it: transition rules run, and errors of what did
not change are forgiven.`,
    examples: ['kubeadmit validate - < cases.ndjson'],
  },
  'kyverno conditions': {
    summary: 'evaluate preconditions and deny conditions',
    description: 'Evaluate any/all conditions over a context, as Kyverno does.',
    input: conditions,
    output: '{"id", "result", "message"?, "error"?, "failure"?}',
    examples: ['kubeadmit kyverno conditions - < cases.ndjson'],
  },
  'kyverno jmespath': {
    summary: "evaluate JMESPath in Kyverno's dialect",
    description: 'Evaluate a JMESPath expression with the functions of Kyverno.',
    input: '{"id", "expression", "input"}',
    output: result,
    examples: ['kubeadmit kyverno jmespath - < cases.ndjson'],
  },
  'kyverno substitute': {
    summary: 'replace variables and references in a document',
    description: 'Replace {{variables}} and $(references) in a document, as Kyverno does.',
    input: '{"id", "context", "document"}',
    output: result,
    examples: ['kubeadmit kyverno substitute - < cases.ndjson'],
  },
  'kyverno rules': {
    summary: 'apply policies to a resource',
    description: 'Apply the mutate and validate rules of Kyverno policies to a resource.',
    input:
      '{"id", "policies": […], "resource", "oldResource"?, "operation"?, "userInfo"?, "namespaceLabels"?, "context"?, "exceptions"?, …}',
    output: '{"id", "results": […], "patched"?, "error"?, "failure"?}',
    examples: ['kubeadmit kyverno rules - < cases.ndjson'],
  },
  'kyverno autogen': {
    summary: 'show the rules that pod controllers get',
    description: 'Generate the rules for pod controllers that Kyverno adds to a policy.',
    input: '{"id", "policy", "kind"?}',
    output: '{"id", "rules": […], "error"?, "failure"?}',
    examples: ['kubeadmit kyverno autogen - < cases.ndjson'],
  },
} satisfies Partial<Record<MachineCommand, Described>>;

/** `kubeadmit admit`, `decode`, `validate` and the parts of `kubeadmit kyverno`. */
export function answeringCommand(
  context: CommandContext,
  command: keyof typeof answering,
): Command {
  const name = command.replace(/^kyverno /, '');
  return streamCommand(context, { name, ...answering[command], load: answererOf(command) });
}

/** `kubeadmit kyverno`: the parts of Kyverno's rules, one by one. */
export function kyvernoCommand(context: CommandContext): Command {
  const command = new Command('kyverno')
    .summary('answer parts of Kyverno rules (JSON lines)')
    .description('The parts that Kyverno rules are made of, for scripts and other programs.');
  for (const part of ['conditions', 'jmespath', 'substitute', 'rules', 'autogen'] as const) {
    command.addCommand(answeringCommand(context, `kyverno ${part}`));
  }
  return command;
}

type Measured = readonly [
  name: BenchCommand,
  cases: string,
  description: string,
  input: string,
  example: string,
];

const measuring: readonly Measured[] = [
  [
    'eval',
    'kubeadmit eval --batch',
    'Measure the evaluation of CEL expressions.',
    '{"id", "expression", "variables"?, "declarations"?, "kubernetesVersion"?}',
    'kubeadmit bench eval - < cases.ndjson',
  ],
  [
    'admit',
    'kubeadmit admit',
    'Measure admission requests on their way through the policies.',
    requests,
    'kubeadmit check -o cases examples/replica-limits | kubeadmit bench admit -',
  ],
  [
    'kyverno-conditions',
    'kubeadmit kyverno conditions',
    'Measure the evaluation of Kyverno conditions.',
    conditions,
    'kubeadmit bench kyverno-conditions - < cases.ndjson',
  ],
  [
    'kyverno-rules',
    'kubeadmit kyverno rules',
    'Measure Kyverno policies on a resource.',
    '{"id", "policies": […], "resource", …}',
    'kubeadmit bench kyverno-rules - < cases.ndjson',
  ],
];

/** `kubeadmit bench`: how long cases take. */
export function benchCommand(context: CommandContext): Command {
  const command = new Command('bench')
    .summary('measure cases (JSON lines)')
    .description('Measure how long one run of a case takes.');
  for (const [name, cases, description, input, example] of measuring) {
    const stream: StreamCommand = {
      name,
      summary: `measure cases of \`${cases}\``,
      description,
      input,
      output: '{"id", "nanoseconds", "runs", "failure"?}',
      notes: `"nanoseconds" is the time of one run on one thread, everything compiled beforehand, over as many
runs as fit into a fifth of a second.`,
      examples: [example],
      load: async () => (await import('../machine/bench.ts')).loadBench(name),
    };
    command.addCommand(streamCommand(context, stream));
  }
  return command;
}
