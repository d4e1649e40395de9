import { readVariables } from '@kubeadmit/kyverno/unstable-internal';
import { textTerm } from '../jmespath/text-value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../notes/unsupported.ts';

/** The message of a validation: a constant one, and one that is computed where variables are in it. */
export interface Message {
  readonly message: string;
  readonly messageExpression?: string;
  /** Why its variables have no values. */
  readonly problem?: string;
}

/** A text without line breaks, which messages of validations must not have. */
export function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** Reads the message of a rule; a validation always has one. */
export function readMessage(source: unknown, ruleName: string, variables: Variables): Message {
  const line = typeof source === 'string' ? oneLine(source) : '';
  if (line === '') return { message: `the rule ${ruleName} is not satisfied` };
  const found = readVariables(line);
  if (found.length === 0) return { message: line };
  const fallback = found.reduce((rest, { text }) => rest.replace(text, () => '...'), line);
  try {
    // A message decides nothing, so differences between its values need no note.
    const { text } = textTerm(` ${line}`, { ...variables, notes: new Set() });
    return {
      message: fallback,
      messageExpression: text.replace(/^' /, "'").replace(/^'' \+ /, ''),
    };
  } catch (problem) {
    if (!(problem instanceof Unsupported)) throw problem;
    return {
      message: fallback,
      problem: `the message contains "..." instead of its variables: ${problem.message}`,
    };
  }
}
