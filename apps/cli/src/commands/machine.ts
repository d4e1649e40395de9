import type { BenchCommand, MachineCommand } from '@kubeadmit/check/machine';
import { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { answererOf, type StreamCommand, streamCommand } from './stream.ts';

type Described = Omit<StreamCommand, 'name' | 'command' | 'load'>;

const requests = '{"id", "kubernetesVersion"?, "resources": […], "request": AdmissionRequest}';
const conditions = '{"id", "context", "conditions"}';
const result = '{"id", "result"?, "error"?, "failure"?}';

/** The commands that answer cases, by their names below `machine`. */
const answering = {
  admit: {
    summary: 'answer admission requests',
    description:
      'Run admission requests through mutating and validating policies, as kube-apiserver does.',
    input: requests,
    output: '{"id", "response": AdmissionResponse, "object"?, "errors"?, "failure"?}',
    notes: `Resources are whatever the cluster holds: policies, bindings, parameters, namespaces,
CustomResourceDefinitions, RBAC. Policies that kube-apiserver would refuse come back in "errors" and
do not act. A namespace that is not given exists with its name label.`,
    examples: [
      'kubeadmit machine admit - < cases.ndjson',
      "kubeadmit machine admit cases.ndjson | jq -c 'select(.response.allowed | not) | .id'",
    ],
  },
  decode: {
    summary: 'decode objects as a server does',
    description: 'Decode objects as kube-apiserver does: unknown fields pruned, defaults set.',
    input: '{"id", "kubernetesVersion"?, "resources": […]}',
    output: '{"id", "objects": […], "errors"?, "failure"?}',
    notes: `CustomResourceDefinitions among the resources make their kinds known. An object that the
server would refuse is null, and its error is in "errors".`,
    examples: ['kubeadmit machine decode - < cases.ndjson'],
  },
  validate: {
    summary: 'validate custom resources and their definitions',
    description:
      'Validate a CustomResourceDefinition as at its creation, and an object against its schema and rules.',
    input: '{"id", "definition": CustomResourceDefinition, "object"?, "oldObject"?}',
    output: '{"id", "definition": [field errors], "object": [field errors], "failure"?}',
    notes: `With "oldObject" the object is an update of it: transition rules run, and errors of what did
not change are forgiven.`,
    examples: ['kubeadmit machine validate - < cases.ndjson'],
  },
  lint: {
    summary: 'report what a server would refuse in policies',
    description: 'Report errors of policies, and what the type checker warns of.',
    input: '{"id", "kubernetesVersion"?, "resources": […]}',
    output:
      '{"id", "errors": [{"resource", "message", "fields"}], "typeChecking": […], "failure"?}',
    examples: ['kubeadmit machine lint - < cases.ndjson'],
  },
  eval: {
    summary: 'evaluate CEL expressions',
    description: "Evaluate CEL expressions in Kubernetes' environment: value, type and cost.",
    input: '{"id", "expression", "variables"?, "declarations"?, "kubernetesVersion"?, "budget"?}',
    output: '{"id", "result"?, "type"?, "valueType"?, "error"?, "cost"?, "issues"?, "failure"?}',
    examples: ['kubeadmit machine eval - < cases.ndjson'],
  },
  'kyverno conditions': {
    summary: 'evaluate preconditions and deny conditions',
    description: 'Evaluate any/all conditions over a context, as Kyverno does.',
    input: conditions,
    output: '{"id", "result", "message"?, "error"?, "failure"?}',
    examples: ['kubeadmit machine kyverno conditions - < cases.ndjson'],
  },
  'kyverno jmespath': {
    summary: "evaluate JMESPath in Kyverno's dialect",
    description: 'Evaluate a JMESPath expression with the functions of Kyverno.',
    input: '{"id", "expression", "input"}',
    output: result,
    examples: ['kubeadmit machine kyverno jmespath - < cases.ndjson'],
  },
  'kyverno substitute': {
    summary: 'replace variables and references in a document',
    description: 'Replace {{variables}} and $(references) in a document, as Kyverno does.',
    input: '{"id", "context", "document"}',
    output: result,
    examples: ['kubeadmit machine kyverno substitute - < cases.ndjson'],
  },
  'kyverno rules': {
    summary: 'apply policies to a resource',
    description: 'Apply the mutate and validate rules of Kyverno policies to a resource.',
    input:
      '{"id", "policies": […], "resource", "oldResource"?, "operation"?, "userInfo"?, "namespaceLabels"?, "context"?, "exceptions"?, …}',
    output: '{"id", "results": […], "patched"?, "error"?, "failure"?}',
    examples: ['kubeadmit machine kyverno rules - < cases.ndjson'],
  },
  'kyverno autogen': {
    summary: 'show the rules that pod controllers get',
    description: 'Generate the rules for pod controllers that Kyverno adds to a policy.',
    input: '{"id", "policy", "kind"?}',
    output: '{"id", "rules": […], "error"?, "failure"?}',
    examples: ['kubeadmit machine kyverno autogen - < cases.ndjson'],
  },
} satisfies Partial<Record<MachineCommand, Described>>;

/** A command that answers cases: below `machine`, or an old name at the top. */
export function answeringCommand(
  context: CommandContext,
  command: keyof typeof answering,
): Command {
  const name = command.replace(/^kyverno /, '');
  const load = answererOf(command);
  return streamCommand(context, { name, command, ...answering[command], load });
}

const machineGuide = `
For scripts and other programs: each line of input is one case in JSON, and gives one line of output.

Examples:
  kubeadmit check -o cases policies/ manifests/ | kubeadmit machine admit -
  kubeadmit machine eval - < cases.ndjson
  kubeadmit machine validate --help

Exit codes: 0 every line was answered, 2 the input cannot be read or no line of it is JSON.`;

/** `kubeadmit machine`: commands that answer JSON lines. */
export function machineCommand(context: CommandContext): Command {
  const command = new Command('machine')
    .summary('answer JSON lines for other programs')
    .description('Answer cases in JSON, one a line, for scripts and other programs.')
    .helpCommand(false)
    .addHelpText('after', machineGuide);
  for (const name of ['admit', 'lint', 'decode', 'validate', 'eval'] as const) {
    command.addCommand(answeringCommand(context, name));
  }
  command.addCommand(kyvernoCommand(context));
  command.addCommand(benchCommand(context));
  return command;
}

/** `kubeadmit kyverno`: the parts of Kyverno's rules, one by one. */
export function kyvernoCommand(context: CommandContext): Command {
  const command = new Command('kyverno')
    .summary('answer parts of Kyverno rules')
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
    'kubeadmit machine eval',
    'Measure the evaluation of CEL expressions.',
    '{"id", "expression", "variables"?, "declarations"?, "kubernetesVersion"?}',
    'kubeadmit machine bench eval - < cases.ndjson',
  ],
  [
    'admit',
    'kubeadmit machine admit',
    'Measure admission requests on their way through the policies.',
    requests,
    'kubeadmit check -o cases examples/replica-limits | kubeadmit machine bench admit -',
  ],
  [
    'kyverno-conditions',
    'kubeadmit machine kyverno conditions',
    'Measure the evaluation of Kyverno conditions.',
    conditions,
    'kubeadmit machine bench kyverno-conditions - < cases.ndjson',
  ],
  [
    'kyverno-rules',
    'kubeadmit machine kyverno rules',
    'Measure Kyverno policies on a resource.',
    '{"id", "policies": […], "resource", …}',
    'kubeadmit machine bench kyverno-rules - < cases.ndjson',
  ],
];

/** `kubeadmit bench`: how long cases take. */
export function benchCommand(context: CommandContext): Command {
  const command = new Command('bench')
    .summary('measure cases')
    .description('Measure how long one run of a case takes.');
  for (const [name, cases, description, input, example] of measuring) {
    const stream: StreamCommand = {
      name,
      command: `bench ${name}`,
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
