import { block, code, type Page, table } from '../shared/page.ts';
import { runProgram } from '../shared/program.ts';

/** A command that answers lines, the fields of a line, and an example. */
interface LineCommand {
  readonly command: string;
  readonly asks: string;
  readonly answers: string;
  readonly line: object;
}

const limits = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'limits.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'limits', singular: 'limit', kind: 'Limit', listKind: 'LimitList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { max: { type: 'integer', minimum: 1 } },
          },
        },
      },
    ],
  },
};
const labels = { any: [{ key: '{{ name }}', operator: 'Equals', value: 'web-*' }] };

const lineCommands: readonly LineCommand[] = [
  {
    command: 'machine eval -',
    asks: '`id`, `expression`, `variables`?, `declarations`?, `kubernetesVersion`?, `budget`?',
    answers: '`result`?, `type`?, `valueType`?, `error`?, `cost`?, `issues`?',
    line: { id: 1, expression: 'items.all(i, i < 3)', variables: { items: [1, 2, 3] } },
  },
  {
    command: 'machine lint -',
    asks: '`id`, `resources`, `kubernetesVersion`?',
    answers: '`errors`: rejections of the server, `typeChecking`: its type warnings',
    line: {
      id: 1,
      resources: [
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name: 'replicas' },
          spec: { validations: [{ expression: 'object.spec.replicas < ' }] },
        },
      ],
    },
  },
  {
    command: 'machine decode -',
    asks: '`id`, `resources`, `kubernetesVersion`?',
    answers: '`objects` as the server stores them, `errors`?',
    line: { id: 1, resources: [{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } }] },
  },
  {
    command: 'machine validate -',
    asks: '`id`, `definition`, `object`?, `oldObject`?, `kubernetesVersion`?',
    answers: '`definition` and `object`: the field errors of each',
    line: {
      id: 1,
      definition: limits,
      object: {
        apiVersion: 'example.com/v1',
        kind: 'Limit',
        metadata: { name: 'a', namespace: 'shop' },
        max: 0,
      },
    },
  },
  {
    command: 'machine kyverno conditions -',
    asks: '`id`, `context`, `conditions`',
    answers: '`result`, `message`?, `error`?',
    line: { id: 1, context: { name: 'web-1' }, conditions: labels },
  },
  {
    command: 'machine kyverno jmespath -',
    asks: '`id`, `expression`, `input`',
    answers: '`result`, `error`?',
    line: { id: 1, expression: "split(name, '-')", input: { name: 'web-1' } },
  },
];

/** A document that a command writes. */
interface Document {
  readonly title: string;
  readonly arguments: readonly string[];
  /** Standard input. */
  readonly input?: string;
  /** Markdown that explains the document. */
  readonly notes?: string;
}

const verdicts = table(
  ['`verdict`', 'meaning'],
  [
    ['`allow`', 'The policy allows the object.'],
    ['`deny`', 'The policy denies the object.'],
    ['`warn`', 'The policy warns about the object.'],
    ['`audit`', 'The policy records a violation.'],
    ['`mutate`', 'The policy changes the object.'],
    [
      '`generate`',
      "Kyverno's background controller creates other objects because of the object; `generated` contains them.",
    ],
    ['`delete`', "Kyverno's controllers delete the object on the schedule of the policy."],
    ['`error`', 'The policy could not be evaluated, and its failure policy is Fail.'],
    [
      '`skip`',
      'The policy matches, but a condition, an exception or missing parameters exclude the object. With `errorIgnored`, the policy could not be evaluated, and its failure policy is Ignore.',
    ],
  ],
);

const careless = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replicas
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [deployments]
  validations:
    - expression: object.spec.replica <= 5
`;

/** Documents that commands write, shown by a run. */
const documents: readonly Document[] = [
  { title: 'check', arguments: ['check', 'replica-limits', '-o', 'json'], notes: verdicts },
  { title: 'lint', arguments: ['lint', '-', '-o', 'json'], input: careless },
  { title: 'test', arguments: ['test', 'kyverno', '-o', 'json'] },
];

/** The page about the JSON formats of the program, with examples of its output. */
export function jsonFormatsPage(): Page {
  const rows = lineCommands.map(({ command, asks, answers }) => [
    code(`kubeadmit ${command}`),
    asks,
    answers,
  ]);
  const lines = lineCommands.map(({ command, line }) => {
    const given = JSON.stringify(line);
    const answer = run(command.split(' '), `${given}\n`);
    return `### ${command.replace(/ -$/, '')}\n\n${block('json', given)}\n\n${block('json', answer)}`;
  });
  const shown = documents.map(
    ({ title, arguments: given, input, notes }) =>
      `### ${title}\n\n${code(`kubeadmit ${given.join(' ')}`)} ${input === undefined ? 'in `examples/`' : 'for the policy'}\n\n${input === undefined ? '' : `${block('yaml', input)}\n\n`}prints\n\n${block('json', shortened(run(given, input ?? '')))}${notes === undefined ? '' : `\n\n${notes}`}`,
  );
  const markdown = `# JSON for scripts

The JSON that the program reads and writes, for scripts, other languages and editors. The formats are stable between versions; new fields may be added. See also [exit codes](./exit-codes/).

## Documents

With \`-o json\`, a command prints one document, even if it fails. Long lists are shortened on this page.

${shown.join('\n\n')}

## Lines

These commands read one JSON object per line and write one line for each, immediately and in order. An invalid line is answered with \`failure\`, and the next line is read. \`-\` is standard input. A question mark marks optional fields. Every answer has the \`id\` of its line.

${table(['command', 'input line', 'output line'], rows)}

\`kubeadmit machine admit -\` answers admission requests. A line has \`resources\` and an AdmissionRequest in \`request\`. The answer has the AdmissionResponse in \`response\`, the mutated \`object\`, and the \`errors\` of invalid policies. \`kubeadmit machine write -\` answers complete writes, as kube-apiserver does with \`dryRun=All\`. The [examples](/examples/) contain such lines in \`expected.ndjson\`. The [playground](/playground/) answers the same lines: \`await window.kubeadmit.ask('eval', line)\`.

${lines.join('\n\n')}
`;
  return { path: 'reference/json', markdown };
}

function run(command: readonly string[], input: string): string {
  return runProgram(command, { input, folder: 'examples', exitCodes: [0, 1] });
}

/** A document whose lists keep their first two elements. */
function shortened(document: string): string {
  const short = JSON.parse(document, (_, value: unknown) =>
    Array.isArray(value) ? value.slice(0, 2) : value,
  );
  return JSON.stringify(short, undefined, 2);
}
