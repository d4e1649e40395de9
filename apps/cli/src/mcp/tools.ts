import { defined } from '@kubeadmit/base';
import { stringifyJson } from '@kubeadmit/go';
import * as z from 'zod/v4';
import { convertInputs } from '../convert/convert.ts';
import { captured, runCommand, type ToolAnswer, type ToolHost, toolAnswer } from './run-command.ts';
import { servedPath } from './served-path.ts';
import {
  checkArguments,
  checked,
  kubernetesVersion,
  mostRequests,
  path,
  pathArguments,
  pathOptions,
  requests,
  someFiles,
  versionOption,
} from './tool-arguments.ts';

/** A tool of the server. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /**
   * Answers a call.
   *
   * @throws CommandFailure for invalid paths
   */
  readonly answer: (given: z.infer<Input>, host: ToolHost) => Promise<ToolAnswer>;
}

const check = toolOf({
  name: 'check',
  title: 'Check manifests against policies',
  description:
    'Check Kubernetes manifests against admission policies, as kube-apiserver would. Returns one result for each object and policy with its verdict (allow, deny, warn, audit, mutate, error or skip), message and line, and a summary. It is an error if no policy matches any object.',
  input: z.strictObject({
    ...checked,
    strict: z
      .boolean()
      .default(false)
      .describe('Fail on unused policies, missing namespaces and skipped files (default: false)'),
  }),
  answer: (given, host) =>
    runCommand(
      [
        ...['check', '--output=json', ...checkArguments(given, host)],
        ...(given.strict ? ['--strict'] : []),
        ...pathArguments(given.paths, host),
      ],
      host,
    ),
});

const lint = toolOf({
  name: 'lint',
  title: 'Find mistakes in policies',
  description:
    'Find mistakes in admission policies, bindings, Kyverno policies and CustomResourceDefinitions, without a request: policies that kube-apiserver or Kyverno would reject, warnings of the type checker, unknown fields, parts without effect. Returns issues with severity, code, message, file, line and column.',
  input: z.strictObject({
    paths: someFiles.describe('Files and folders with policies and definitions'),
    kubernetesVersion,
    minKubernetesVersion: kubernetesVersion.describe(
      'Oldest Kubernetes version to support, for example "1.32" (default: that of kubeadmit.yaml, or none)',
    ),
  }),
  answer: (given, host) => {
    const { minKubernetesVersion: least } = given;
    return runCommand(
      [
        ...['lint', '--output=json', ...versionOption(given)],
        ...(least === undefined ? [] : [`--min-kubernetes-version=${least}`]),
        ...pathArguments(given.paths, host),
      ],
      host,
    );
  },
});

const explain = toolOf({
  name: 'explain',
  title: 'Explain verdicts',
  description:
    'Explain why admission policies allowed or denied each manifest: failed validations with the values that decided them, policies that do not match with the rule or selector that differs, mutations change by change. The output is long; name a policy and few manifests.',
  input: z.strictObject({
    ...checked,
    policy: z.string().min(1).optional().describe('Explain only the policy of this name'),
  }),
  answer: (given, host) =>
    runCommand(
      [
        ...['explain', '--output=json', ...checkArguments(given, host)],
        ...(given.policy === undefined ? [] : [`--policy=${given.policy}`]),
        ...pathArguments(given.paths, host),
      ],
      host,
    ),
});

const test = toolOf({
  name: 'test',
  title: 'Run policy tests',
  description:
    'Run policy tests: *.admit.yaml, kyverno-test.yaml, and those of kaptest, gator and kat. Returns a summary and the expected and actual outcome of each test.',
  input: z.strictObject({
    paths: z
      .array(path)
      .default(['.'])
      .describe('Files and folders with tests (default: the folder of the server)'),
    run: z
      .string()
      .min(1)
      .optional()
      .describe('Run only tests whose name matches this regular expression (RE2 syntax)'),
    mutatePolicies: z
      .boolean()
      .default(false)
      .describe('Also list changes of the policies that no test catches (default: false)'),
  }),
  answer: ({ paths, run, mutatePolicies }, host) =>
    runCommand(
      [
        ...['test', '--output=json'],
        ...(run === undefined ? [] : [`--run=${run}`]),
        ...(mutatePolicies ? ['--mutate-policies'] : []),
        ...pathArguments(paths, host),
      ],
      host,
    ),
});

const convert = toolOf({
  name: 'convert',
  title: 'Convert Kyverno rules',
  description:
    'Convert the rules of Kyverno policies (also Gatekeeper constraints in CEL) to admission policies of Kubernetes, and compare each result with its rule on generated requests. Returns a report with the status of each rule (converted, partial or none) and the reason, then the converted objects as YAML. Writes no file.',
  input: z.strictObject({
    paths: someFiles.describe('Files and folders with policies and their dependencies'),
    to: z
      .enum(['admission', 'kyverno'])
      .default('admission')
      .describe("Convert to Kubernetes' own policies (default) or to Kyverno's in CEL"),
    prove: requests
      .optional()
      .describe(`Number of generated requests for each rule (default: 300; most: ${mostRequests})`),
    kubernetesVersion,
  }),
  answer: async ({ paths, to, prove, kubernetesVersion: version }, host) => {
    const files = paths.map((each) => servedPath(each, host.folder));
    const options = { to, search: true, ...defined({ prove, kubernetesVersion: version }) };
    const report: string[] = [];
    const { texts, isError } = await captured(host.folder, async (terminal) => {
      const made = await convertInputs(files, options, terminal);
      report.push(stringifyJson({ policies: made.policies }, { indent: 2 }));
      terminal.print(made.texts.join('---\n'));
      return made.exitCode;
    });
    return toolAnswer([...report, ...texts], isError);
  },
});

const diff = toolOf({
  name: 'diff',
  title: 'Compare two policy sets',
  description:
    'Find requests on which two policy sets differ: verdicts, messages, warnings, mutated objects. The requests are those for the given manifests, and generated ones. Each difference is reduced to the smallest request. A search without a difference does not prove that the sets are equal.',
  input: z.strictObject({
    old: path.describe('File or folder with policies and their dependencies'),
    new: path.describe('File or folder to compare with: the policies after a change'),
    resources: z.array(path).default([]).describe('Files and folders with manifests to compare'),
    search: requests
      .optional()
      .describe(
        `Number of requests to generate (default: 1000 without resources, otherwise none; most: ${mostRequests})`,
      ),
    seed: z
      .int()
      .min(0)
      .max(999_999_999)
      .optional()
      .describe('Seed of the search; the same seed gives the same requests'),
    verdicts: z
      .boolean()
      .default(false)
      .describe('Ignore messages, as for converted policies: compare verdicts and objects only'),
    kubernetesVersion,
  }),
  answer: (given, host) => {
    const { resources, seed } = given;
    const search = given.search ?? (resources.length === 0 ? 1000 : undefined);
    return runCommand(
      [
        ...['diff', '--output=json', ...pathOptions('--resources', resources, host)],
        ...(search === undefined ? [] : [`--search=${search}`]),
        ...(seed === undefined ? [] : [`--seed=${seed}`]),
        ...(given.verdicts ? ['--verdicts'] : []),
        ...versionOption(given),
        ...pathArguments([given.old, given.new], host),
      ],
      host,
    );
  },
});

const evaluate = toolOf({
  name: 'eval',
  title: 'Evaluate a CEL expression',
  description:
    "Evaluate a CEL expression in Kubernetes' environment. Returns its result as a CEL literal, its type and cost, or the error. An expression that does not compile is an error with issues.",
  input: z.strictObject({
    expression: z
      .string()
      .min(1)
      .describe('CEL expression, for example "object.spec.replicas <= 5"'),
    variables: z
      .record(z.string().regex(/^[A-Za-z_]\w*$/), z.json())
      .default({})
      .describe('Values of variables by name, as JSON, for example {"object": {"spec": {}}}'),
    files: z
      .record(z.string().regex(/^[A-Za-z_]\w*$/), path)
      .default({})
      .describe('Files with one object each, by the name of the variable'),
    kubernetesVersion,
  }),
  answer: (given, host) =>
    runCommand(
      [
        ...['eval', '--output=json', ...versionOption(given)],
        ...Object.entries(given.variables).map(
          ([name, value]) => `--variable=${name}=${JSON.stringify(value)}`,
        ),
        ...Object.entries(given.files).map(
          ([name, file]) => `--file=${name}=${servedPath(file, host.folder)}`,
        ),
        ...['--', given.expression],
      ],
      host,
    ),
});

/** Infers the input of a tool's callback from its schema. */
function toolOf<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return { ...tool, answer: (given, host) => tool.answer(tool.input.parse(given), host) };
}

/** The tools, in the order in which clients list them. */
export const tools: readonly Tool[] = [check, lint, explain, test, convert, diff, evaluate];
