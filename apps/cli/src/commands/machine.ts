import type { BenchCommand, MachineCommand } from '@kubeadmit/machine';
import { Command } from 'commander';
import { answererOf } from '../machine/answerer.ts';
import type { CommandContext } from './context.ts';
import { type StreamCommand, streamCommand } from './stream.ts';

type Described = Omit<StreamCommand, 'name' | 'command' | 'load'>;

const requests =
  '{"id", "kubernetesVersion"?, "resources": […], "plugins"?, "request": AdmissionRequest}';
const conditions = '{"id", "context", "conditions"}';
const result = '{"id", "result"?, "error"?, "failure"?}';

/** The commands that answer cases, by name below `machine`. */
const answering = {
  admit: {
    summary: 'Answer admission requests',
    description:
      'Run admission requests through mutating and validating policies, as kube-apiserver does.',
    input: requests,
    output: '{"id", "response": AdmissionResponse, "object"?, "errors"?, "failure"?}',
    notes: `Resources are the objects of the cluster: policies, bindings, parameters, namespaces,
CustomResourceDefinitions, RBAC. Policies that kube-apiserver would reject are returned in "errors" and
have no effect. Other namespaces exist too, with only their name label. "plugins" are the admission plugins:
"policies" (the default), "default" for those that kube-apiserver has on by default, or a list of names.`,
    examples: [
      'kubeadmit machine admit - < cases.ndjson',
      "kubeadmit machine admit cases.ndjson | jq -c 'select(.response.allowed | not) | .id'",
    ],
  },
  write: {
    summary: 'Answer write requests as a server does',
    description:
      'Answer the complete write of one object, as kube-apiserver does with dryRun=All: authorization, the changes of the server, admission plugins, policies, validation.',
    input: `{"id", "kubernetesVersion"?, "resources": […], "plugins"?: "default" | "policies" | [names],
 "request": {"verb": "create|update|patch|delete", "resource": {"group", "version", "resource"},
 "subresource"?, "namespace"?, "name"?, "object"?, "oldObject"?, "patch"?, "patchType"?, "options"?, "user"?}}`,
    output: '{"id", "code", "status"?, "warnings"?, "object"?, "failure"?}',
    notes: `Resources are the objects of the cluster; everything else is as in a new cluster. "patchType" is json,
merge, strategic, apply or a media type. "object" is the object as it would be stored, without uid,
resourceVersion, times and managedFields. A TokenRequest (subresource token) is answered with an empty status:
tokens are random. Its default audience is https://kubernetes.default.svc.`,
    examples: ['kubeadmit machine write - < cases.ndjson'],
  },
  decode: {
    summary: 'Decode objects as a server does',
    description: 'Decode objects as kube-apiserver does: unknown fields pruned, defaults set.',
    input: '{"id", "kubernetesVersion"?, "resources": […]}',
    output: '{"id", "objects": […], "errors"?, "failure"?}',
    notes: `CustomResourceDefinitions among the resources make their kinds known. An object that the
server would reject is null, and its error is in "errors".`,
    examples: ['kubeadmit machine decode - < cases.ndjson'],
  },
  validate: {
    summary: 'Validate custom resources and their definitions',
    description:
      'Validate a CustomResourceDefinition as at its creation, and an object against its schema and rules.',
    input: '{"id", "definition": CustomResourceDefinition, "object"?, "oldObject"?}',
    output: '{"id", "definition": [field errors], "object": [field errors], "failure"?}',
    notes: `With "oldObject" the object is an update of it: transition rules run, and errors of
unchanged values are ignored.`,
    examples: ['kubeadmit machine validate - < cases.ndjson'],
  },
  lint: {
    summary: 'Report errors of policies',
    description: 'Report errors of policies, and warnings of the type checker.',
    input: '{"id", "kubernetesVersion"?, "resources": […]}',
    output:
      '{"id", "errors": [{"resource", "message", "fields"}], "typeChecking": […], "failure"?}',
    examples: ['kubeadmit machine lint - < cases.ndjson'],
  },
  eval: {
    summary: 'Evaluate CEL expressions',
    description: "Evaluate CEL expressions in Kubernetes' environment: value, type and cost.",
    input: '{"id", "expression", "variables"?, "declarations"?, "kubernetesVersion"?, "budget"?}',
    output: '{"id", "result"?, "type"?, "valueType"?, "error"?, "cost"?, "issues"?, "failure"?}',
    examples: ['kubeadmit machine eval - < cases.ndjson'],
  },
  'kyverno conditions': {
    summary: 'Evaluate preconditions and deny conditions',
    description: 'Evaluate any/all conditions over a context, as Kyverno does.',
    input: conditions,
    output: '{"id", "result", "message"?, "error"?, "failure"?}',
    examples: ['kubeadmit machine kyverno conditions - < cases.ndjson'],
  },
  'kyverno jmespath': {
    summary: "Evaluate JMESPath in Kyverno's dialect",
    description: 'Evaluate a JMESPath expression with the functions of Kyverno.',
    input: '{"id", "expression", "input"}',
    output: result,
    examples: ['kubeadmit machine kyverno jmespath - < cases.ndjson'],
  },
  'kyverno substitute': {
    summary: 'Substitute variables and references in a document',
    description: 'Replace {{variables}} and $(references) in a document, as Kyverno does.',
    input: '{"id", "context", "document"}',
    output: result,
    examples: ['kubeadmit machine kyverno substitute - < cases.ndjson'],
  },
  'kyverno rules': {
    summary: 'Apply policies to a resource',
    description: 'Apply the mutate and validate rules of Kyverno policies to a resource.',
    input:
      '{"id", "policies": […], "resource", "oldResource"?, "operation"?, "userInfo"?, "namespaceLabels"?, "context"?, "exceptions"?, …}',
    output: '{"id", "results": […], "patched"?, "error"?, "failure"?}',
    examples: ['kubeadmit machine kyverno rules - < cases.ndjson'],
  },
  'kyverno autogen': {
    summary: 'Show the rules generated for pod controllers',
    description: 'Generate the rules for pod controllers that Kyverno adds to a policy.',
    input: '{"id", "policy", "kind"?}',
    output: '{"id", "rules": […], "error"?, "failure"?}',
    examples: ['kubeadmit machine kyverno autogen - < cases.ndjson'],
  },
} satisfies Partial<Record<MachineCommand, Described>>;

/** Defines a command that answers cases: below `machine`, or under an old name. */
export function answeringCommand(
  context: CommandContext,
  command: keyof typeof answering,
): Command {
  const name = command.replace(/^kyverno /, '');
  const load = answererOf(command);
  return streamCommand(context, { name, command, ...answering[command], load });
}

const machineGuide = `
Each line of input is one case in JSON, answered by one line of output.

Examples:
  kubeadmit check -o cases policies/ manifests/ | kubeadmit machine admit -
  kubeadmit machine eval - < cases.ndjson
  kubeadmit machine validate --help

Exit codes: 0 every line was answered, 2 unreadable input, or no line is JSON.`;

/** `kubeadmit machine`: the commands that answer JSON Lines. */
export function machineCommand(context: CommandContext): Command {
  const command = new Command('machine')
    .summary('Process JSON Lines, for scripts and other programs')
    .description('Process cases in JSON Lines, for scripts and other programs.')
    .helpCommand(false)
    .addHelpText('after', machineGuide);
  for (const name of ['admit', 'write', 'lint', 'decode', 'validate', 'eval'] as const) {
    command.addCommand(answeringCommand(context, name));
  }
  command.addCommand(kyvernoCommand(context));
  command.addCommand(benchCommand(context));
  return command;
}

/** `kubeadmit machine kyverno`: evaluates parts of Kyverno rules. */
export function kyvernoCommand(context: CommandContext): Command {
  const command = new Command('kyverno')
    .summary('Evaluate parts of Kyverno rules')
    .description('Evaluate parts of Kyverno rules, for scripts and other programs.')
    .helpCommand(false);
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
    'Measure admission requests.',
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

/** `kubeadmit machine bench`: measures the time of cases. */
export function benchCommand(context: CommandContext): Command {
  const command = new Command('bench')
    .summary('Measure cases')
    .description('Measure the time that one case takes.')
    .helpCommand(false);
  for (const [name, cases, description, input, example] of measuring) {
    const stream: StreamCommand = {
      name,
      command: `bench ${name}`,
      summary: `Measure cases of \`${cases}\``,
      description,
      input,
      output: '{"id", "nanoseconds", "runs", "failure"?}',
      notes: `"nanoseconds" is the time of one run on one thread, with everything compiled beforehand: the mean of
the runs in a fifth of a second.`,
      examples: [example],
      load: async () => (await import('../machine/bench.ts')).loadBench(name),
    };
    command.addCommand(streamCommand(context, stream));
  }
  return command;
}
