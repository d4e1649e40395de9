import { compileRegex } from '@kubeadmit/go';
import type { GatorAssertion } from './gator-suite.ts';

/** Why violations are not as an assertion says; undefined where they are. */
export function failedAssertion(
  assertion: GatorAssertion,
  messages: readonly string[],
): string | undefined {
  const { violations: wanted, message } = assertion;
  const regex = compileRegex(message);
  if ('error' in regex) return `the regular expression ${JSON.stringify(message)}: ${regex.error}`;
  const count = messages.filter((each) => regex.test(each)).length;
  const holds = typeof wanted === 'boolean' ? count > 0 === wanted : count === wanted;
  if (holds) return undefined;
  return `expected ${assertionText(assertion)}, but there ${violationsText(messages)}`;
}

/** An assertion for people: `2 violations that match "registry"`. */
export function assertionText({ violations, message }: GatorAssertion): string {
  const some = violations === true ? 'a violation' : 'no violation';
  const count = typeof violations === 'boolean' ? some : counted(violations);
  return message === '' ? count : `${count} that matches ${JSON.stringify(message)}`;
}

function violationsText(messages: readonly string[]): string {
  if (messages.length === 0) return 'is none';
  const texts = messages.map((each) => JSON.stringify(each)).join(', ');
  return `${messages.length === 1 ? 'is' : 'are'} ${counted(messages.length)}: ${texts}`;
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'violation' : 'violations'}`;
}
