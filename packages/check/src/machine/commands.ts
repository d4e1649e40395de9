import { describeValue, requireOptions } from '@kubeadmit/go/internal';
import type { Answerer, Preparer } from './case.ts';
import { type CaseFields, requireFields } from './case-fields.ts';

/** What the machine interface gets from the program or page that it runs in. */
export interface Host {
  /** Gives the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/** A command that answers cases, as the command line of the program names it. */
export type MachineCommand =
  | 'admit'
  | 'lint'
  | 'decode'
  | 'validate'
  | 'eval'
  | 'kyverno conditions'
  | 'kyverno jmespath'
  | 'kyverno substitute'
  | 'kyverno rules'
  | 'kyverno autogen';

/** A command whose cases can be measured, as `kubeadmit bench` names it. */
export type BenchCommand = 'admit' | 'eval' | 'kyverno-conditions' | 'kyverno-rules';

const answerers: Readonly<Record<MachineCommand, (host: Host) => Promise<Answerer>>> = {
  admit: async ({ clock }) => (await import('./admit.ts')).createAdmitAnswerer(clock),
  lint: async ({ clock }) => (await import('./lint.ts')).createLintAnswerer(clock),
  decode: async ({ clock }) => (await import('./decode.ts')).createDecodeAnswerer(clock),
  validate: async () => (await import('./validate.ts')).createValidateAnswerer(),
  eval: async () => (await import('./eval.ts')).answerEvalCase,
  'kyverno conditions': async ({ clock }) =>
    (await import('./kyverno.ts')).createConditionsAnswerer(clock),
  'kyverno jmespath': async ({ clock }) =>
    (await import('./kyverno.ts')).createJmesPathAnswerer(clock),
  'kyverno substitute': async ({ clock }) =>
    (await import('./kyverno.ts')).createSubstituteAnswerer(clock),
  'kyverno rules': async ({ clock }) => (await import('./kyverno.ts')).createRulesAnswerer(clock),
  'kyverno autogen': async () => (await import('./kyverno.ts')).answerAutogenCase,
};

const fields: Readonly<Record<MachineCommand, CaseFields>> = {
  admit: { known: ['kubernetesVersion', 'resources', 'request'], required: 'request' },
  lint: { known: ['kubernetesVersion', 'resources'], required: 'resources' },
  decode: { known: ['kubernetesVersion', 'resources'], required: 'resources' },
  validate: { known: ['kubernetesVersion', 'definition', 'object', 'oldObject'] },
  eval: {
    known: ['expression', 'variables', 'declarations', 'kubernetesVersion', 'budget'],
    required: 'expression',
  },
  'kyverno conditions': { known: ['context', 'conditions'] },
  'kyverno jmespath': { known: ['expression', 'input'], required: 'expression' },
  'kyverno substitute': { known: ['context', 'document'] },
  'kyverno rules': {
    known: [
      ...['policies', 'resource', 'oldResource', 'operation', 'subresource', 'namespaceLabels'],
      ...['context', 'exceptions', 'cluster', 'userInfo', 'roles', 'clusterRoles'],
    ],
    required: 'policies',
  },
  'kyverno autogen': { known: ['policy', 'kind'] },
};

const benchFields: Readonly<Record<BenchCommand, CaseFields>> = {
  admit: fields.admit,
  eval: fields.eval,
  'kyverno-conditions': fields['kyverno conditions'],
  'kyverno-rules': fields['kyverno rules'],
};

const preparers: Readonly<Record<BenchCommand, (host: Host) => Promise<Preparer>>> = {
  admit: async ({ clock }) => (await import('./admit.ts')).createAdmitPreparer(clock),
  eval: async () => (await import('./eval.ts')).prepareEvalCase,
  'kyverno-conditions': async ({ clock }) =>
    (await import('./kyverno.ts')).createConditionsPreparer(clock),
  'kyverno-rules': async ({ clock }) => (await import('./kyverno.ts')).createRulesPreparer(clock),
};

/** Every command that answers cases. */
export const machineCommands: readonly MachineCommand[] = Object.keys(
  answerers,
) as MachineCommand[];

/** Whether a text is one of {@link machineCommands}. */
export function isMachineCommand(text: string): text is MachineCommand {
  return Object.hasOwn(answerers, text);
}

/**
 * Loads what a command needs and gives what answers its cases, one after another.
 *
 * What cases in a row share, such as a cluster, is kept from one to the next.
 *
 * @throws TypeError when there is no such command, or no clock.
 */
export async function loadAnswerer(command: MachineCommand, host: Host): Promise<Answerer> {
  requireCommand('loadAnswerer', command, host, answerers);
  const answer = await answerers[command](host);
  return (input) => {
    requireFields(input, fields[command]);
    return answer(input);
  };
}

/**
 * Loads what a benchmark needs and gives what prepares its cases.
 *
 * @throws TypeError when there is no such command, or no clock.
 */
export async function loadPreparer(command: BenchCommand, host: Host): Promise<Preparer> {
  requireCommand('loadPreparer', command, host, preparers);
  const prepare = await preparers[command](host);
  return (input) => {
    requireFields(input, benchFields[command]);
    return prepare(input);
  };
}

function requireCommand(call: string, command: unknown, host: Host, commands: object): void {
  if (typeof command !== 'string' || !Object.hasOwn(commands, command)) {
    const known = Object.keys(commands).join(', ');
    throw new TypeError(`${call}: there is no command ${describeValue(command)}, but ${known}`);
  }
  requireOptions(call, host, { clock: 'function' });
  if (host.clock === undefined) {
    throw new TypeError(`${call}: \`clock\` has to give milliseconds, such as \`Date.now\``);
  }
}
