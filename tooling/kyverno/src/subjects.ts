import type { JsonObject as KubernetesJson } from '@kubeadmit/apimachinery';
import {
  type Command,
  Comparison,
  commandOf,
  comparable,
  type JsonObject,
  parseJson,
  printJson,
  programOf,
} from '@kubeadmit/conformance-tools';
import { machineComparison } from '@kubeadmit/conformance-tools/machine';
import { validatePolicyObject } from '@kubeadmit/kyverno';
import { answerGenerate, type GenerateCase } from '@kubeadmit/kyverno/unstable-internal';
import type { Random } from '@kubeadmit/random';
import { loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { type CelCase, evaluateCel } from './evaluate-cel.ts';
import { generateActing } from './generate-acting-policies.ts';
import { generateFromCollection } from './generate-collection.ts';
import { generateConditions } from './generate-conditions.ts';
import { generateContexts } from './generate-contexts.ts';
import { generateExceptions } from './generate-exceptions.ts';
import { generateGeneration, withoutDecodeErrors } from './generate-generation.ts';
import { generateJmesPath } from './generate-jmespath.ts';
import { generateCelRules, generateLoops } from './generate-loops.ts';
import { generateMutation } from './generate-mutation.ts';
import { generateOddArguments } from './generate-odd-arguments.ts';
import { generatePatches, generatePatterns } from './generate-patterns.ts';
import { generatePodSecurity, sortFindings } from './generate-pod-security.ts';
import { generatePolicy, withoutOperators } from './generate-policies.ts';
import { generateValidation } from './generate-rules.ts';
import { generateSelection } from './generate-selection.ts';
import { generateSubstitute } from './generate-substitute.ts';
import { generateYaml } from './generate-yaml.ts';

const kinds = ['Deployment', 'CronJob', 'Pod', 'Job', 'Foo', 'DaemonSet'];

/** A random case for `autogen`. */
function generateAutogen(random: Random): object {
  const made = random.chance(0.7) ? generateValidation(random) : generateMutation(random);
  const [policy] = (made as { policies: object[] }).policies;
  return { policy, ...(random.chance(0.6) && { kind: random.pick(kinds) }) };
}

/** A subject of comparison: a command of the oracle and a generator of cases. */
export interface Subject {
  readonly command: Command;
  readonly generate: (random: Random) => object;
  /** Sorts the parts that Kyverno writes in random order, so that such cases need not be left out. */
  readonly normalize?: (answer: string) => string;
}

/** Enough repetitions to detect results that depend on Go's map order, even rarely. */
const often = 64;

/** A command whose oracle must say the same so often for a case to count. */
function repeated(name: string, times: number): Command {
  return { ...commandOf(`kyverno ${name}`), oracle: ['-repeat', String(times), name] };
}

const rules = commandOf('kyverno rules');
const jmespath = commandOf('kyverno jmespath');

/** Validates a policy as Kyverno does at creation; not part of the machine interface. */
const validatePolicy: Command = {
  ...repeated('rules', often),
  name: 'kyverno validate',
  oracle: ['-repeat', String(often), 'validate'],
  requiredFields: ['policy'],
};

/** Applies generate rules as the Kyverno CLI does; not part of the machine interface. */
const generateObjects: Command = {
  ...repeated('rules', 4),
  name: 'kyverno generate',
  oracle: ['-repeat', '4', 'generate'],
};

/** Evaluates a policy of `policies.kyverno.io` with exceptions; not part of the machine interface. */
const celPolicies: Command = {
  ...repeated('rules', 2),
  name: 'kyverno cel',
  oracle: ['-repeat', '2', 'cel'],
  requiredFields: ['policy', 'resource', 'plural'],
};

/** Everything that can be compared, by name. */
export const subjects: Readonly<Record<string, Subject>> = {
  'acting-policies': { command: celPolicies, generate: generateActing },
  autogen: { command: commandOf('kyverno autogen'), generate: generateAutogen },
  'cel-rules': { command: rules, generate: generateCelRules },
  collection: { command: rules, generate: generateFromCollection },
  conditions: { command: commandOf('kyverno conditions'), generate: generateConditions },
  contexts: { command: rules, generate: generateContexts },
  exceptions: { command: rules, generate: generateExceptions, normalize: sortFindings },
  generation: {
    command: generateObjects,
    generate: generateGeneration,
    normalize: withoutDecodeErrors,
  },
  jmespath: { command: jmespath, generate: generateJmesPath },
  loops: { command: rules, generate: generateLoops },
  mutate: { command: rules, generate: generateMutation },
  'object-patches': { command: rules, generate: generatePatches },
  'object-patterns': { command: rules, generate: generatePatterns },
  'odd-arguments': { command: jmespath, generate: generateOddArguments },
  'pod-security': { command: rules, generate: generatePodSecurity, normalize: sortFindings },
  policies: { command: validatePolicy, generate: generatePolicy, normalize: withoutOperators },
  selection: { command: rules, generate: generateSelection },
  substitute: { command: repeated('substitute', 4 * often), generate: generateSubstitute },
  validate: { command: rules, generate: generateValidation },
  yaml: { command: jmespath, generate: generateYaml },
};

/** Compares answers about a subject, those of Kyverno's engine and ours. */
export async function comparisonOf({
  command,
  normalize,
}: Omit<Subject, 'generate'>): Promise<Comparison> {
  const options = {
    program: programOf('ORACLE_KYVERNO'),
    comparable: (answer: JsonObject) => {
      const text = printJson(comparable(command, answer));
      return parseJson(normalize?.(text) ?? text) as JsonObject;
    },
  };
  if (command === validatePolicy)
    return new Comparison(command, { ...options, ours: answerPolicy });
  if (command === generateObjects)
    return new Comparison(command, { ...options, ours: answerGeneration });
  if (command === celPolicies) {
    const schemas = await loadSchemas();
    return new Comparison(command, { ...options, ours: (given) => answerActing(given, schemas) });
  }
  // Findings that are sorted need not come in the same order each time.
  return machineComparison(normalize === undefined ? command : repeated('rules', 1), options);
}

function answerPolicy({ policy }: JsonObject): JsonObject {
  const { warnings, error } = validatePolicyObject(policy as KubernetesJson);
  return {
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(error !== '' && { error }),
  };
}

function answerGeneration(given: JsonObject): JsonObject {
  return parseJson(JSON.stringify(answerGenerate(given as unknown as GenerateCase))) as JsonObject;
}

function answerActing(given: JsonObject, schemas: Schemas): JsonObject {
  // Cases that are made smaller may lose the kind of their policy.
  const { kind } = given['policy'] as JsonObject;
  if (!/^(?:Namespaced)?(?:Generating|Deleting|Validating|Mutating)Policy$/.test(String(kind))) {
    return { results: [], error: `unknown kind "${String(kind)}"` };
  }
  const answer = evaluateCel(given as unknown as CelCase, Date.now(), schemas);
  const printed = JSON.stringify(answer, (_, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  return parseJson(printed) as JsonObject;
}

/** So many random cases of a subject. */
export function* casesOf(
  { generate }: Subject,
  random: Random,
  count: number,
): Generator<JsonObject> {
  for (let made = 0; made < count; made++) {
    yield { id: String(made), ...(generate(random) as JsonObject) };
  }
}
