import { compileRegex } from '@kubeadmit/go';
import type { ExpectedText } from '../format/expectation.ts';

/** Whether a text is as expected. */
export function isAsExpected(
  text: string,
  { equals, contains = [], matches }: ExpectedText,
): boolean {
  if (equals !== undefined && text !== equals) return false;
  if (!contains.every((part) => text.includes(part))) return false;
  if (matches === undefined) return true;
  const regex = compileRegex(matches);
  return !('error' in regex) && regex.test(text);
}

/** An expected text for people. */
export function expectedText({ equals, contains = [], matches }: ExpectedText): string {
  return [
    ...(equals === undefined ? [] : [JSON.stringify(equals)]),
    ...contains.map((part) => `containing ${JSON.stringify(part)}`),
    ...(matches === undefined ? [] : [`matching ${JSON.stringify(matches)}`]),
  ].join(', ');
}
