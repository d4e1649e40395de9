import { field, type JsonObject, parseJson } from '@kubeadmit/conformance-tools';
import {
  type DefinitionInput,
  validateWithDefinition,
} from '@kubeadmit/custom-resources/definitions';
import { type ExpressionInput, evaluateExpression } from '@kubeadmit/engine';
import { stringifyJson } from '@kubeadmit/go';
import {
  answerAutogen,
  answerConditions,
  answerJmesPath,
  answerRules,
  answerSubstitute,
} from '@kubeadmit/kyverno/unstable-internal';
import { decodeAll } from '@kubeadmit/schemas/unstable-internal';
import { answerAdmission, answerLint } from './admission.ts';
import { newestSchemas, schemasOf } from './schemas.ts';
import { answerWrite } from './writes.ts';

/** Answers one case of the machine interface, with or without its identifier. */
export type Answer = (input: JsonObject) => Promise<object> | object;

/** A folder of recorded cases, or the files in it whose names begin with a word, and what answers them. */
export interface Area {
  /** The folder under `conformance/`. */
  readonly folder: string;
  /** The start of the names of the files; every file of the folder when absent. */
  readonly prefix?: string;
  /** The command of the machine interface whose cases the files hold. */
  readonly command: string;
  /** Whether numbers are read with JSON.parse, without distinguishing ints and doubles as Kubernetes does. */
  readonly isPlainJson?: boolean;
  /** The function that answers the cases. */
  readonly answer: Answer;
}

/** Every area; a file of cases that no area claims fails the run. */
export const AREAS: readonly Area[] = [
  { folder: 'admit', command: 'admit', answer: answerAdmission },
  {
    folder: 'cel',
    command: 'eval',
    answer: ({ id: _, ...input }) => evaluateExpression(input as unknown as ExpressionInput),
  },
  {
    folder: 'decode',
    command: 'decode',
    answer: async (input) =>
      decodeAll(await schemasOf(input), field(input, 'resources') as unknown[]),
  },
  { folder: 'lint', command: 'lint', answer: answerLint },
  { folder: 'write', command: 'write', answer: answerWrite },
  {
    folder: 'validate',
    command: 'validate',
    answer: async (input) => {
      const { definition, object, oldObject, kubernetesVersion } =
        input as unknown as DefinitionInput;
      const given = { definition, object, oldObject, kubernetesVersion };
      return validateWithDefinition(given, await newestSchemas());
    },
  },
  kyverno('conditions', 'conditions', answerConditions),
  kyverno('contexts', 'rules', answerRules),
  kyverno('jmespath', 'jmespath', answerJmesPath),
  kyverno('odd-arguments', 'jmespath', answerJmesPath),
  kyverno('certificates', 'jmespath', answerJmesPath),
  kyverno('random-text', 'jmespath', answerJmesPath),
  kyverno('substitute', 'substitute', answerSubstitute),
  kyverno('validate', 'rules', answerRules),
  kyverno('mutate', 'rules', answerRules),
  kyverno('object-patches', 'rules', answerRules),
  kyverno('object-patterns', 'rules', answerRules),
  kyverno('patches', 'rules', answerRules),
  kyverno('pod-security', 'rules', answerRules),
  kyverno('selection', 'rules', answerRules),
  kyverno('surroundings', 'rules', answerRules),
  kyverno('sections', 'rules', answerRules),
  kyverno('loops', 'rules', answerRules),
  kyverno('exceptions', 'rules', answerRules),
  kyverno('empty-parts', 'rules', answerRules),
  kyverno('cel-rules', 'rules', answerRules),
  kyverno('yaml', 'jmespath', answerJmesPath),
  kyverno('autogen', 'autogen', answerAutogen),
];

function kyverno<Case>(prefix: string, command: string, answer: (input: Case) => object): Area {
  return {
    folder: 'kyverno',
    prefix,
    command: `kyverno ${command}`,
    isPlainJson: true,
    // Read as the recorded answer is: long integers keep their digits.
    answer: (input) => parseJson(stringifyJson(answer(input as Case))) as JsonObject,
  };
}
