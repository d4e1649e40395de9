import type { JsonObject } from '@kubeadmit/apimachinery';
import { formatJson } from '@kubeadmit/go';
import { stringifyJson } from '@kubeadmit/go/internal';
import { validatePolicyObject } from '@kubeadmit/kyverno';
import {
  answerAutogen,
  answerConditions,
  answerJmesPath,
  answerRules,
  answerSubstitute,
  type RulesCase,
} from '@kubeadmit/kyverno/internal';
import type { Random } from '@kubeadmit/random';
import { generateAutogen } from './generate-autogen.ts';
import { generateFromCollection } from './generate-collection.ts';
import { generateConditions } from './generate-conditions.ts';
import { generateContexts } from './generate-contexts.ts';
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
import type { Answer, Command } from './oracle.ts';

/** What is compared: a command of the oracle, a maker of cases and our answer to one. */
export interface Subject {
  readonly command: Command;
  readonly generate: (random: Random) => object;
  readonly answer: (item: never) => object;
  /** Puts what Kyverno writes in random order into one; such cases need not be left out. */
  readonly normalize?: (answer: string) => string;
  /** How often the oracle must say the same for a case to count; 8 times, or once where answers are sorted. */
  readonly repeat?: number;
}

/** Enough repetitions to tell what depends on the order in which Go walks maps, however rarely. */
const often = 64;

/** Everything that can be compared, by name. */
export const subjects: Readonly<Record<string, Subject>> = {
  autogen: { command: 'autogen', generate: generateAutogen, answer: answerAutogen },
  'cel-rules': { command: 'rules', generate: generateCelRules, answer: answerRules },
  collection: {
    command: 'rules',
    generate: generateFromCollection,
    // Some published policies ask for the hour.
    answer: (item: RulesCase) => answerRules(item, { now: Date.now() }),
  },
  conditions: { command: 'conditions', generate: generateConditions, answer: answerConditions },
  contexts: { command: 'rules', generate: generateContexts, answer: answerRules },
  jmespath: { command: 'jmespath', generate: generateJmesPath, answer: answerJmesPath },
  loops: { command: 'rules', generate: generateLoops, answer: answerRules },
  mutate: { command: 'rules', generate: generateMutation, answer: answerRules },
  'object-patches': { command: 'rules', generate: generatePatches, answer: answerRules },
  'object-patterns': { command: 'rules', generate: generatePatterns, answer: answerRules },
  'odd-arguments': { command: 'jmespath', generate: generateOddArguments, answer: answerJmesPath },
  'pod-security': {
    command: 'rules',
    generate: generatePodSecurity,
    answer: answerRules,
    normalize: sortFindings,
  },
  policies: {
    command: 'validate',
    generate: generatePolicy,
    answer: answerPolicy,
    normalize: withoutOperators,
    repeat: often,
  },
  selection: { command: 'rules', generate: generateSelection, answer: answerRules },
  substitute: {
    command: 'substitute',
    generate: generateSubstitute,
    answer: answerSubstitute,
    repeat: 4 * often,
  },
  validate: { command: 'rules', generate: generateValidation, answer: answerRules },
  yaml: { command: 'jmespath', generate: generateYaml, answer: answerJmesPath },
};

function answerPolicy({ policy }: { readonly policy: JsonObject }): object {
  const { warnings, error } = validatePolicyObject(policy);
  return { ...(warnings.length > 0 && { warnings }), ...(error !== '' && { error }) };
}

/** Our answer to a case as the oracle would write it, members sorted. */
export function ourAnswer(subject: Subject, item: object): string {
  try {
    return canonical(subject.answer(item as never));
  } catch (problem) {
    return `THROWN ${problem instanceof Error ? problem.stack : problem}`;
  }
}

/** An answer as text, members sorted. */
export function canonical(value: unknown): string {
  try {
    return formatJson(JSON.parse(stringifyJson(value)), { isSorted: true });
  } catch (error) {
    if (error instanceof TypeError) return '"unencodable"';
    throw error;
  }
}

/** Whether an answer of the oracle says what Kyverno always does. */
export function isUsable(answer: Answer): boolean {
  return !('panic' in answer || 'unencodable' in answer || 'unstable' in answer);
}
