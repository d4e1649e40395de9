import { describeValue, requireOptions } from '@kubeadmit/base';
import type { Answerer, Preparer } from './case.ts';
import { type CaseFields, requireFields } from './case-fields.ts';
import type { KyvernoPart } from './kyverno.ts';

/** The environment of the machine interface: a program or a page. */
export interface Host {
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/** A command that answers cases, as the command line of the program names it. */
export type MachineCommand =
  | 'admit'
  | 'write'
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

/** The fields of a command's cases, and their answerer. */
interface CommandCases extends CaseFields {
  readonly answerer: (host: Host) => Promise<Answerer>;
  readonly preparer?: (host: Host) => Promise<Preparer>;
}

const commands = {
  admit: {
    known: ['kubernetesVersion', 'resources', 'request', 'plugins'],
    required: 'request',
    answerer: async ({ clock }) => (await import('./admit.ts')).createAdmitAnswerer(clock),
    preparer: async ({ clock }) => (await import('./admit.ts')).createAdmitPreparer(clock),
  },
  write: {
    known: ['kubernetesVersion', 'resources', 'plugins', 'request'],
    required: 'request',
    answerer: async ({ clock }) => (await import('./write.ts')).createWriteAnswerer(clock),
  },
  lint: {
    known: ['kubernetesVersion', 'resources'],
    required: 'resources',
    answerer: async ({ clock }) => (await import('./lint.ts')).createLintAnswerer(clock),
  },
  decode: {
    known: ['kubernetesVersion', 'resources'],
    required: 'resources',
    answerer: async ({ clock }) => (await import('./decode.ts')).createDecodeAnswerer(clock),
  },
  validate: {
    known: ['kubernetesVersion', 'definition', 'object', 'oldObject'],
    answerer: async () => (await import('./validate.ts')).createValidateAnswerer(),
  },
  eval: {
    known: ['expression', 'variables', 'declarations', 'kubernetesVersion', 'budget'],
    required: 'expression',
    answerer: async () => (await import('./eval.ts')).answerEvalCase,
    preparer: async () => (await import('./eval.ts')).prepareEvalCase,
  },
  'kyverno conditions': { known: ['context', 'conditions'], ...casesOf('conditions') },
  'kyverno jmespath': {
    known: ['expression', 'input'],
    required: 'expression',
    ...casesOf('jmespath'),
  },
  'kyverno substitute': { known: ['context', 'document'], ...casesOf('substitute') },
  'kyverno rules': {
    known: [
      ...['policies', 'resource', 'oldResource', 'operation', 'subresource', 'namespaceLabels'],
      ...['context', 'exceptions', 'cluster', 'userInfo', 'roles', 'clusterRoles'],
    ],
    required: 'policies',
    ...casesOf('rules'),
  },
  'kyverno autogen': { known: ['policy', 'kind'], ...casesOf('autogen') },
} satisfies Readonly<Record<MachineCommand, CommandCases>>;

/** The prepared form of a Kyverno part answers its cases, too. */
function casesOf(part: KyvernoPart): Required<Pick<CommandCases, 'answerer' | 'preparer'>> {
  const load = async ({ clock }: Host) =>
    (await import('./kyverno.ts')).createKyvernoPreparer(part, clock);
  return {
    preparer: load,
    answerer: async (host) => {
      const prepare = await load(host);
      return (input) => ({ ...prepare(input)() });
    },
  };
}

const measured = {
  admit: 'admit',
  eval: 'eval',
  'kyverno-conditions': 'kyverno conditions',
  'kyverno-rules': 'kyverno rules',
} as const satisfies Readonly<Record<BenchCommand, MachineCommand>>;

/** Every command that answers cases. */
export const machineCommands: readonly MachineCommand[] = Object.keys(commands) as MachineCommand[];

/** Whether a text is one of {@link machineCommands}. */
export function isMachineCommand(text: string): text is MachineCommand {
  return Object.hasOwn(commands, text);
}

/**
 * Loads the code for a command; returns a function that answers its cases one after another.
 *
 * Data that consecutive cases share, such as a cluster, is reused.
 *
 * @throws TypeError when there is no such command, or no clock.
 */
export async function loadAnswerer(command: MachineCommand, host: Host): Promise<Answerer> {
  requireCommand('loadAnswerer', command, host, commands);
  const answer = await commands[command].answerer(host);
  return (input) => {
    requireFields(input, commands[command]);
    return answer(input);
  };
}

/**
 * Loads the code for a benchmark; returns a function that prepares its cases.
 *
 * @throws TypeError when there is no such command, or no clock.
 */
export async function loadPreparer(command: BenchCommand, host: Host): Promise<Preparer> {
  requireCommand('loadPreparer', command, host, measured);
  const cases = commands[measured[command]];
  const prepare = await cases.preparer(host);
  return (input) => {
    requireFields(input, cases);
    return prepare(input);
  };
}

function requireCommand(call: string, command: unknown, host: Host, all: object): void {
  if (typeof command !== 'string' || !Object.hasOwn(all, command)) {
    const known = Object.keys(all).join(', ');
    throw new TypeError(
      `${call}: unknown command ${describeValue(command)}; expected one of ${known}`,
    );
  }
  requireOptions(call, host, { clock: 'function' });
  if (host.clock === undefined) {
    throw new TypeError(`${call}: \`clock\` must return milliseconds, such as \`Date.now\``);
  }
}
